DROP INDEX actions_counted;
DROP INDEX actions_status;
DROP INDEX runs_status;
