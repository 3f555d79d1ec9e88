-- Who changed what. Lines are only ever added.
CREATE TABLE audit_log (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    at TIMESTAMP NOT NULL,
    actor TEXT NOT NULL,
    event TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
);

CREATE INDEX audit_log_org ON audit_log (org_id, seq);

CREATE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END;
$$;

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();

CREATE TRIGGER audit_log_no_delete BEFORE DELETE OR TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();
