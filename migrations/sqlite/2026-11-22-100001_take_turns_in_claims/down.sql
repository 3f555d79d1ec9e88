DROP INDEX jobs_leased;
DROP INDEX jobs_waiting;
CREATE INDEX jobs_waiting ON jobs (kind, queued_at, id);
ALTER TABLE jobs DROP COLUMN lease_process;
DROP TABLE organization_claims;
DROP TABLE counters;
