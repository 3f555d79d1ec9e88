-- Events on their way to webhooks: who sends one has a lease.
CREATE TABLE deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
    attempts TEXT NOT NULL,
    next_attempt_at TIMESTAMP,
    created_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    epoch BIGINT NOT NULL CHECK (epoch >= 0),
    lease_owner TEXT,
    lease_expires_at TIMESTAMP,
    FOREIGN KEY (org_id, webhook_id) REFERENCES webhooks (org_id, id) ON DELETE CASCADE,
    FOREIGN KEY (org_id, event_id) REFERENCES events (org_id, id) ON DELETE CASCADE,
    CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
    CHECK ((status = 'pending') = (finished_at IS NULL)),
    CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL)),
    CHECK (lease_owner IS NULL OR status = 'pending')
);

-- An event is sent to a webhook once.
CREATE UNIQUE INDEX deliveries_event ON deliveries (org_id, event_id, webhook_id);
CREATE INDEX deliveries_listed ON deliveries (org_id, webhook_id, created_at, id);
CREATE INDEX deliveries_waiting ON deliveries (status, next_attempt_at, id);
CREATE INDEX deliveries_leased ON deliveries (lease_owner);
