-- Briefs that somebody asked for, and the queue of those to be written: who writes one has a lease.
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

CREATE INDEX action_briefs_waiting ON action_briefs (status, queued_at, action_id);
