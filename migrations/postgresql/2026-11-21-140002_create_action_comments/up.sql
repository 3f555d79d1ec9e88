-- What is said about an item. The author's name is that at the time; the service itself has no id.
CREATE TABLE action_comments (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    action_id TEXT NOT NULL,
    body TEXT NOT NULL,
    author_kind TEXT NOT NULL CHECK (author_kind IN ('key', 'member', 'system')),
    author_id TEXT,
    author_name TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    FOREIGN KEY (org_id, action_id) REFERENCES actions (org_id, id) ON DELETE CASCADE,
    CHECK ((author_kind = 'system') = (author_id IS NULL))
);

CREATE INDEX action_comments_age ON action_comments (org_id, action_id, created_at, id);
