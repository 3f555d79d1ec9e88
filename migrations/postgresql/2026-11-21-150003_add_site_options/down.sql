ALTER TABLE sites DROP COLUMN sealed_headers;
ALTER TABLE sites DROP COLUMN options;
