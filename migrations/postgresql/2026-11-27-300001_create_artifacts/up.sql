-- Pictures of pages that a run took. Their bytes are objects outside of the database, named by the primary key. The record of a
-- picture is written before its object and removed after it, so it refers to no run: it outlives a run that is removed.
-- A picture is readable once the run's attempt has written all of them; its object is deleted at delete_at.
CREATE TABLE artifacts (
    run_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    number BIGINT NOT NULL,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    kind TEXT NOT NULL CHECK (kind IN ('viewport', 'without_scripts', 'element')),
    url TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    sha256 TEXT NOT NULL,
    size_bytes BIGINT NOT NULL,
    readable BOOLEAN NOT NULL,
    delete_at TIMESTAMP NOT NULL,
    PRIMARY KEY (run_id, epoch, number)
);

CREATE INDEX artifacts_due ON artifacts (org_id, delete_at);

-- The number of the picture of an occurrence, if it has one.
ALTER TABLE occurrences ADD COLUMN artifact BIGINT;
