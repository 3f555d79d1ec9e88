-- Addresses that events are sent to. The secret is encrypted.
CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('enabled', 'turned_off', 'gone')),
    sealed_secret TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    updated_at TIMESTAMP NOT NULL
);

CREATE UNIQUE INDEX webhooks_org ON webhooks (org_id, id);
CREATE INDEX webhooks_listed ON webhooks (org_id, created_at, id);
