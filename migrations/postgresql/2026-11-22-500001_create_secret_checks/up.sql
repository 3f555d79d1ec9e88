-- A known text, encrypted with the secret key of the processes on this database: one that cannot open it has
-- another key. One row at most; none in SQLite, which one process alone serves.
CREATE TABLE secret_checks (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    sealed TEXT NOT NULL
);
