ALTER TABLE runs DROP COLUMN reserved_pages;
ALTER TABLE usage_counters DROP COLUMN rendered_pages;
