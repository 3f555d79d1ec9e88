DROP TABLE one_time_links;
DROP TABLE sessions;
DROP INDEX members_account;
ALTER TABLE members DROP COLUMN account_id;
DROP TABLE accounts;
