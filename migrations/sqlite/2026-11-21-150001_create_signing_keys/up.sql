-- What links are signed with. The secret is 64 hexadecimal digits.
CREATE TABLE signing_keys (
    id TEXT NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL CHECK (length(secret) = 64),
    created_at TIMESTAMP NOT NULL
);
