ALTER TABLE occurrences DROP COLUMN waiver_id;
ALTER TABLE causes DROP COLUMN waived;
ALTER TABLE reports DROP COLUMN waivers;
DROP TABLE waivers;
