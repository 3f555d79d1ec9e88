-- What processes write every few seconds to learn whether the database can be written. One row at most.
CREATE TABLE health_probes (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    writes BIGINT NOT NULL
);
