DELETE FROM runs WHERE hidden;
DROP INDEX runs_hidden;
ALTER TABLE runs DROP COLUMN hidden;
