DROP TABLE org_storage;
ALTER TABLE runs DROP COLUMN stored_bytes;
