-- The distinct URLs that the pages of a run link to, at most 5,000 of a run, so a list of one kind needs no index of
-- its own. first_pages are positions of pages, as a JSON list.
CREATE TABLE link_targets (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL,
    url TEXT NOT NULL,
    internal BOOLEAN NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('ok', 'broken', 'unverified', 'not_requested')),
    status BIGINT,
    reason TEXT,
    redirects BOOLEAN NOT NULL,
    leads_to TEXT,
    linking_pages BIGINT NOT NULL,
    first_pages TEXT NOT NULL,
    PRIMARY KEY (run_id, epoch, position)
) WITHOUT ROWID;

-- The redirect chains of a run: hops is a JSON list of a URL and its status each.
CREATE TABLE redirect_chains (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL,
    hops TEXT NOT NULL,
    is_loop BOOLEAN NOT NULL,
    linking_pages BIGINT NOT NULL,
    PRIMARY KEY (run_id, epoch, position)
) WITHOUT ROWID;

-- The folders of the site of a run, at most 500, in the order of a tree.
CREATE TABLE folders (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL,
    url TEXT NOT NULL,
    level BIGINT NOT NULL,
    pages BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    issues BIGINT NOT NULL,
    issues_legacy BIGINT NOT NULL,
    PRIMARY KEY (run_id, epoch, position)
) WITHOUT ROWID;

-- How many link targets and redirect chains the run found and how many are stored, as JSON; NULL in reports before.
ALTER TABLE reports ADD COLUMN links TEXT;
