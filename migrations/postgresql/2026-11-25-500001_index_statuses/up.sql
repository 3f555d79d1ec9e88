-- Runs under way are listed beside thousands of others, and action items by status.
CREATE INDEX runs_status ON runs (org_id, status, created_at, id);
CREATE INDEX actions_status ON actions (org_id, status, priority, created_at DESC, id);

-- Open critical items are counted without a look at the items themselves.
CREATE INDEX actions_counted ON actions (org_id, priority, status, site_id, dimension);
