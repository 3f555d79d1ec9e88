-- Pages that a browser showed for the runs started in the period, with those that runs under way have reserved.
ALTER TABLE usage_counters ADD COLUMN rendered_pages BIGINT NOT NULL DEFAULT 0;
-- What the run has reserved of them; NULL if nothing, and once it has ended.
ALTER TABLE runs ADD COLUMN reserved_pages BIGINT;
