CREATE TABLE sites (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    host TEXT NOT NULL,
    url TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL
);

CREATE UNIQUE INDEX sites_host ON sites (org_id, host);
-- What points at a site names its organization too, and so never one of another.
CREATE UNIQUE INDEX sites_org ON sites (org_id, id);
