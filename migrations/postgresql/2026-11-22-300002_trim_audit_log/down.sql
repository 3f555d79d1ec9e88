DROP TRIGGER audit_log_no_truncate ON audit_log;
DROP TRIGGER audit_log_no_delete ON audit_log;
DROP FUNCTION refuse_audit_log_removal();

CREATE TRIGGER audit_log_no_delete BEFORE DELETE OR TRUNCATE ON audit_log
FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change();

DROP TABLE audit_log_trims;
