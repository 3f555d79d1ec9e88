DROP TABLE actions;
DROP INDEX members_org;
