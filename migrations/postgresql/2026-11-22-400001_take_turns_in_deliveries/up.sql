-- What a webhook waits for, the longest due first, so that one webhook after the other can be asked.
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_attempt_at, id);
