-- One queue for all background work: briefs, deliveries, scheduled starts and retention sweeps are jobs
-- beside runs. The columns of leases in `action_briefs` and `deliveries` are no longer used; a later
-- release drops them.
CREATE INDEX jobs_due ON jobs (kind, available_at, id);
-- The jobs that share a host: those of a delivery share their webhook.
CREATE INDEX jobs_host ON jobs (kind, host, available_at, id);

-- A brief that is being generated is leased by its job.
ALTER TABLE action_briefs DROP CONSTRAINT action_briefs_check3;
ALTER TABLE action_briefs ALTER COLUMN attempts SET DEFAULT 0;
UPDATE action_briefs SET lease_owner = NULL, lease_expires_at = NULL WHERE lease_owner IS NOT NULL;

-- A lease of the version before would keep its delivery from ending.
UPDATE deliveries SET lease_owner = NULL, lease_expires_at = NULL WHERE lease_owner IS NOT NULL;

-- Jobs are found by their own indexes.
DROP INDEX deliveries_due;
DROP INDEX deliveries_leased;
DROP INDEX schedules_due;

-- What waits, and what somebody was just doing, becomes a job.
INSERT INTO jobs (
    id, kind, subject_id, org_id, host, queued_at, available_at, attempts, epoch
)
SELECT 'job_' || action_id, 'brief', action_id, org_id, '', queued_at, queued_at, 0, 0
FROM action_briefs
WHERE status IN ('queued', 'generating')
UNION ALL
SELECT 'job_' || id, 'delivery', id, org_id, webhook_id, created_at, next_attempt_at, 0, epoch
FROM deliveries
WHERE status = 'pending'
UNION ALL
SELECT 'job_' || site_id, 'schedule', site_id, org_id, '', next_run_at, next_run_at, 0, 0
FROM schedules
WHERE enabled AND next_run_at IS NOT NULL
UNION ALL
SELECT 'job_' || id, 'retention', id, id, '', created_at, created_at, 0, 0
FROM organizations;
