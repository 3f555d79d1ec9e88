-- Scores are columns, for histories; the sums behind them and the texts are JSON.
CREATE TABLE reports (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    site_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    requested_url TEXT NOT NULL,
    url TEXT NOT NULL,
    overall_score BIGINT NOT NULL CHECK (overall_score BETWEEN 0 AND 100),
    overall_score_legacy BIGINT NOT NULL CHECK (overall_score_legacy BETWEEN 0 AND 100),
    performance BIGINT NOT NULL CHECK (performance BETWEEN 0 AND 100),
    accessibility BIGINT NOT NULL CHECK (accessibility BETWEEN 0 AND 100),
    seo BIGINT NOT NULL CHECK (seo BETWEEN 0 AND 100),
    security BIGINT NOT NULL CHECK (security BETWEEN 0 AND 100),
    content BIGINT NOT NULL CHECK (content BETWEEN 0 AND 100),
    ai_readiness BIGINT NOT NULL CHECK (ai_readiness BETWEEN 0 AND 100),
    weights TEXT NOT NULL,
    weights_legacy TEXT NOT NULL,
    coverage TEXT NOT NULL,
    unjudged TEXT NOT NULL,
    summaries TEXT NOT NULL,
    summaries_legacy TEXT NOT NULL,
    scoring TEXT NOT NULL,
    engine_version TEXT NOT NULL,
    catalogue_version TEXT NOT NULL,
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE,
    FOREIGN KEY (org_id, site_id) REFERENCES sites (org_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX reports_run ON reports (run_id);
CREATE UNIQUE INDEX reports_org ON reports (org_id, id);
CREATE INDEX reports_history ON reports (org_id, site_id, created_at, run_id);

-- An issue without an impact on the older score is not part of the older report.
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

CREATE UNIQUE INDEX issues_position ON issues (report_id, position);
CREATE UNIQUE INDEX issues_fingerprint ON issues (report_id, fingerprint);
