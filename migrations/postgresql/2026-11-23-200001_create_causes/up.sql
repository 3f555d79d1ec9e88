-- The causes of issues. Rows are written while a run goes on, and belong to its report once the
-- report names their epoch. `position` is the place among all causes of the report, `ordinal` the
-- place in the issue.
CREATE TABLE causes (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL,
    issue_position BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    fingerprint TEXT NOT NULL,
    cause TEXT NOT NULL,
    message TEXT NOT NULL,
    affected BIGINT NOT NULL,
    affected_pages BIGINT NOT NULL,
    score_impact DOUBLE PRECISION NOT NULL,
    score_impact_legacy DOUBLE PRECISION,
    occurrences_total BIGINT NOT NULL,
    occurrences_stored BIGINT NOT NULL,
    state TEXT CHECK (state IN ('new', 'persisting')),
    PRIMARY KEY (run_id, epoch, position)
);

-- What was an issue of a report is a cause of it, at the same place.
INSERT INTO causes (
    run_id, epoch, position, issue_position, ordinal, fingerprint, cause, message, affected,
    affected_pages, score_impact, score_impact_legacy, occurrences_total, occurrences_stored
)
SELECT
    reports.run_id, reports.epoch, issues.position,
    min(issues.position) OVER (PARTITION BY issues.report_id, issues.check_id),
    row_number() OVER (
        PARTITION BY issues.report_id, issues.check_id ORDER BY issues.position
    ) - 1,
    issues.fingerprint, issues.cause, issues.title, issues.affected,
    issues.affected_pages, issues.score_impact, issues.score_impact_legacy,
    issues.occurrences_total, issues.occurrences_stored
FROM issues
JOIN reports ON reports.id = issues.report_id;

CREATE UNIQUE INDEX causes_issue ON causes (run_id, epoch, issue_position, ordinal);
CREATE UNIQUE INDEX causes_fingerprint ON causes (run_id, epoch, fingerprint);

-- The place of an occurrence's issue is the place of its cause.
ALTER TABLE occurrences RENAME COLUMN issue_position TO cause_position;

DROP INDEX issues_position;
DROP INDEX issues_fingerprint;
ALTER TABLE issues RENAME TO issues_by_cause;

-- One for each check of a report. One without `score_impact` was put together from issues by cause
-- by this migration: its impact, its reach and its description are worked out from the report when
-- it is read.
CREATE TABLE issues (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    report_id TEXT NOT NULL,
    position BIGINT NOT NULL,
    check_id TEXT NOT NULL,
    dimension TEXT NOT NULL CHECK (
        dimension IN ('performance', 'accessibility', 'seo', 'security', 'content', 'aiReadiness')
    ),
    severity TEXT NOT NULL CHECK (
        severity IN ('critical', 'serious', 'moderate', 'minor', 'info')
    ),
    confidence TEXT NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    effort TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    why TEXT NOT NULL,
    recommendation TEXT NOT NULL,
    sources TEXT NOT NULL,
    affected BIGINT NOT NULL,
    applicable BIGINT NOT NULL,
    subject TEXT NOT NULL CHECK (subject IN ('page', 'resource', 'origin', 'site')),
    affected_pages BIGINT NOT NULL,
    score_impact DOUBLE PRECISION,
    score_impact_legacy DOUBLE PRECISION,
    occurrences_total BIGINT NOT NULL,
    occurrences_stored BIGINT NOT NULL,
    causes_total BIGINT NOT NULL,
    causes_stored BIGINT NOT NULL,
    state TEXT CHECK (state IN ('new', 'persisting')),
    waived BIGINT NOT NULL,
    action_id TEXT,
    FOREIGN KEY (org_id, report_id) REFERENCES reports (org_id, id) ON DELETE CASCADE
);

INSERT INTO issues (
    id, org_id, report_id, position, check_id, dimension, severity, confidence, effort, title,
    description, why, recommendation, sources, affected, applicable, subject, affected_pages,
    occurrences_total, occurrences_stored, causes_total, causes_stored, waived, action_id
)
SELECT
    known.id, known.org_id, known.report_id, known.position, known.check_id, known.dimension,
    known.severity, known.confidence, known.effort, known.title, known.description, known.why,
    known.recommendation, known.sources,
    CASE WHEN merged.affected > known.applicable THEN known.applicable ELSE merged.affected END,
    known.applicable, known.subject, merged.affected_pages, merged.occurrences_total,
    merged.occurrences_stored, merged.causes, merged.causes, 0, known.action_id
FROM issues_by_cause AS known
JOIN (
    SELECT
        report_id,
        min(position) AS position,
        max(affected) AS affected,
        max(affected_pages) AS affected_pages,
        CAST(sum(occurrences_total) AS BIGINT) AS occurrences_total,
        CAST(sum(occurrences_stored) AS BIGINT) AS occurrences_stored,
        count(*) AS causes
    FROM issues_by_cause
    GROUP BY report_id, check_id
) AS merged ON merged.report_id = known.report_id AND merged.position = known.position;

DROP TABLE issues_by_cause;

CREATE UNIQUE INDEX issues_position ON issues (report_id, position);
CREATE UNIQUE INDEX issues_check ON issues (report_id, check_id);
