ALTER TABLE occurrences DROP COLUMN artifact;
DROP TABLE artifacts;
