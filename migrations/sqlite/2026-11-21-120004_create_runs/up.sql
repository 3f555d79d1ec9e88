CREATE TABLE runs (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    site_id TEXT NOT NULL,
    url TEXT NOT NULL,
    trigger_kind TEXT NOT NULL,
    options TEXT NOT NULL,
    status TEXT NOT NULL CHECK (
        status IN ('queued', 'running', 'completed', 'failed', 'cancelled')
    ),
    phase TEXT NOT NULL,
    pages_discovered BIGINT NOT NULL CHECK (pages_discovered >= 0),
    pages_fetched BIGINT NOT NULL CHECK (pages_fetched >= 0),
    pages_audited BIGINT NOT NULL CHECK (pages_audited >= 0),
    percent BIGINT NOT NULL CHECK (percent BETWEEN 0 AND 100),
    created_at TIMESTAMP NOT NULL,
    started_at TIMESTAMP,
    finished_at TIMESTAMP,
    error_code TEXT,
    error_message TEXT,
    FOREIGN KEY (org_id, site_id) REFERENCES sites (org_id, id) ON DELETE CASCADE,
    CHECK (status NOT IN ('running', 'completed', 'failed') OR started_at IS NOT NULL),
    CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CHECK ((status = 'failed') = (error_code IS NOT NULL)),
    CHECK ((error_code IS NULL) = (error_message IS NULL))
);

CREATE UNIQUE INDEX runs_org ON runs (org_id, id);
CREATE INDEX runs_history ON runs (org_id, site_id, created_at, id);
