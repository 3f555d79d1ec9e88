-- Where a check failed. Rows are written while a run goes on, and belong to its report once the
-- report names their epoch.
CREATE TABLE occurrences (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    issue_position BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    url TEXT NOT NULL,
    selector TEXT,
    snippet TEXT,
    line BIGINT,
    message TEXT NOT NULL,
    PRIMARY KEY (run_id, epoch, issue_position, ordinal)
) WITHOUT ROWID;
