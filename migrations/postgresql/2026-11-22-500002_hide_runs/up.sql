-- A run that is being removed: nobody sees it any more, while what there is much of goes piece by piece.
ALTER TABLE runs ADD COLUMN hidden BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX runs_hidden ON runs (org_id) WHERE hidden;
