-- People who can sign in. The password is stored as an argon2id hash (PHC string).
CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    password_changed_at TIMESTAMP NOT NULL
);

CREATE UNIQUE INDEX accounts_email ON accounts (email);

-- The account of a member; none until the member takes up an invitation.
ALTER TABLE members ADD COLUMN account_id TEXT REFERENCES accounts (id);

CREATE UNIQUE INDEX members_account ON members (account_id, org_id);

-- Of a session's token only the SHA-256 is stored. Backups do not contain sessions.
CREATE TABLE sessions (
    token_hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    created_at TIMESTAMP NOT NULL,
    password_entered_at TIMESTAMP NOT NULL,
    last_seen_at TIMESTAMP NOT NULL,
    user_agent TEXT NOT NULL,
    address TEXT NOT NULL
);

CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_account ON sessions (account_id, last_seen_at);
CREATE INDEX sessions_created ON sessions (created_at);
CREATE INDEX sessions_seen ON sessions (last_seen_at);

-- Setup links, invitations and password resets. A link that was used is deleted.
CREATE TABLE one_time_links (
    token_hash TEXT NOT NULL PRIMARY KEY,
    purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invitation', 'password_reset')),
    org_id TEXT NOT NULL REFERENCES organizations (id),
    member_id TEXT REFERENCES members (id) ON DELETE CASCADE,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    created_at TIMESTAMP NOT NULL,
    expires_at TIMESTAMP NOT NULL
);

CREATE INDEX one_time_links_org ON one_time_links (org_id, purpose, member_id);
CREATE INDEX one_time_links_member ON one_time_links (member_id);
CREATE INDEX one_time_links_account ON one_time_links (account_id);
CREATE INDEX one_time_links_expiry ON one_time_links (expires_at);
