CREATE TABLE schedules (
    site_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    frequency TEXT CHECK (frequency IN ('daily', 'weekly', 'monthly', 'custom')),
    cron TEXT,
    timezone TEXT,
    next_run_at TIMESTAMP,
    last_run_at TIMESTAMP,
    -- Not together with org_id, which must stay when the run goes.
    last_run_id TEXT REFERENCES runs (id) ON DELETE SET NULL,
    FOREIGN KEY (org_id, site_id) REFERENCES sites (org_id, id) ON DELETE CASCADE,
    CHECK ((frequency = 'custom') = (cron IS NOT NULL))
);

CREATE INDEX schedules_last_run ON schedules (last_run_id);
