-- Second factors of accounts (TOTP, RFC 6238). The secret of the authenticator app is encrypted with the secret key of the
-- installation. `enabled_at` is null until the person has entered a first code. Codes of `last_step` (seconds since 1970
-- divided by 30) and of earlier steps are refused.
CREATE TABLE second_factors (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    sealed_secret TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    enabled_at TIMESTAMP
);

-- SHA-256 of the unused recovery codes. A code is deleted when it is used.
CREATE TABLE recovery_codes (
    account_id TEXT NOT NULL REFERENCES second_factors (account_id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (account_id, code_hash)
);

-- Sign-ins with a correct password that wait for a code. Only the SHA-256 of the token is stored. Backups do not contain
-- these rows.
CREATE TABLE pending_sign_ins (
    token_hash TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    created_at TIMESTAMP NOT NULL
);

CREATE INDEX pending_sign_ins_account ON pending_sign_ins (account_id, created_at);
CREATE INDEX pending_sign_ins_created ON pending_sign_ins (created_at);

ALTER TABLE organizations ADD COLUMN requires_second_factor BOOLEAN NOT NULL DEFAULT false;
