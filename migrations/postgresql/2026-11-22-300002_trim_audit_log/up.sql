-- Until when the audit log of an organization was removed because it is kept no longer. A line that is
-- not older than that can still not be removed.
CREATE TABLE audit_log_trims (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    trimmed_before TIMESTAMP NOT NULL
);

CREATE FUNCTION refuse_audit_log_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM audit_log_trims
        WHERE audit_log_trims.org_id = OLD.org_id AND OLD.at < audit_log_trims.trimmed_before
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END;
$$;

DROP TRIGGER audit_log_no_delete ON audit_log;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
FOR EACH ROW EXECUTE FUNCTION refuse_audit_log_removal();

CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();
