DELETE FROM jobs WHERE kind <> 'run';

UPDATE action_briefs SET status = 'queued' WHERE status = 'generating';
ALTER TABLE action_briefs ALTER COLUMN attempts DROP DEFAULT;
ALTER TABLE action_briefs ADD CONSTRAINT action_briefs_check3
    CHECK ((status = 'generating') = (lease_owner IS NOT NULL));

DROP INDEX jobs_host;
DROP INDEX jobs_due;
