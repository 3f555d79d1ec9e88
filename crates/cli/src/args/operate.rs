//! The arguments of the commands that keep the service well.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::retention::Keep;

use super::service::{DatabaseArgs, ListArgs};

/// `assay backup`.
#[derive(Debug, Args)]
#[command(
    after_help = "The copy is made while the service runs, is found whole before it gets its name, and \
never overwrites a file. Keep secret.key of the data folder as well, but not beside it.\n\nA PostgreSQL \
database is backed up with pg_dump; the command is printed.\n\nExamples:\n  assay backup\n  assay backup \
--data-dir /var/lib/assay /mnt/backup/assay.db"
)]
pub struct BackupArgs {
    /// The file to make [default: a new one in the folder `backups` of the data folder].
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay restore`.
#[derive(Debug, Args)]
#[command(
    after_help = "Stop the service first. What the database holds now is kept beside it, under another \
name.\n\nExamples:\n  assay restore assay-20261122-023000Z.db\n  assay restore --replace --data-dir \
/var/lib/assay /mnt/backup/assay.db"
)]
pub struct RestoreArgs {
    /// The backup.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Put it in the place of a database that is there.
    #[arg(long)]
    pub replace: bool,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay forget-secrets`.
#[derive(Debug, Args)]
#[command(
    after_help = "The database then takes the key of the process that is started next. Sites lose their \
request headers, webhooks are removed, and runs that wait with headers of their own end as \
failed.\n\nStop all processes on the database first.\n\nExamples:\n  assay forget-secrets --yes\n  \
assay forget-secrets --yes --database-url postgres://assay@db.example/assay"
)]
pub struct ForgetSecretsArgs {
    /// Do it: it cannot be undone.
    #[arg(long)]
    pub yes: bool,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay config`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print the configuration as it holds: defaults, file, environment and flags together. Secrets are
    /// hidden.
    Show(ListArgs),
    /// Say whether the configuration can be used. Exit status: 0 it can, 2 it cannot.
    Check(DatabaseArgs),
}

/// `assay orgs set-retention`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay orgs set-retention --org org_01J… --reports-days 90\n  assay orgs \
set-retention --org org_01J… --reports-days 0 --audit-log-days default"
)]
pub struct SetRetentionArgs {
    /// The organization's id.
    #[arg(long, value_name = "ORG")]
    pub org: String,

    /// Keep runs that have ended, with their reports, for so many days: a number, 0 for ever, or
    /// `default` for what plan and configuration say.
    #[arg(long, value_name = "DAYS", value_parser = days, required_unless_present = "audit_log_days")]
    pub reports_days: Option<Days>,

    /// Keep the audit log for so many days.
    #[arg(long, value_name = "DAYS", value_parser = days)]
    pub audit_log_days: Option<Days>,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// A number of days, or what is usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Days {
    /// What plan and configuration say.
    Default,
    /// This long.
    Keep(Keep),
}

impl Days {
    /// The choice; none for what is usual.
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
            "a number of days up to {}, 0 for ever, or `default` is needed",
            domain::retention::MAX_DAYS
        )),
    }
}
