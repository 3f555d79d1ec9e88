-- Each cause is an issue again. The first keeps the id of its issue; the others get ids of its time
-- and their fingerprint.
DROP INDEX issues_position;
DROP INDEX issues_check;
ALTER TABLE issues RENAME TO issues_by_check;

CREATE TABLE issues (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    report_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    check_id TEXT NOT NULL,
    dimension TEXT NOT NULL CHECK (
        dimension IN ('performance', 'accessibility', 'seo', 'security', 'content', 'aiReadiness')
    ),
    severity TEXT NOT NULL CHECK (
        severity IN ('critical', 'serious', 'moderate', 'minor', 'info')
    ),
    confidence TEXT NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    effort TEXT NOT NULL,
    cause TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    why TEXT NOT NULL,
    recommendation TEXT NOT NULL,
    sources TEXT NOT NULL,
    affected BIGINT NOT NULL,
    applicable BIGINT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('page', 'resource', 'origin', 'site')),
    affected_pages BIGINT NOT NULL,
    score_impact DOUBLE PRECISION NOT NULL,
    score_impact_legacy DOUBLE PRECISION,
    occurrences_total BIGINT NOT NULL,
    occurrences_stored BIGINT NOT NULL,
    action_id TEXT,
    FOREIGN KEY (org_id, report_id) REFERENCES reports (org_id, id) ON DELETE CASCADE
);

INSERT INTO issues (
    id, org_id, report_id, position, fingerprint, check_id, dimension, severity, confidence, effort,
    cause, title, description, why, recommendation, sources, affected, applicable, subject,
    affected_pages, score_impact, score_impact_legacy, occurrences_total, occurrences_stored,
    action_id
)
SELECT
    CASE
        WHEN causes.ordinal = 0 THEN known.id
        ELSE substr(known.id, 1, 14) || upper(substr(causes.fingerprint, 1, 16))
    END,
    known.org_id, known.report_id, causes.position, causes.fingerprint, known.check_id,
    known.dimension, known.severity, known.confidence, known.effort, causes.cause, causes.message,
    known.description, known.why, known.recommendation, known.sources, causes.affected,
    known.applicable, known.subject, causes.affected_pages, causes.score_impact,
    causes.score_impact_legacy, causes.occurrences_total, causes.occurrences_stored,
    known.action_id
FROM issues_by_check AS known
JOIN reports ON reports.id = known.report_id
JOIN causes
    ON causes.run_id = reports.run_id
    AND causes.epoch = reports.epoch
    AND causes.issue_position = known.position;

DROP TABLE issues_by_check;
DROP TABLE causes;

CREATE UNIQUE INDEX issues_position ON issues (report_id, position);
CREATE UNIQUE INDEX issues_fingerprint ON issues (report_id, fingerprint);

ALTER TABLE occurrences RENAME COLUMN cause_position TO issue_position;
