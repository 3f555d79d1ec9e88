ALTER TABLE runs DROP COLUMN seconds_left;
ALTER TABLE runs DROP COLUMN pages_measured;
ALTER TABLE runs DROP COLUMN pages_rendered;
