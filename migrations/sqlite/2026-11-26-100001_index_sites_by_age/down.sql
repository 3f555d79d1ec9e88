DROP INDEX sites_age;
