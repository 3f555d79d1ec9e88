-- What points at a member names its organization too, and so never one of another.
CREATE UNIQUE INDEX members_org ON members (org_id, id);

-- What is to be done. An item with a check was made by an audit, and keeps where the check failed last:
-- the addresses of the pages as keys of 32 hexadecimal digits, one behind the other. Its report may be
-- removed before it. Priorities are ranks, 0 for the first.
CREATE TABLE actions (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL REFERENCES organizations (id),
    site_id TEXT,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'in_progress', 'done', 'dismissed')),
    priority BIGINT NOT NULL CHECK (priority BETWEEN 0 AND 3),
    assignee_id TEXT,
    due_date TEXT,
    comment_count BIGINT NOT NULL CHECK (comment_count >= 0),
    created_at TIMESTAMP NOT NULL,
    updated_at TIMESTAMP NOT NULL,
    resolved_at TIMESTAMP,
    verified_at TIMESTAMP,
    check_id TEXT,
    dimension TEXT CHECK (
        dimension IN ('performance', 'accessibility', 'seo', 'security', 'content', 'aiReadiness')
    ),
    severity TEXT CHECK (severity IN ('critical', 'serious', 'moderate', 'minor', 'info')),
    report_id TEXT,
    affected_pages BIGINT CHECK (affected_pages >= 0),
    found_subject TEXT CHECK (found_subject IN ('page', 'resource', 'origin', 'site')),
    found_sight TEXT CHECK (found_sight IN ('static', 'rendered_mobile', 'rendered_desktop')),
    found_at TIMESTAMP,
    found_on_all BOOLEAN,
    found_on TEXT,
    FOREIGN KEY (org_id, site_id) REFERENCES sites (org_id, id) ON DELETE CASCADE,
    -- Without an action: org_id must stay when the member goes, so whoever removes the member clears
    -- the items first.
    FOREIGN KEY (org_id, assignee_id) REFERENCES members (org_id, id),
    CHECK ((status IN ('done', 'dismissed')) = (resolved_at IS NOT NULL)),
    CHECK (verified_at IS NULL OR status = 'done'),
    CHECK (check_id IS NULL OR site_id IS NOT NULL),
    CHECK ((check_id IS NULL) = (dimension IS NULL)),
    CHECK ((check_id IS NULL) = (severity IS NULL)),
    CHECK ((check_id IS NULL) = (report_id IS NULL)),
    CHECK ((check_id IS NULL) = (affected_pages IS NULL)),
    CHECK ((check_id IS NULL) = (found_subject IS NULL)),
    CHECK ((check_id IS NULL) = (found_sight IS NULL)),
    CHECK ((check_id IS NULL) = (found_at IS NULL)),
    CHECK ((check_id IS NULL) = (found_on_all IS NULL)),
    CHECK ((check_id IS NULL) = (found_on IS NULL))
);

CREATE UNIQUE INDEX actions_org ON actions (org_id, id);
-- One for each site and check; those that people made have no check, and there may be many.
CREATE UNIQUE INDEX actions_check ON actions (org_id, site_id, check_id);
CREATE INDEX actions_order ON actions (org_id, priority, created_at DESC, id);
CREATE INDEX actions_site ON actions (org_id, site_id, priority, created_at DESC, id);
CREATE INDEX actions_assignee ON actions (org_id, assignee_id, priority, created_at DESC, id);
