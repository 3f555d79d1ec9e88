//! `assay audit`.

use std::path::PathBuf;

use clap::Args;
use domain::target::AllowTarget;
use domain::{Dimension, Severity};

use super::gate::dimension;
use super::{ConfigArgs, FailUnder, Format, MaxIssues};

/// `assay audit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done, 1 a gate failed (--fail-under, --fail-on, --max-issues, \
--baseline), 2 wrong usage or configuration, 3 the site could not be audited, or not to its end.\n\n\
Ctrl-C ends the audit early with a report on what was seen so far; pressed again it ends at once.\n\n\
Examples:\n  \
assay audit https://example.com\n  \
assay audit https://example.com --max-pages 50 --json > report.json\n  \
assay audit https://example.com --output report.html --output report.sarif\n  \
assay audit http://127.0.0.1:8000/ --allow-target 127.0.0.1:8000\n  \
assay audit https://example.com --include '/docs/*' --exclude '*?print=1'\n  \
assay audit https://example.com --header @headers.txt --basic-auth @login.txt\n  \
assay audit https://example.com --fail-under 80 --fail-under seo=90 --fail-on critical\n  \
assay audit https://example.com --baseline last.json --fail-on serious --save this.json\n  \
assay audit https://example.com --max-issues serious=0,moderate=10 --max-issues broken-link=0"
)]
pub struct AuditArgs {
    /// The page to begin at: an absolute http or https URL.
    pub url: String,

    /// Print the report as JSON, in the shape of the HTTP API.
    #[arg(long, conflicts_with = "formats")]
    pub json: bool,

    /// Write the report as F. Repeat for several, each with its own --output, in the same order.
    #[arg(long = "format", value_name = "F", value_enum)]
    pub formats: Vec<Format>,

    /// Write the report to FILE instead of the standard output (`-`). Without --format the ending of
    /// FILE decides: .html, .md, .sarif, .xml (JUnit), .csv, .json, .llm.md, .pdf or .txt.
    #[arg(long = "output", short, value_name = "FILE")]
    pub outputs: Vec<PathBuf>,

    /// Also write the report as JSON to FILE, for `assay diff` and --baseline.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Show every issue, not only the first ten.
    #[arg(long)]
    pub all: bool,

    /// Show no progress.
    #[arg(long, short)]
    pub quiet: bool,

    /// Audit at most N pages [default: 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_pages: Option<u32>,

    /// Follow at most N clicks from the start page.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,

    /// Audit only pages whose path and query match PATTERN, in which `*` stands for anything and a
    /// final `$` for the end, as in robots.txt. Repeat for several.
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Leave out pages whose path and query match PATTERN. Repeat for several.
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Send this header to the site's own origin: `NAME: VALUE`, or @FILE with one on each line.
    /// Repeat for several. Others can read a command line; a file or the variable cannot be read.
    #[arg(
        long = "header",
        value_name = "HEADER",
        env = "ASSAY_HEADERS",
        hide_env_values = true,
        value_delimiter = '\n'
    )]
    pub headers: Vec<String>,

    /// Log in to the site's own origin by HTTP Basic: `USER:PASSWORD`, or @FILE that holds it.
    #[arg(
        long,
        value_name = "USER:PASSWORD",
        env = "ASSAY_BASIC_AUTH",
        hide_env_values = true
    )]
    pub basic_auth: Option<String>,

    /// Run this check alone; repeat for several. No score is given then, in JSON neither.
    #[arg(long = "check", value_name = "ID", conflicts_with_all = ["fail_under"])]
    pub checks: Vec<String>,

    /// Run the checks of this dimension alone; repeat for several. Their scores are given, and no
    /// overall score.
    #[arg(long = "dimension", value_name = "D", value_parser = dimension)]
    pub dimensions: Vec<Dimension>,

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

    /// Exit with 1 when the overall score is below N, or with D=N that of a dimension. Repeat for
    /// several.
    #[arg(long, value_name = "[D=]N", allow_hyphen_values = true)]
    pub fail_under: Vec<FailUnder>,

    /// Exit with 1 when an issue of this severity or a worse one was found: critical, serious,
    /// moderate, minor or info.
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<Severity>,

    /// Exit with 1 when there are more than N issues; with a severity or a dimension as KEY more than N
    /// of these, with a check more than N causes of it. Repeat for several, or part them by commas.
    #[arg(long, value_name = "[KEY=]N", value_delimiter = ',')]
    pub max_issues: Vec<MaxIssues>,

    /// Judge only issues with causes that are not in this report, which --save wrote, of this version
    /// or an older one. Without --fail-on and --max-issues any of them but an info fails.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Where the configuration comes from.
    #[command(flatten)]
    pub config: ConfigArgs,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate.is_finite() && rate > 0.0 => Ok(rate),
        _ => Err("a number above 0 is needed, for example 20 or 0.5".to_owned()),
    }
}
