-- What a run asked the site for. Rows are written while a run goes on, and belong to its report once
-- the report names their epoch.
CREATE TABLE pages (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL,
    url TEXT NOT NULL,
    status BIGINT,
    depth BIGINT,
    title TEXT,
    bytes BIGINT,
    audited BOOLEAN NOT NULL,
    issues BIGINT NOT NULL,
    issues_legacy BIGINT NOT NULL,
    PRIMARY KEY (run_id, epoch, position)
);
