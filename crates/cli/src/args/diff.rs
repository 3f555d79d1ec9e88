//! `assay diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use domain::Severity;

/// The output format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum DiffFormat {
    /// For people, on a terminal.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For pull requests and mail.
    Markdown,
}

/// `assay diff`.
#[derive(Debug, Args)]
#[command(
    after_help = "Causes of issues are compared by fingerprint, which is stable across \
audits.\n\nExit status: 0 done, 1 there are new causes (--fail-on-new), 2 wrong usage, a file that is \
not a report, or reports of different sites.\n\nExamples:\n  assay audit https://example.com --save \
before.json\n  assay audit https://example.com --save after.json\n  assay diff before.json \
after.json\n  assay diff before.json after.json --format markdown >> comment.md\n  assay diff \
before.json after.json --fail-on-new serious"
)]
pub struct DiffArgs {
    /// The older report, written by `assay audit --save` or returned by the HTTP API.
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,

    /// The newer report.
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,

    /// Print JSON, in the format of the HTTP API.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Write the comparison in format F.
    #[arg(long, value_name = "F", value_enum)]
    pub format: Option<DiffFormat>,

    /// Also list causes that are in both reports.
    #[arg(long)]
    pub all: bool,

    /// Exit with 1 if an issue of this severity or worse has a new cause [default without a value:
    /// minor].
    #[arg(long, value_name = "SEVERITY", num_args = 0..=1, default_missing_value = "minor")]
    pub fail_on_new: Option<Severity>,
}

impl DiffArgs {
    /// The output format of the comparison.
    #[must_use]
    pub fn format(&self) -> DiffFormat {
        if self.json {
            DiffFormat::Json
        } else {
            self.format.unwrap_or_default()
        }
    }
}
