-- The mode of the run, so that a process without a browser can leave runs to others. Empty for other kinds of jobs, and for runs
-- of an earlier version, which any process takes.
ALTER TABLE jobs ADD COLUMN mode TEXT NOT NULL DEFAULT '';

UPDATE jobs
SET mode = coalesce((SELECT json_extract(runs.options, '$.mode') FROM runs WHERE runs.id = jobs.subject_id), '')
WHERE jobs.kind = 'run';
