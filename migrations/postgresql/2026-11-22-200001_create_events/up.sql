-- What happened, stored with the change that it tells of.
CREATE TABLE events (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    kind TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL
);

-- What points at an event names its organization too, and so never one of another.
CREATE UNIQUE INDEX events_org ON events (org_id, id);
CREATE INDEX events_listed ON events (org_id, created_at, id);
CREATE INDEX events_age ON events (created_at, id);
