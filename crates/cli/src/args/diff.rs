//! `assay diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use domain::Severity;

/// How a comparison is written.
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
    after_help = "Causes of issues are told apart by their fingerprint, which stays the same from audit \
to audit.\n\nExit status: 0 done, 1 there are new causes (--fail-on-new), 2 wrong usage, or a file that \
is no report, or reports on different sites.\n\nExamples:\n  assay audit https://example.com --save \
before.json\n  assay audit https://example.com --save after.json\n  assay diff before.json \
after.json\n  assay diff before.json after.json --format markdown >> comment.md\n  assay diff \
before.json after.json --fail-on-new serious"
)]
pub struct DiffArgs {
    /// The older report, as `assay audit --save` or the HTTP API wrote it.
    #[arg(value_name = "BEFORE")]
    pub before: PathBuf,

    /// The newer report.
    #[arg(value_name = "AFTER")]
    pub after: PathBuf,

    /// Print JSON, in the shape of the HTTP API.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Write the comparison as F.
    #[arg(long, value_name = "F", value_enum)]
    pub format: Option<DiffFormat>,

    /// List causes that both have as well.
    #[arg(long)]
    pub all: bool,

    /// Exit with 1 when an issue of this severity or a worse one has a new cause [default where none
    /// is named: minor].
    #[arg(long, value_name = "SEVERITY", num_args = 0..=1, default_missing_value = "minor")]
    pub fail_on_new: Option<Severity>,
}

impl DiffArgs {
    /// How the comparison is written.
    #[must_use]
    pub fn format(&self) -> DiffFormat {
        if self.json {
            DiffFormat::Json
        } else {
            self.format.unwrap_or_default()
        }
    }
}
