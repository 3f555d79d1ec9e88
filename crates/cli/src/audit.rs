//! `assay audit`: an audit from here, without a server.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use audit_engine::egress::{EgressOptions, ProxyUrl};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor, user_agent};
use domain::Severity;
use domain::report::{Report, Variant};
use domain::score::DimensionWeights;
use domain::target::AllowTarget;
use report::json::{Identity, IssueIds, wire_report};
use report::terminal::{TerminalOptions, render, render_check_findings};
use serde_json::json;
use ulid::Generator;

use crate::args::{AuditArgs, Format};
use crate::checks::unknown_check;
use crate::exit::Exit;
use crate::json::unmoving;
use crate::output::{print_error, wants_color, write_data};
use crate::progress::ProgressLine;

/// What the configuration says where the command line is silent.
#[derive(Debug, Clone)]
pub struct AuditDefaults {
    /// Pages at most.
    pub max_pages: u32,
    /// Whether links and resources on other sites are requested.
    pub external: bool,
    /// Requests under way at once.
    pub concurrency: Option<usize>,
    /// Requests a second.
    pub max_rate: Option<f64>,
    /// The address that the user agent names.
    pub contact_url: String,
    /// Time for requests to pages.
    pub crawl_budget: Duration,
    /// Time for everything.
    pub deadline: Duration,
    /// Targets allowed beside public ones.
    pub allow_targets: Vec<AllowTarget>,
    /// Names with fixed addresses.
    pub resolve: HashMap<String, Vec<IpAddr>>,
    /// The name server that is asked; none for those of the system.
    pub dns_server: Option<SocketAddr>,
    /// The proxy that requests go through.
    pub proxy: Option<ProxyUrl>,
    /// How long an exchange may take.
    pub timeouts: Timeouts,
    /// PEM files with authorities to trust.
    pub extra_ca_pem: Vec<Vec<u8>>,
    /// Where the documentation of checks is served, without a slash at the end.
    pub base_url: String,
    /// Weights of the dimensions.
    pub weights: DimensionWeights,
    /// Which dimensions the report has.
    pub variant: Variant,
}

/// How long an exchange may take.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the connection.
    pub connect: Duration,
    /// Until the headers of the answer are there.
    pub headers: Duration,
    /// In all.
    pub total: Duration,
}

/// Audits a site and prints the report.
///
/// # Errors
/// When the HTTP client cannot be made or the report cannot be written.
pub fn run_audit(args: &AuditArgs, defaults: &AuditDefaults) -> Result<Exit> {
    let mut only = Vec::new();
    for id in &args.checks {
        match audit_engine::checks::find(id) {
            Some(check) => only.push(check),
            None => {
                print_error(None, &unknown_check(id));
                return Ok(Exit::Usage);
            }
        }
    }
    if let Some(path) = &args.output
        && let Err(error) = writable(path)
    {
        print_error(
            None,
            &format!("{} cannot be written: {error}", path.display()),
        );
        return Ok(Exit::Usage);
    }
    let options = AuditOptions {
        max_pages: args.max_pages.unwrap_or(defaults.max_pages),
        max_depth: args.max_depth,
        external: defaults.external && !args.no_external,
        respect_robots: !args.ignore_robots,
        concurrency: args.concurrency.map(usize::from).or(defaults.concurrency),
        max_rate: args.max_rate.or(defaults.max_rate),
        crawl_budget: defaults.crawl_budget,
        deadline: defaults.deadline,
        only: (!only.is_empty()).then_some(only),
        ..AuditOptions::default()
    };
    let allow = defaults
        .allow_targets
        .iter()
        .chain(&args.allow_targets)
        .cloned()
        .collect();
    let mut egress = EgressOptions::new(allow, user_agent(&defaults.contact_url));
    egress.connect_timeout = defaults.timeouts.connect;
    egress.header_timeout = defaults.timeouts.headers;
    egress.total_timeout = defaults.timeouts.total;
    egress.resolve.clone_from(&defaults.resolve);
    egress.dns_server = defaults.dns_server;
    egress.proxy.clone_from(&defaults.proxy);
    egress.extra_ca_pem.clone_from(&defaults.extra_ca_pem);
    let auditor = Auditor::with_egress(egress, options)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the asynchronous runtime could not be started")?;
    let line = ProgressLine::new();
    let outcome =
        runtime.block_on(auditor.audit_with_progress(&args.url, &|progress| line.show(progress)));
    line.finish();
    // Nothing the audit started is worth waiting for any more.
    runtime.shutdown_background();
    match outcome {
        Ok(audit) => print_report(args, defaults, &audit),
        Err(error) => print_failure(args, &error),
    }
}

fn print_failure(args: &AuditArgs, error: &AuditError) -> Result<Exit> {
    let (code, exit) = match error.code() {
        Some(code) => (code.as_str(), Exit::CouldNotRun),
        None => ("invalid_request", Exit::Usage),
    };
    print_error(Some(code), &error.to_string());
    if args.format() == Format::Json {
        let failure = json!({ "error": { "code": code, "message": error.to_string() } });
        write(args, &format!("{failure:#}\n"))?;
    }
    Ok(exit)
}

fn print_report(args: &AuditArgs, defaults: &AuditDefaults, audit: &Audit) -> Result<Exit> {
    let report = Report::assemble(&audit.result, defaults.variant, &defaults.weights);
    let text = match args.format() {
        Format::Json => json_report(args, defaults, &report)?,
        Format::Text => {
            let options = TerminalOptions {
                color: args.output.is_none() && wants_color(),
                all_issues: args.all,
                ..TerminalOptions::default()
            };
            if args.checks.is_empty() {
                render(&report, &options)
            } else {
                render_check_findings(&report, &args.checks, &options)
            }
        }
    };
    write(args, &text)?;
    Ok(judge_gates(args, &report))
}

/// What a report of single checks leaves out: their scores would say nothing of the site.
const SCORED: [&str; 4] = ["overallScore", "subscores", "summaries", "scoring"];

fn json_report(args: &AuditArgs, defaults: &AuditDefaults, report: &Report) -> Result<String> {
    let identity = Identity {
        report_id: None,
        run_id: None,
        site_id: None,
        created_at: now(),
        help_base_url: defaults.base_url.clone(),
    };
    let mut ids = Generator::new();
    let wire = wire_report(report, &identity, || {
        // The generator runs over only after 2^80 ids within one millisecond.
        let id = ids
            .generate()
            .unwrap_or_else(|overflow| overflow.commit_overflow_random());
        IssueIds {
            issue_id: format!("iss_{id}"),
            action_id: None,
        }
    });
    if args.checks.is_empty() {
        return Ok(format!(
            "{}\n",
            unmoving(&serde_json::to_string_pretty(&wire)?)
        ));
    }
    let mut value = serde_json::to_value(&wire)?;
    for key in SCORED {
        clear(&mut value, key);
    }
    let issues = value
        .get_mut("issues")
        .and_then(serde_json::Value::as_array_mut);
    for issue in issues.into_iter().flatten() {
        clear(issue, "scoreImpact");
    }
    Ok(format!(
        "{}\n",
        unmoving(&serde_json::to_string_pretty(&value)?)
    ))
}

#[expect(
    clippy::disallowed_methods,
    reason = "a report is dated where it is printed"
)]
fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
}

fn clear(value: &mut serde_json::Value, key: &str) {
    if let Some(found) = value.get_mut(key) {
        *found = serde_json::Value::Null;
    }
}

/// Opens the file as it will be written, so that nobody waits for a crawl to learn that it cannot be.
fn writable(path: &Path) -> std::io::Result<()> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map(drop)
}

fn write(args: &AuditArgs, text: &str) -> Result<()> {
    match &args.output {
        None => write_data(text).context("the standard output cannot be written"),
        Some(path) => std::fs::write(path, text)
            .with_context(|| format!("{} cannot be written", path.display())),
    }
}

fn judge_gates(args: &AuditArgs, report: &Report) -> Exit {
    let mut exit = Exit::Fine;
    if let Some(least) = args
        .fail_under
        .filter(|least| report.score.overall < *least)
    {
        let overall = report.score.overall;
        print_error(
            None,
            &format!("the overall score is {overall}, below {least}"),
        );
        exit = Exit::GateFailed;
    }
    if let Some(severity) = args.fail_on {
        let count = report
            .issues
            .iter()
            .filter(|issue| issue.severity <= severity)
            .count();
        if count > 0 {
            let found = match (count, severity) {
                (1, Severity::Info) => "one issue was found".to_owned(),
                (count, Severity::Info) => format!("{count} issues were found"),
                (1, severity) => format!("one issue is {severity} or worse"),
                (count, severity) => format!("{count} issues are {severity} or worse"),
            };
            print_error(None, &found);
            exit = Exit::GateFailed;
        }
    }
    exit
}
