//! `assay start`.

use clap::{Args, ValueEnum};

use super::RemoteArgs;

/// `assay start`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without --wait the run's id is printed, and the run goes on by itself. With --wait \
progress is shown on the standard error and the report's scores at the end; Ctrl-C stops the waiting and not \
the run.\n\nExit status: 0 done, 1 a gate failed (--fail-under), 2 wrong usage, 3 the service refused, or the \
run did not complete.\n\nExamples:\n  assay start https://example.com\n  assay start https://example.com --wait\n  \
assay start https://example.com --wait --fail-under 80 --max-pages 200\n  assay start https://example.com \
--exclude '/blog/*' --json"
)]
pub struct StartArgs {
    /// The page to begin at: an absolute http or https URL.
    pub url: String,

    /// Wait for the end of the run.
    #[arg(long)]
    pub wait: bool,

    /// Attach the run to this site, by its id; the URL must be on its host.
    #[arg(long, value_name = "SITE_ID")]
    pub site: Option<String>,

    /// Audit at most N pages.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_pages: Option<u32>,

    /// Follow at most N clicks from the start page.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,

    /// How pages are read.
    #[arg(long, value_name = "MODE", value_enum)]
    pub mode: Option<ModeArg>,

    /// Audit only pages whose path matches, as in robots.txt; repeat for several.
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Leave out pages whose path matches; repeat for several.
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Exit with 1 when the overall score is below N; needs --wait.
    #[arg(long, value_name = "N", requires = "wait", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub fail_under: Option<u8>,

    /// Which service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// How pages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// In a browser where there is one, else as the server sends them.
    Auto,
    /// As the server sends them.
    Static,
    /// In a browser.
    Rendered,
}
