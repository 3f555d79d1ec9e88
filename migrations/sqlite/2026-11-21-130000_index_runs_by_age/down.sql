DROP INDEX runs_age;
