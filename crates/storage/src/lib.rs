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

mod actions;
mod audit_log;
mod backup;
mod change_site;
mod connection;
mod database;
mod database_file;
mod error;
mod failpoint;
mod health;
mod hex;
mod housekeeping;
mod idempotency;
mod inspect;
mod invariants;
mod keys;
mod lease_clock;
mod members;
mod migrations;
mod options;
mod orgs;
mod outbox;
mod pool;
mod queue;
mod reports;
mod rows;
mod runs;
mod schedules;
mod schema;
mod secret;
mod secret_check;
mod signing_keys;
mod site_defaults;
mod sites;
mod start_run;
mod stored_bytes;
#[cfg(feature = "testing")]
mod testing;
mod url;
mod usage;
mod values;
mod wake;
mod webhooks;

pub use backup::{Backup, BackupError, Restored, is_being_replaced};
pub use database::{Database, DatabaseOptions};
pub use error::{Error, FileChange};
#[cfg(feature = "failpoints")]
pub use failpoint::arm_failpoint;
pub use health::{PROBE_INTERVAL, ProbeFailure};
pub use inspect::PoolState;
pub use invariants::{Expected, Violation};
pub use migrations::SchemaState;
pub use secret::SecretKey;
pub use secret_check::Forgotten;
pub use url::{DatabaseUrl, InvalidDatabaseUrl};
pub use wake::WakeUps;
