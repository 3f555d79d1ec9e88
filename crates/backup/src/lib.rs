//! Backups of the database in an object store: made, encrypted, verified, listed, read, and deleted when superseded.
//!
//! [`Maker::make`] makes one: a consistent copy of the database goes through encryption into the store, is read back
//! from there, decrypted and restored into a temporary database. Only then its checksum is written beside it, which
//! makes it a good backup ([`list`]). All data is streamed in bounded memory; an SQLite database also needs twice its
//! size of disk space in the work folder.
//!
//! The format of encrypted backups is that of `age` (<https://age-encryption.org/v1>), that of a checksum is the one of
//! `sha256sum`. Both can be read without Assay. The crate does not decide when a backup is due (`domain::backup` does),
//! and keeps no state.

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
