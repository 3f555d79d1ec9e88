//! The stores of Assay on SQLite and PostgreSQL: one code, two databases.
//!
//! [`Database`] implements every port of [`domain::ports`] that keeps something. Which database it
//! is, only [`DatabaseUrl`] and a few named functions know.
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
//! It judges nothing: caps, states and scores are rules of `domain`, which it asks. It takes no time
//! from the system and starts no work by itself.

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
pub use operate::backup::{Backup, BackupError, Restored, is_being_replaced};
pub use operate::health::{PROBE_INTERVAL, ProbeFailure};
pub use operate::inspect::PoolState;
pub use operate::invariants::{Expected, Violation};
pub use operate::secret_check::Forgotten;
