-- The audit log is read newest first, of one event or of one actor.
CREATE INDEX audit_log_event ON audit_log (org_id, event, seq);
CREATE INDEX audit_log_actor ON audit_log (org_id, actor, seq);
