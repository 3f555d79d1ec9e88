-- Until when the audit log of an organization was removed because it is kept no longer. A line that is
-- not older than that can still not be removed.
CREATE TABLE audit_log_trims (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    trimmed_before TIMESTAMP NOT NULL
);

DROP TRIGGER audit_log_no_delete;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
WHEN NOT EXISTS (
    SELECT 1 FROM audit_log_trims
    WHERE audit_log_trims.org_id = OLD.org_id AND OLD.at < audit_log_trims.trimmed_before
)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
