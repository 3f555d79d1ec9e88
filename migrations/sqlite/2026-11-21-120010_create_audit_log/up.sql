-- Who changed what. Lines are only ever added.
CREATE TABLE audit_log (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    at TIMESTAMP NOT NULL,
    actor TEXT NOT NULL,
    event TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
);

CREATE INDEX audit_log_org ON audit_log (org_id, seq);

CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
