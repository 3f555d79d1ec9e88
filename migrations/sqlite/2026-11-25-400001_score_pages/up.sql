-- The version of the scoring model that computed the scores of a report; 1 for all before.
ALTER TABLE reports ADD COLUMN scoring_version BIGINT NOT NULL DEFAULT 1;

-- The page's scores by dimension, as a JSON list in billionths; NULL for pages of reports before.
ALTER TABLE pages ADD COLUMN scores TEXT;

-- What changed since the site's report before, as JSON; NULL on the first, and in reports before.
ALTER TABLE reports ADD COLUMN changes TEXT;
