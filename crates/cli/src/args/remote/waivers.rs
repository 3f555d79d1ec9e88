//! `assay waivers`.

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};

use super::{RemoteArgs, ServerArgs};
use crate::times::parse_time;

/// `assay waivers`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  assay waivers example.com\n  assay waivers add example.com csp-missing --reason \
'Static pages'"
)]
pub struct WaiversArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<WaiversCommand>,

    /// The site whose waivers are listed: its id or host.
    #[arg(required = true)]
    pub site: Option<String>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay waivers …`.
#[derive(Debug, Subcommand)]
pub enum WaiversCommand {
    /// List the waivers of a site, also those that have expired.
    #[command(after_help = "Example:\n  assay waivers list example.com")]
    List {
        /// The site's id or host.
        site: String,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Accept findings of a check. They stay in the report but cost no points.
    Add(AddWaiverArgs),
    /// Delete a waiver. What it accepted counts again from the next run on.
    #[command(after_help = "Example:\n  assay waivers remove example.com wvr_01J…")]
    Remove {
        /// The site's id or host.
        site: String,
        /// The waiver's id or its last characters.
        #[arg(value_name = "WAIVER_ID")]
        waiver: String,
        /// The service.
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// `assay waivers add`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay waivers add example.com csp-missing --reason 'Static pages without scripts'\n  \
assay waivers add example.com image-alt --path '/archive/*' --reason 'The archive is frozen' --expires 2027-01-31"
)]
pub struct AddWaiverArgs {
    /// The site's id or host.
    pub site: String,

    /// The check whose findings are accepted.
    #[arg(value_name = "CHECK_ID")]
    pub check: String,

    /// Why they are accepted.
    #[arg(long, value_name = "TEXT")]
    pub reason: String,

    /// Accept only findings at URLs whose path and query match PATTERN. As in robots.txt, `*` matches any
    /// characters and a final `$` matches the end.
    #[arg(long, value_name = "PATTERN")]
    pub path: Option<String>,

    /// Accept only findings with this cause: its fingerprint, as shown by `reports causes`.
    #[arg(long, value_name = "FINGERPRINT")]
    pub cause: Option<String>,

    /// The date or time (UTC) at which the waiver expires, for example 2027-01-31 [default: never].
    #[arg(long, value_name = "T", value_parser = expiry)]
    pub expires: Option<DateTime<Utc>>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

fn expiry(text: &str) -> Result<DateTime<Utc>, String> {
    parse_time(text).ok_or_else(|| {
        "expected a date or a time, for example 2027-01-31 or 2027-01-31T12:00:00Z".to_owned()
    })
}
