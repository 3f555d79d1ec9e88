-- Answers of calls that are to happen once, for a day. The fingerprint is 64 hexadecimal digits.
CREATE TABLE idempotent_calls (
    org_id TEXT NOT NULL REFERENCES organizations (id),
    operation TEXT NOT NULL,
    call_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status BIGINT NOT NULL CHECK (status BETWEEN 200 AND 299),
    location TEXT,
    body TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    PRIMARY KEY (org_id, operation, call_key)
);

CREATE INDEX idempotent_calls_age ON idempotent_calls (org_id, created_at);
