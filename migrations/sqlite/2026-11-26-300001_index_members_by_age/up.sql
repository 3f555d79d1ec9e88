-- The first members of an organization, oldest first.
CREATE INDEX members_age ON members (org_id, created_at, id);
