//! The arguments of the commands for operating the service.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::retention::Keep;

use super::service::{DatabaseArgs, ListArgs};

/// `assay backup`.
#[derive(Debug, Args)]
#[command(
    after_help = "The backup is made while the service runs. It is verified before it gets its final name and never \
overwrites a file. Back up secret.key of the data folder too, but not in the same place.\n\nIf backup.to is configured \
and no FILE is given, this command makes a scheduled backup at once: it encrypts and verifies the backup in backup.to, \
and deletes old ones. Otherwise, for PostgreSQL, it makes no backup: it prints the pg_dump command to run.\n\nExamples:\n  assay \
backup\n  assay backup --data-dir /var/lib/assay /mnt/backup/assay.db\n  assay backup --stored\n  assay backup \
--new-identity backup-key.txt"
)]
pub struct BackupArgs {
    /// The backup file to create [default: a new backup in backup.to; if that is not configured, a new file in the
    /// folder `backups` of the data folder].
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// List the backups in backup.to, newest first, and show whether each was verified.
    #[arg(long, conflicts_with = "file")]
    pub stored: bool,

    /// Create FILE with a new secret key, and print its public key for backup.recipients.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "stored"])]
    pub new_identity: Option<PathBuf>,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay restore`.
#[derive(Debug, Args)]
#[command(
    after_help = "Stop the service first. The current database is kept in the same folder under another \
name.\n\nFor PostgreSQL, this command restores nothing: it prints the commands to run. \
With --output it writes the dump for pg_restore.\n\nExamples:\n  assay \
restore assay-20261122-023000Z.db\n  assay restore --replace --data-dir /var/lib/assay /mnt/backup/assay.db\n  assay \
restore --replace --identity backup-key.txt latest\n  assay restore --identity backup-key.txt --output assay.dump latest"
)]
pub struct RestoreArgs {
    /// The backup: a file, the name of a backup in backup.to, or `latest` for the newest good backup there.
    #[arg(value_name = "BACKUP")]
    pub file: PathBuf,

    /// The file with the secret key that decrypts the backup.
    #[arg(long, value_name = "FILE")]
    pub identity: Option<PathBuf>,

    /// Write the decrypted contents to FILE, which must not exist, and restore nothing: to check a backup, or for
    /// pg_restore.
    #[arg(long, value_name = "FILE", conflicts_with = "replace")]
    pub output: Option<PathBuf>,

    /// Replace an existing database.
    #[arg(long)]
    pub replace: bool,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay forget-secrets`.
#[derive(Debug, Args)]
#[command(
    after_help = "The database then accepts the key of the next process that starts. Sites lose their \
request headers, webhooks and second factors are deleted, and queued runs that have their own headers end \
as failed. People sign in with their passwords alone until they set up a second factor again.\n\nStop all \
processes on the database first.\n\nExamples:\n  assay forget-secrets --yes\n  assay forget-secrets --yes \
--database-url postgres://assay@db.example/assay"
)]
pub struct ForgetSecretsArgs {
    /// Confirm: this cannot be undone.
    #[arg(long)]
    pub yes: bool,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay config`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the effective configuration: defaults, file, environment and flags combined. Secrets are
    /// hidden.
    Show(ListArgs),
    /// Validate the configuration. Exit status: 0 valid, 2 invalid.
    Check(DatabaseArgs),
}

/// `assay orgs set-retention`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay orgs set-retention --org org_01J… --reports-days 90\n  assay orgs \
set-retention --org org_01J… --reports-days 0 --audit-log-days default"
)]
pub struct SetRetentionArgs {
    /// The organization's id, its last characters, or its name.
    #[arg(long, value_name = "ORG")]
    pub org: String,

    /// Retention of ended runs and their reports, in days: a number, 0 to keep them forever, or `default`
    /// for the retention of the plan and the configuration.
    #[arg(long, value_name = "DAYS", value_parser = days, required_unless_present = "audit_log_days")]
    pub reports_days: Option<Days>,

    /// Retention of the audit log, in days: a number, 0 or `default`.
    #[arg(long, value_name = "DAYS", value_parser = days)]
    pub audit_log_days: Option<Days>,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// A number of days, or the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Days {
    /// The retention of the plan and the configuration.
    Default,
    /// This retention.
    Keep(Keep),
}

impl Days {
    /// The chosen retention; `None` for the default.
    #[must_use]
    pub const fn choice(self) -> Option<Keep> {
        match self {
            Self::Default => None,
            Self::Keep(keep) => Some(keep),
        }
    }
}

fn days(text: &str) -> Result<Days, String> {
    if text == "default" {
        return Ok(Days::Default);
    }
    match text.parse() {
        Ok(days) if days <= domain::retention::MAX_DAYS => Ok(Days::Keep(Keep::days(days))),
        _ => Err(format!(
            "expected a number of days up to {}, 0 for no limit, or `default`",
            domain::retention::MAX_DAYS
        )),
    }
}
