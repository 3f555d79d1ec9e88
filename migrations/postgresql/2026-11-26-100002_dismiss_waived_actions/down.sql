ALTER TABLE actions DROP COLUMN waived_at;
