-- The progress of a run in a browser: pages that it showed, pages that it measured (NULL before it begins to), and about how
-- many seconds it still takes (NULL if that is not known).
ALTER TABLE runs ADD COLUMN pages_rendered BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN pages_measured BIGINT;
ALTER TABLE runs ADD COLUMN seconds_left BIGINT;
