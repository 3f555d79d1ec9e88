CREATE INDEX schedules_due ON schedules (enabled, next_run_at, site_id);
