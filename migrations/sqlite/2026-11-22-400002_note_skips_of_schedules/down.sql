ALTER TABLE schedules DROP COLUMN told_skip;
