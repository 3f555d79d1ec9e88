//! Database stores for SQLite and PostgreSQL: one implementation for both databases.
//!
//! [`Database`] implements every storage port of [`domain::ports`]. Only [`DatabaseUrl`] and a few named
//! functions know which database is in use.
//!
//! ```
//! use domain::ports::OrgStore;
//! use storage::{Database, DatabaseOptions, DatabaseUrl};
//!
//! # let folder = std::env::temp_dir().join(format!("assay-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let url: DatabaseUrl = format!("sqlite:{}", folder.join("assay.db").display()).parse()?;
//! let database = Database::connect(&url, &DatabaseOptions::default())?;
//! database.migrate()?;
//! assert!(!database.has_organizations()?);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate contains no business rules: plan limits, state transitions and scores are rules of `domain`. It
//! does not read the system time for them and starts no background work.

mod database;
mod operate;
mod queue;
mod retention;
mod stores;

pub use database::error::{Error, FileChange};
#[cfg(feature = "failpoints")]
pub use database::failpoint::arm_failpoint;
pub use database::migrations::SchemaState;
pub use database::secret::SecretKey;
pub use database::url::{DatabaseUrl, InvalidDatabaseUrl};
pub use database::wake::WakeUps;
pub use database::{Database, DatabaseOptions};
pub use operate::backup::{
    Backup, BackupContents, BackupError, Restored, inspect_backup, is_being_replaced,
};
pub use operate::health::{PROBE_INTERVAL, ProbeFailure};
pub use operate::inspect::PoolState;
pub use operate::invariants::{Expected, Violation};
pub use operate::secret_check::Forgotten;
pub use operate::temporary::{ConnectionString, TemporaryDatabase};
