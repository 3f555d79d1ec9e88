//! The stores of Assay on SQLite and PostgreSQL.
