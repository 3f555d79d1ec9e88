//! Backups of the database in an object store: made, encrypted, verified, listed, read, and deleted when superseded.
//!
//! [`Maker::make`] makes a backup: it writes an encrypted, consistent copy of the database to the store, reads it back,
//! decrypts it, and restores it into a temporary database. Only then it writes the checksum beside the backup. A backup
//! with a checksum is good ([`list`]). All data is streamed in bounded memory. An SQLite database also needs disk space
//! of twice its size in the work folder.
//!
//! Encrypted backups have the format of `age` (<https://age-encryption.org/v1>), checksums that of `sha256sum`. Both can
//! be read without Assay. The crate does not decide when a backup is due (`domain::backup` does), and keeps no state.

mod checksum;
mod digest;
mod encryption;
mod failure;
mod list;
mod make;
mod postgres;
mod read;
mod sqlite;

pub use encryption::{Identities, InvalidKey, Recipients, new_identity};
pub use failure::BackupFailure;
pub use list::{delete_superseded, list, newest_good};
pub use make::{Made, Maker, Source};
pub use postgres::PostgresTools;
pub use read::{BackupFile, FileKind, ReadBackup};
