-- The runs of an organization in a calendar month, less those that failed through a fault of ours.
CREATE TABLE usage_counters (
    org_id TEXT NOT NULL REFERENCES organizations (id),
    period TEXT NOT NULL,
    runs BIGINT NOT NULL CHECK (runs >= 0),
    PRIMARY KEY (org_id, period)
);
