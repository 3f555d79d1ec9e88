-- What the report, the issues, the occurrences and the pages of a run take, and the sum for each organization.
ALTER TABLE runs ADD COLUMN stored_bytes BIGINT NOT NULL DEFAULT 0;

CREATE TABLE org_storage (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    bytes BIGINT NOT NULL
);

-- An estimate for runs that are there: their texts are not read.
UPDATE runs SET stored_bytes = 2000 + 250 * pages_fetched + coalesce((
    SELECT sum(1000 + 300 * issues.occurrences_stored)
    FROM issues JOIN reports ON reports.id = issues.report_id
    WHERE reports.run_id = runs.id
), 0)
WHERE EXISTS (SELECT 1 FROM reports WHERE reports.run_id = runs.id);

INSERT INTO org_storage (org_id, bytes)
SELECT org_id, sum(stored_bytes) FROM runs GROUP BY org_id HAVING sum(stored_bytes) > 0;
