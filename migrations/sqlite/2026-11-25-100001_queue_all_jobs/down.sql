DELETE FROM jobs WHERE kind <> 'run';

CREATE INDEX schedules_due ON schedules (enabled, next_run_at, site_id);
CREATE INDEX deliveries_leased ON deliveries (lease_owner);
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_attempt_at, id);

UPDATE action_briefs SET status = 'queued' WHERE status = 'generating';
DROP INDEX action_briefs_waiting;
ALTER TABLE action_briefs RENAME TO action_briefs_without_leases;

CREATE TABLE action_briefs (
    action_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('queued', 'generating', 'ready', 'failed')),
    instructions TEXT,
    content TEXT,
    generated_at TIMESTAMP,
    error TEXT,
    generation BIGINT NOT NULL CHECK (generation >= 1),
    queued_at TIMESTAMP NOT NULL,
    attempts BIGINT NOT NULL CHECK (attempts >= 0),
    lease_owner TEXT,
    lease_expires_at TIMESTAMP,
    FOREIGN KEY (org_id, action_id) REFERENCES actions (org_id, id) ON DELETE CASCADE,
    CHECK ((content IS NULL) = (generated_at IS NULL)),
    CHECK ((status = 'failed') = (error IS NOT NULL)),
    CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL)),
    CHECK ((status = 'generating') = (lease_owner IS NOT NULL))
);

INSERT INTO action_briefs (
    action_id, org_id, status, instructions, content, generated_at, error, generation, queued_at,
    attempts
)
SELECT
    action_id, org_id, status, instructions, content, generated_at, error, generation, queued_at,
    attempts
FROM action_briefs_without_leases;

DROP TABLE action_briefs_without_leases;
CREATE INDEX action_briefs_waiting ON action_briefs (status, queued_at, action_id);

DROP INDEX jobs_host;
DROP INDEX jobs_due;
