//! `assay audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use domain::target::AllowTarget;
use domain::{Dimension, Severity};

use super::gate::dimension;
use super::number::{number, small};
use super::{Budget, ConfigArgs, FailUnder, Format, MaxIssues};

/// `assay audit`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done, 1 a gate failed (--fail-under, --fail-on, --fail-on-new, \
--max-issues, --budget, --baseline), 2 wrong usage or configuration, 3 the audit failed or did not finish.\n\n\
Ctrl-C stops the audit and reports the pages audited so far; a second Ctrl-C exits immediately.\n\n\
Examples:\n  \
assay audit example.com\n  \
assay audit https://example.com --max-pages 50 --json > report.json\n  \
assay audit https://example.com --output report.html --output report.sarif\n  \
assay audit localhost:3000\n  \
assay audit https://app.example.com --mode rendered\n  \
assay audit https://example.com --include '/docs/*' --exclude '*?print=1'\n  \
assay audit https://example.com --header @headers.txt --basic-auth @login.txt\n  \
assay audit https://example.com --fail-under 80 --fail-under seo=90 --fail-on critical\n  \
assay audit https://example.com --baseline last.json --fail-on-new moderate --save this.json\n  \
assay audit https://example.com --budget '/:bytes=150000' --budget '/docs/*:accessibility=95'\n  \
assay audit https://example.com --max-issues serious=0,moderate=10 --max-issues link-broken-internal=0\n  \
assay audit localhost:8080 --source-root public --output report.sarif"
)]
pub struct AuditArgs {
    /// The start page, for example `example.com/shop`. The scheme defaults to https, and to http for localhost and
    /// IP addresses. Its host and port may be local or private; others need --allow-target.
    pub url: String,

    /// Print the report as JSON, in the format of the HTTP API.
    #[arg(long, conflicts_with = "formats")]
    pub json: bool,

    /// Write the report in format F. Repeatable; give one --output for each, in the same order.
    #[arg(long = "format", value_name = "F", value_enum)]
    pub formats: Vec<Format>,

    /// Write the report to FILE instead of standard output (`-`). Without --format, the file extension
    /// selects the format: .html, .md, .sarif, .xml (JUnit), .csv, .json, .llm.md, .pdf or .txt.
    #[arg(long = "output", short, value_name = "FILE")]
    pub outputs: Vec<PathBuf>,

    /// Also write the report as JSON to FILE, for `assay diff` and --baseline.
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Also write the overall score as a badge to FILE, an SVG image for a README.
    #[arg(long, value_name = "FILE")]
    pub badge: Option<PathBuf>,

    /// Show all issues instead of the first ten; add an appendix with all evidence and the score calculation to a PDF.
    #[arg(long)]
    pub all: bool,

    /// Do not show progress.
    #[arg(long, short)]
    pub quiet: bool,

    /// How pages are read. `rendered` needs a Chromium on this machine; `assay doctor` names it.
    #[arg(long, value_name = "MODE", value_enum, default_value_t)]
    pub mode: AuditMode,

    /// The window of the browser.
    #[arg(long, value_name = "DEVICE", value_enum, default_value_t)]
    pub device: DeviceArg,

    /// Audit at most N pages [default: 1000].
    #[arg(long, value_name = "N", value_parser = number::<1, 100_000>)]
    pub max_pages: Option<u32>,

    /// Crawl only pages within N clicks of the start page.
    #[arg(long, value_name = "N", value_parser = number::<0, { u32::MAX }>)]
    pub max_depth: Option<u32>,

    /// Audit only the start page and pages whose path and query match PATTERN. As in robots.txt, `*` matches
    /// any characters and a final `$` matches the end. Repeatable.
    #[arg(long, value_name = "PATTERN")]
    pub include: Vec<String>,

    /// Exclude pages whose path and query match PATTERN. Repeatable.
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,

    /// Send this header to the site's own origin: `NAME: VALUE`, or @FILE with one header per line.
    /// Repeatable. Other users of the machine can read command lines; prefer a file or the variable.
    #[arg(
        long = "header",
        value_name = "HEADER",
        env = "ASSAY_HEADERS",
        hide_env_values = true,
        value_delimiter = '\n'
    )]
    pub headers: Vec<String>,

    /// Use HTTP Basic authentication on the site's own origin: `USER:PASSWORD`, or @FILE that contains it.
    #[arg(
        long,
        value_name = "USER:PASSWORD",
        env = "ASSAY_BASIC_AUTH",
        hide_env_values = true
    )]
    pub basic_auth: Option<String>,

    /// Run only this check. Repeatable. The report then has no scores. A check that needs a browser also needs
    /// `--mode rendered` or `--mode auto`.
    #[arg(long = "check", value_name = "ID", conflicts_with_all = ["fail_under"])]
    pub checks: Vec<String>,

    /// Run only the checks of this dimension. Repeatable. The report has the scores of these dimensions
    /// and no overall score.
    #[arg(long = "dimension", value_name = "D", value_parser = dimension)]
    pub dimensions: Vec<Dimension>,

    /// Do not request links and resources on other sites.
    #[arg(long)]
    pub no_external: bool,

    /// Send at most N concurrent requests to the site [default: 8; 32 for allowed targets].
    #[arg(long, value_name = "N", value_parser = small::<1, 256>)]
    pub concurrency: Option<u16>,

    /// Send at most N requests per second [default: 20; no limit for allowed targets].
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub max_rate: Option<f64>,

    /// Ignore robots.txt. Use it only for your own sites.
    #[arg(long)]
    pub ignore_robots: bool,

    /// Allow a loopback or private target: an IP address, a network, a host name or HOST:PORT.
    /// Repeatable.
    #[arg(long = "allow-target", value_name = "T")]
    pub allow_targets: Vec<AllowTarget>,

    /// Exit with 1 if the overall score is below N; with D=N, if the score of dimension D is below N.
    /// Repeatable.
    #[arg(long, value_name = "[D=]N", allow_hyphen_values = true)]
    pub fail_under: Vec<FailUnder>,

    /// Exit with 1 if there is an issue of this severity or worse: critical, serious, moderate, minor
    /// or info.
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<Severity>,

    /// Exit with 1 if there are more than N issues. With a severity or a dimension as KEY, only its
    /// issues count; with a check as KEY, the limit applies to the number of causes of its issue. Repeatable
    /// or comma-separated.
    #[arg(long, value_name = "[KEY=]N", value_delimiter = ',')]
    pub max_issues: Vec<MaxIssues>,

    /// Exit with 1 if a page whose path and query match PATTERN has more than N issues (`issues=N`), a document of
    /// more than N bytes (`bytes=N`), or a score below N in dimension D (`D=N`). Repeatable.
    #[arg(long = "budget", value_name = "PATTERN:KEY=N")]
    pub budgets: Vec<Budget>,

    /// Apply --fail-on and --max-issues only to issues with causes that are not in this report. FILE is written by
    /// --save of this version or an older one. Without a gate on issues, any new issue except `info` fails.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Exit with 1 if an issue of this severity or worse has a cause that is not in --baseline; --fail-on and
    /// --max-issues then apply to all issues.
    #[arg(long, value_name = "SEVERITY", requires = "baseline")]
    pub fail_on_new: Option<Severity>,

    /// The folder that the site was built from, laid out as a file server serves it. SARIF and annotations then name its
    /// files, relative to the repository, instead of URLs, and their lines if the site serves the file unchanged.
    #[arg(long, value_name = "DIR")]
    pub source_root: Option<PathBuf>,

    /// Read the accepted findings from FILE [default: assay.waivers.toml if it exists]. They stay in the
    /// report but cost no points and pass the gates.
    #[arg(long, value_name = "FILE")]
    pub waivers: Option<PathBuf>,

    /// The source of the configuration.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// How pages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum AuditMode {
    /// As the server sends them, without running scripts.
    #[default]
    Static,
    /// In a browser if the start page needs scripts, otherwise a sample of at most 20 pages. Without a browser as static.
    Auto,
    /// In a browser, after their scripts ran.
    Rendered,
}

/// The window of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum DeviceArg {
    /// A phone: 412 by 823 pixels.
    #[default]
    Mobile,
    /// A desktop computer: 1,350 by 940 pixels.
    Desktop,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate.is_finite() && rate > 0.0 => Ok(rate),
        _ => Err("expected a number above 0, for example 20 or 0.5".to_owned()),
    }
}
