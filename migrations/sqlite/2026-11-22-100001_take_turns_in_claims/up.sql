-- Numbers that are counted up. The row of the claims is also the lock that claims take turns with.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL CHECK (value >= 0)
);

INSERT INTO counters (name, value) VALUES ('claims', 0);

-- The number of the last claim of a run of each organization; organizations take turns by it.
CREATE TABLE organization_claims (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    last_claim BIGINT NOT NULL CHECK (last_claim > 0)
);

-- The process of the worker that holds the lease: one host is audited by one process at a time.
ALTER TABLE jobs ADD COLUMN lease_process TEXT;

DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (kind, org_id, queued_at, id);
CREATE INDEX jobs_leased ON jobs (kind, lease_expires_at);
