-- What organizations chose for themselves: days, 0 for ever; nothing where their plans decide.
CREATE TABLE org_retention (
    org_id TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    reports_days BIGINT CHECK (reports_days >= 0),
    audit_log_days BIGINT CHECK (audit_log_days >= 0)
);
