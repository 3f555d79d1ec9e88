CREATE TABLE schedules (
    site_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    frequency TEXT CHECK (frequency IN ('daily', 'weekly', 'monthly', 'custom')),
    cron TEXT,
    timezone TEXT,
    next_run_at TIMESTAMP,
    last_run_at TIMESTAMP,
    last_run_id TEXT,
    FOREIGN KEY (org_id, site_id) REFERENCES sites (org_id, id) ON DELETE CASCADE,
    FOREIGN KEY (org_id, last_run_id) REFERENCES runs (org_id, id),
    CHECK ((frequency = 'custom') = (cron IS NOT NULL))
);
