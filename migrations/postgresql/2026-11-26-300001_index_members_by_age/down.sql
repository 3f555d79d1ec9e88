DROP INDEX members_age;
