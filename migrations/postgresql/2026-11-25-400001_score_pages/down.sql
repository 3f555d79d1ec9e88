ALTER TABLE reports DROP COLUMN changes;
ALTER TABLE pages DROP COLUMN scores;
ALTER TABLE reports DROP COLUMN scoring_version;
