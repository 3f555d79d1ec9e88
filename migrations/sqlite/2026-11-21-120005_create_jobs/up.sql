-- Work to be done, one row for each thing of a kind; the row goes when the work ends, or the run
-- that it is about.
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    run_id TEXT,
    host TEXT NOT NULL,
    queued_at TIMESTAMP NOT NULL,
    available_at TIMESTAMP NOT NULL,
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    epoch BIGINT NOT NULL CHECK (epoch >= 0),
    lease_owner TEXT,
    lease_expires_at TIMESTAMP,
    deadline_at TIMESTAMP,
    FOREIGN KEY (org_id, run_id) REFERENCES runs (org_id, id) ON DELETE CASCADE,
    CHECK (kind <> 'run' OR (run_id IS NOT NULL AND run_id = subject_id)),
    CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL))
);

CREATE UNIQUE INDEX jobs_subject ON jobs (kind, subject_id);
CREATE INDEX jobs_run ON jobs (org_id, run_id);
CREATE INDEX jobs_waiting ON jobs (kind, queued_at, id);
