-- The state of the backups of this database, and the lease of the process that makes one, in a single row.
CREATE TABLE backup_state (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    good_at TIMESTAMP,
    good_name TEXT,
    good_bytes BIGINT CHECK (good_bytes >= 0),
    good_verification TEXT CHECK (good_verification IN ('restored', 'read')),
    failed_at TIMESTAMP,
    failure TEXT,
    failures BIGINT NOT NULL CHECK (failures >= 0),
    lease_owner TEXT,
    lease_expires_at TIMESTAMP,
    CHECK ((good_at IS NULL) = (good_name IS NULL)),
    CHECK ((good_at IS NULL) = (good_bytes IS NULL)),
    CHECK ((good_at IS NULL) = (good_verification IS NULL)),
    CHECK ((failed_at IS NULL) = (failure IS NULL)),
    CHECK ((lease_owner IS NULL) = (lease_expires_at IS NULL))
);

INSERT INTO backup_state (id, failures) VALUES (1, 0);
