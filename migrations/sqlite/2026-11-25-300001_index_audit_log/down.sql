DROP INDEX audit_log_actor;
DROP INDEX audit_log_event;
