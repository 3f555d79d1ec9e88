-- Findings that the owner of a site accepts. The author's name is that at the time.
CREATE TABLE waivers (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    site_id TEXT NOT NULL,
    check_id TEXT NOT NULL,
    path TEXT,
    cause TEXT,
    reason TEXT NOT NULL,
    author_kind TEXT NOT NULL CHECK (author_kind IN ('key', 'member', 'system')),
    author_id TEXT,
    author_name TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP,
    FOREIGN KEY (org_id, site_id) REFERENCES sites (org_id, id) ON DELETE CASCADE,
    CHECK ((author_kind = 'system') = (author_id IS NULL))
);

CREATE INDEX waivers_age ON waivers (org_id, site_id, created_at, id);

-- The waivers of a report as they were when its run began, as JSON; NULL in reports before.
ALTER TABLE reports ADD COLUMN waivers TEXT;

-- How many occurrences of a cause waivers accept, and which waiver accepts an occurrence.
ALTER TABLE causes ADD COLUMN waived BIGINT NOT NULL DEFAULT 0;
ALTER TABLE occurrences ADD COLUMN waiver_id TEXT;
