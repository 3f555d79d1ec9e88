-- What else a run knows about a page; NULL in reports before.
ALTER TABLE pages ADD COLUMN description TEXT;
ALTER TABLE pages ADD COLUMN h1 TEXT;
ALTER TABLE pages ADD COLUMN canonical TEXT;
ALTER TABLE pages ADD COLUMN indexable BOOLEAN;
ALTER TABLE pages ADD COLUMN language TEXT;
ALTER TABLE pages ADD COLUMN words BIGINT;
ALTER TABLE pages ADD COLUMN transfer_bytes BIGINT;
ALTER TABLE pages ADD COLUMN response_ms BIGINT;
ALTER TABLE pages ADD COLUMN links_in BIGINT;
ALTER TABLE pages ADD COLUMN links_out BIGINT;

-- The pages of a run in sorted order, in parts: their positions as a JSON list. A report never changes, so an order is
-- computed once; a part takes far less than the entries of an index. Runs before have none.
CREATE TABLE page_orders (
    run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    epoch BIGINT NOT NULL,
    sort TEXT NOT NULL,
    part BIGINT NOT NULL,
    known BIGINT NOT NULL,
    positions TEXT NOT NULL,
    PRIMARY KEY (run_id, epoch, sort, part)
) WITHOUT ROWID;
