-- The overview shows the sites of an organization in this order, a page at a time.
CREATE INDEX sites_age ON sites (org_id, created_at, id);
