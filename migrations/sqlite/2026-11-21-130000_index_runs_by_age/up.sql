CREATE INDEX runs_age ON runs (org_id, created_at, id);
