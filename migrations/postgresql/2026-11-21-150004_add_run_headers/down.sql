ALTER TABLE runs DROP COLUMN sealed_headers;
