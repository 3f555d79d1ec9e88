//! `assay start`.

use clap::{Args, ValueEnum};

use super::RemoteArgs;
use crate::args::DeviceArg;
use crate::args::number::{number, tiny};

/// `assay start`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without --wait, the command prints the run's id and exits; the run continues on the service. With --wait, \
progress goes to standard error and the report's scores are printed at the end; Ctrl-C stops waiting, not \
the run.\n\nExit status: 0 done, 1 a gate failed (--fail-under), 2 wrong usage, 3 the service rejected the \
request or the run did not complete.\n\nExamples:\n  assay start example.com\n  assay start https://example.com --wait\n  \
assay start https://example.com --wait --fail-under 80 --max-pages 200\n  assay start https://example.com \
--exclude '/blog/*' --json"
)]
pub struct StartArgs {
    /// The start page, for example `example.com/shop`. The scheme defaults to https.
    pub url: String,

    /// Wait until the run ends.
    #[arg(long)]
    pub wait: bool,

    /// The id of the site that the run belongs to; the URL must be on its host.
    #[arg(long, value_name = "SITE_ID")]
    pub site: Option<String>,

    /// Audit at most N pages.
    #[arg(long, value_name = "N", value_parser = number::<1, 100_000>)]
    pub max_pages: Option<u32>,

    /// Crawl only pages within N clicks of the start page.
    #[arg(long, value_name = "N", value_parser = number::<0, { u32::MAX }>)]
    pub max_depth: Option<u32>,

    /// How pages are loaded.
    #[arg(long, value_name = "MODE", value_enum)]
    pub mode: Option<ModeArg>,

    /// The window of the browser.
    #[arg(long, value_name = "DEVICE", value_enum)]
    pub device: Option<DeviceArg>,

    /// Audit only the start page and pages whose path and query match PATTERN (robots.txt syntax). Repeatable.
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Exclude pages whose path and query match PATTERN. Repeatable.
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Exit with 1 if the overall score is below N; requires --wait.
    #[arg(long, value_name = "N", requires = "wait", value_parser = tiny::<0, 100>)]
    pub fail_under: Option<u8>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// How pages are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    /// In a browser if the start page needs scripts, otherwise a sample of at most 20 pages. Without a browser as static.
    Auto,
    /// The HTML as the server sends it, without running scripts.
    Static,
    /// Rendered in a browser.
    Rendered,
}
