-- Why the last run of the schedule was skipped, where that was told and no run was started since: it is told once.
ALTER TABLE schedules ADD COLUMN told_skip TEXT;
