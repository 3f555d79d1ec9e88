-- Of headers the options hold the names, and this column, encrypted, the values. A run that has ended
-- has them no more.
ALTER TABLE runs ADD COLUMN sealed_headers TEXT CHECK (
    sealed_headers IS NULL OR status IN ('queued', 'running')
);
