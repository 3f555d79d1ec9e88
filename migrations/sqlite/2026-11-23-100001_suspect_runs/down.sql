ALTER TABLE jobs DROP COLUMN interruptions;
ALTER TABLE jobs DROP COLUMN crashes;
ALTER TABLE jobs DROP COLUMN suspect;
