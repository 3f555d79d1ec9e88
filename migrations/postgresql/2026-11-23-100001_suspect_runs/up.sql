-- Runs that were under way when a process died are suspects: each is tried again alone. Crashes that are
-- proven are charged to the run; interruptions prove nothing and are only counted.
ALTER TABLE jobs ADD COLUMN suspect BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE jobs ADD COLUMN crashes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN interruptions BIGINT NOT NULL DEFAULT 0;
-- A claim used to count as an attempt before it failed.
UPDATE jobs SET attempts = 0 WHERE kind = 'run';
