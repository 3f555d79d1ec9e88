//! The arguments of every command.

mod operate;
mod service;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::Severity;
use domain::target::AllowTarget;

pub use operate::{BackupArgs, ConfigCommand, Days, RestoreArgs, SetRetentionArgs};
pub use service::{
    CreateKeyArgs, CreateOrgArgs, DatabaseArgs, KeysCommand, ListArgs, MembersCommand, OrgsCommand,
    PlansCommand, ServeArgs,
};

/// Audits websites in six dimensions and says what to do.
#[derive(Debug, Parser)]
#[command(
    name = "assay",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service: the HTTP API and the workers that audit.
    Serve(Box<ServeArgs>),
    /// Audit a site from here, without a server.
    Audit(Box<AuditArgs>),
    /// List the checks, or explain one.
    Checks(ChecksArgs),
    /// Create and list organizations.
    #[command(subcommand)]
    Orgs(OrgsCommand),
    /// Create, list and revoke API keys.
    #[command(subcommand)]
    Keys(KeysCommand),
    /// List plans, and put an organization on one.
    #[command(subcommand)]
    Plans(PlansCommand),
    /// Add, list and remove the people of an organization.
    #[command(subcommand)]
    Members(MembersCommand),
    /// Copy the database while the service runs.
    Backup(BackupArgs),
    /// Put a copy in the place of the database.
    Restore(RestoreArgs),
    /// Look whether everything is there that the service needs, and say what to do where it is not.
    #[command(
        after_help = "Exit status: 0 no problem (there may be warnings), 1 problems were found."
    )]
    Doctor(ListArgs),
    /// Show or check the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
}

/// Where the configuration comes from.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigArgs {
    /// Read the configuration from FILE [default: ./assay.toml, if it is there].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, 80 columns.
    Text,
    /// The report as the HTTP API answers it.
    Json,
}

/// `assay audit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done, 1 a gate failed (--fail-under, --fail-on), 2 wrong \
usage, 3 the site could not be audited.\n\nExamples:\n  assay audit https://example.com\n  assay \
audit https://example.com --max-pages 50 --json > report.json\n  assay audit \
http://127.0.0.1:8000/ --allow-target 127.0.0.1:8000\n  assay audit https://example.com \
--fail-under 80 --fail-on critical"
)]
pub struct AuditArgs {
    /// The page to begin at: an absolute http or https URL.
    pub url: String,

    /// Print the report as JSON, in the shape of the HTTP API.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Write the report as F.
    #[arg(long, value_name = "F", value_enum)]
    pub format: Option<Format>,

    /// Write the report to FILE instead of the standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Show every issue, not only the worst of each check.
    #[arg(long)]
    pub all: bool,

    /// Audit at most N pages [default: 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_pages: Option<u32>,

    /// Follow at most N clicks from the start page.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,

    /// Run this check alone; repeat for several. No score is given then, in JSON neither.
    #[arg(long = "check", value_name = "ID", conflicts_with_all = ["fail_under"])]
    pub checks: Vec<String>,

    /// Do not request links and resources on other sites.
    #[arg(long)]
    pub no_external: bool,

    /// Keep at most N requests to the site under way [default: 8; 32 for allowed targets].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub concurrency: Option<u16>,

    /// Send at most N requests a second [default: 20; no limit for allowed targets].
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub max_rate: Option<f64>,

    /// Do not obey robots.txt. For sites that are your own.
    #[arg(long)]
    pub ignore_robots: bool,

    /// Allow a loopback or private target: an address, a network, a host name, or HOST:PORT.
    /// Repeat for several.
    #[arg(long = "allow-target", value_name = "T")]
    pub allow_targets: Vec<AllowTarget>,

    /// Exit with 1 when the overall score is below N.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub fail_under: Option<u8>,

    /// Exit with 1 when an issue of this severity or a worse one was found: critical, serious,
    /// moderate, minor or info.
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<Severity>,

    /// Where the configuration comes from.
    #[command(flatten)]
    pub config: ConfigArgs,
}

impl AuditArgs {
    /// How the report is written.
    #[must_use]
    pub fn format(&self) -> Format {
        if self.json {
            Format::Json
        } else {
            self.format.unwrap_or(Format::Text)
        }
    }
}

/// `assay checks`.
#[derive(Debug, Args)]
pub struct ChecksArgs {
    /// The check to explain.
    pub id: Option<String>,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate.is_finite() && rate > 0.0 => Ok(rate),
        _ => Err("a number above 0 is needed, for example 20 or 0.5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }

    fn refused(arguments: &[&str]) -> String {
        let all = ["assay", "audit"].iter().chain(arguments);
        Cli::try_parse_from(all).unwrap_err().to_string()
    }

    #[test]
    fn numbers_out_of_range_are_refused_and_the_range_is_named() {
        assert!(refused(&["https://e.com", "--max-pages", "0"]).contains("1..=100000"));
        assert!(refused(&["https://e.com", "--fail-under", "101"]).contains("0..=100"));
        assert!(refused(&["https://e.com", "--max-rate", "0"]).contains("above 0"));
    }

    #[test]
    fn an_unknown_severity_lists_the_known_ones() {
        assert!(refused(&["https://e.com", "--fail-on", "bad"]).contains("critical, serious"));
    }

    #[test]
    fn a_gate_on_the_score_and_single_checks_exclude_each_other() {
        refused(&[
            "https://e.com",
            "--check",
            "image-alt",
            "--fail-under",
            "90",
        ]);
    }
}
