DELETE FROM jobs WHERE kind <> 'run';

CREATE INDEX schedules_due ON schedules (enabled, next_run_at, site_id);
CREATE INDEX deliveries_leased ON deliveries (lease_owner);
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_attempt_at, id);

UPDATE action_briefs SET status = 'queued' WHERE status = 'generating';
ALTER TABLE action_briefs ALTER COLUMN attempts DROP DEFAULT;
ALTER TABLE action_briefs ADD CONSTRAINT action_briefs_check3
    CHECK ((status = 'generating') = (lease_owner IS NOT NULL));

DROP INDEX jobs_host;
DROP INDEX jobs_due;
