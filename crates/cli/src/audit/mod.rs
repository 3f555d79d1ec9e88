//! `assay audit`: a local audit without a server.

mod absent;
pub(crate) mod address;
mod browser;
mod credentials;
mod failure;
mod gates;
mod github;
mod outputs;
mod session;
mod source_root;
pub(crate) mod waivers;
mod write;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use api_types::report::ReportFormat;
use audit_engine::browser::ChromiumRenderer;
use audit_engine::check::Check;
use audit_engine::checks::catalogue;
use audit_engine::egress::{EgressOptions, GuardedFetcher, Limiter, ProxyUrl};
use audit_engine::gather::Fetcher;
use audit_engine::gather::robots::Pattern;
use audit_engine::{AuditError, AuditOptions, Auditor, Stop, user_agent};
use domain::artifact::PicturedRuns;
use domain::report::{KnownCauses, Report, RunFacts, StoppedBy, Variant};
use domain::run::{MAX_PATTERN_CHARS, MAX_PATTERNS};
use domain::score::{DimensionWeights, SCORING_VERSION};
use domain::target::{AllowTarget, allow_typed, complete_url};
use domain::text::{count, grouped};
use report::export::{Scored, SourceFiles};
use serde_json::json;
use url::Url;

pub use browser::{BrowserSettings, renderer_options};
pub use failure::failure_message;

use crate::args::{AuditArgs, Format, is_pattern};
use crate::checks::unknown_check;
use crate::exit::Exit;
use crate::output::{print_error, write_note};
use crate::saved::{SavedReport, site};
use browser::Rendering;
use gates::Gates;
use github::Actions;
use outputs::Output;
use session::Ended;
use source_root::{RecordingFetcher, Served, SourceRoot};
use write::Written;

/// Values of the configuration for options that the command line does not set.
#[derive(Debug, Clone)]
pub struct AuditDefaults {
    /// The maximum number of pages.
    pub max_pages: u32,
    /// Whether links and resources on other sites are requested.
    pub external: bool,
    /// The maximum number of concurrent requests.
    pub concurrency: Option<usize>,
    /// The maximum number of requests per second.
    pub max_rate: Option<f64>,
    /// The contact URL in the user agent.
    pub contact_url: String,
    /// The time limit for crawling pages.
    pub crawl_budget: Duration,
    /// The time limit for the whole audit.
    pub deadline: Duration,
    /// Allowed targets in addition to public ones.
    pub allow_targets: Vec<AllowTarget>,
    /// Host names with fixed addresses.
    pub resolve: HashMap<String, Vec<IpAddr>>,
    /// The DNS server; `None` for those of the system.
    pub dns_server: Option<SocketAddr>,
    /// The proxy for requests.
    pub proxy: Option<ProxyUrl>,
    /// The browser of rendered mode.
    pub browser: BrowserSettings,
    /// The timeouts of a request.
    pub timeouts: Timeouts,
    /// PEM files of additional certificate authorities.
    pub extra_ca_pem: Vec<Vec<u8>>,
    /// The configured base URL of the service, without a trailing slash: there is the documentation of checks.
    pub base_url: Option<String>,
    /// The weights of the dimensions.
    pub weights: DimensionWeights,
    /// Selects the dimensions of the report.
    pub variant: Variant,
}

/// The timeouts of a request.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// Timeout for connecting.
    pub connect: Duration,
    /// Timeout until the response headers arrive.
    pub headers: Duration,
    /// Timeout for the whole request.
    pub total: Duration,
}

/// Where credentials go that do not belong into an address.
const CREDENTIALS: &str = "Pass them with --basic-auth USER:PASSWORD, or with --basic-auth @FILE to keep them out of \
    the list of processes.";

/// Audits a site and prints the report.
///
/// # Errors
/// When the HTTP client cannot be made or the report cannot be written.
pub fn run_audit(args: &AuditArgs, defaults: &AuditDefaults) -> Result<Exit> {
    match Plan::new(args, defaults) {
        Ok(plan) => plan.carry_out(args, defaults),
        Err(wrong) => {
            print_error(None, &wrong);
            Ok(Exit::Usage)
        }
    }
}

/// The validated arguments; validation happens before the first request.
struct Plan {
    options: AuditOptions,
    outputs: Vec<Output>,
    gates: Gates,
    baseline: Option<SavedReport>,
    scored: Scored,
    source_root: Option<SourceRoot>,
    /// How pages are rendered; none in static mode.
    rendering: Option<Rendering>,
    actions: Option<Actions>,
}

impl Plan {
    fn new(args: &AuditArgs, defaults: &AuditDefaults) -> Result<Self, String> {
        absent::validate(args, defaults.variant)?;
        let outputs = outputs::outputs(args)?;
        let scored = scored(args);
        let baseline = args
            .baseline
            .as_deref()
            .map(SavedReport::read)
            .transpose()?;
        let known = baseline.as_ref().map(SavedReport::causes);
        let gates = Gates::new(args, known);
        gates.judge_usage(&scored)?;
        if args.badge.is_some() && scored != Scored::Whole {
            return Err(
                "--badge needs an overall score, which --check and --dimension omit".to_owned(),
            );
        }
        if args.budgets.len() > MAX_PATTERNS {
            return Err(format!("--budget: at most {MAX_PATTERNS} are allowed"));
        }
        let mut options = options(args, defaults)?;
        options.pictures = PicturedRuns::WithoutHeaders.has(&options.headers)
            && outputs.iter().any(|output| output.format.has_pictures());
        let source_root = args.source_root.as_deref().map(SourceRoot::open);
        let source_root = source_root.transpose()?;
        let rendering = Rendering::new(args, defaults, &options.headers)?;
        for output in &outputs {
            outputs::try_to_write(output)?;
        }
        Ok(Self {
            options,
            outputs,
            gates,
            baseline,
            scored,
            source_root,
            rendering,
            actions: Actions::here(),
        })
    }

    fn carry_out(self, args: &AuditArgs, defaults: &AuditDefaults) -> Result<Exit> {
        let stop = self.options.stop.clone();
        if let Some(problem) = address::problem(&args.url, CREDENTIALS) {
            return self.tell_failure(&AuditError::InvalidUrl(problem));
        }
        let url = complete_url(&args.url);
        let served = Arc::<Served>::default();
        let rendering = self.rendering.as_ref();
        let (auditor, renderer) = self.auditor(egress(args, defaults), rendering, &url, &served)?;
        let begun = Instant::now();
        let mut ended = session::run(&auditor, renderer.as_deref(), &url, &stop, args.quiet)?;
        if let Ended::NoBrowser(problem) = &ended {
            if let Err(message) = browser::without_browser(args, problem) {
                print_error(None, &message);
                return Ok(Exit::CouldNotRun);
            }
            let (auditor, _) = self.auditor(egress(args, defaults), None, &url, &served)?;
            ended = session::run(&auditor, None, &url, &stop, args.quiet)?;
        }
        match ended {
            Ended::Audit(audit) => {
                let weights = &defaults.weights;
                let report = Report::assemble(&audit.result, defaults.variant, weights);
                let took = begun.elapsed();
                let run = RunFacts {
                    visits: audit.result.pages,
                    duration_ms: u64::try_from(took.as_millis()).ok(),
                    pictures: audit.result.artifacts,
                };
                let sources = self.source_root.as_ref();
                let sources = sources.map(|root| root.files(&report, &served));
                self.report(args, defaults, &report, (run, took, sources))
            }
            Ended::Failed(error) => self.tell_failure(&error),
            Ended::Abandoned => {
                print_error(None, "cancelled before a page was audited");
                Ok(Exit::CouldNotRun)
            }
            Ended::NoBrowser(problem) => {
                print_error(None, &problem);
                Ok(Exit::CouldNotRun)
            }
            Ended::AtOnce => Ok(Exit::Interrupted),
        }
    }

    /// The auditor, and the renderer of rendered mode. With a folder of sources it remembers what the site serves.
    fn auditor(
        &self,
        egress: EgressOptions,
        rendering: Option<&Rendering>,
        url: &str,
        served: &Arc<Served>,
    ) -> Result<(Auditor, Option<Arc<ChromiumRenderer>>)> {
        let allow = egress.allow_targets.clone();
        let guarded = Arc::new(GuardedFetcher::new(egress)?);
        let limiter: Arc<Limiter> = Arc::default();
        let site = self.source_root.as_ref().and(Url::parse(url).ok());
        let fetcher: Arc<dyn Fetcher> = match site {
            Some(site) => {
                let (inner, served) = (Arc::clone(&guarded), Arc::clone(served));
                Arc::new(RecordingFetcher::new(inner, &site, served))
            }
            None => guarded.clone(),
        };
        let auditor = Auditor::with_fetcher(fetcher, allow, self.options.clone());
        let auditor = auditor.sharing_limits(Arc::clone(&limiter));
        let renderer = rendering.map(|rendering| rendering.renderer(&guarded, &limiter));
        let auditor = match &renderer {
            Some(renderer) => auditor.rendering_with(renderer.clone()),
            None => auditor,
        };
        Ok((auditor, renderer))
    }

    fn tell_failure(&self, error: &AuditError) -> Result<Exit> {
        let (code, exit) = match error.code() {
            Some(code) => (code.as_str(), Exit::CouldNotRun),
            None => ("invalid_request", Exit::Usage),
        };
        let message = failure_message(error);
        print_error(Some(code), &message);
        let failure = json!({ "error": { "code": code, "message": message } });
        let failure = report::json::unmoving(&format!("{failure:#}\n"));
        for output in &self.outputs {
            // A saved report for comparisons stays unchanged.
            if output.format == Format::Export(ReportFormat::Json) && !output.is_kept {
                write::bytes(output, failure.as_bytes())?;
            }
        }
        if let Some(actions) = &self.actions {
            actions.could_not_run(&message);
        }
        Ok(exit)
    }

    fn report(
        &self,
        args: &AuditArgs,
        defaults: &AuditDefaults,
        report: &Report,
        ran: (RunFacts, Duration, Option<SourceFiles>),
    ) -> Result<Exit> {
        let written = Written::new(report, ran, defaults, &self.scored);
        let written = written.since(self.baseline_score(report));
        let is_cancelled = report.coverage.stopped_by == Some(StoppedBy::Cancelled);
        // --save only writes complete reports; otherwise the previous file stays.
        let wanted = |output: &&outputs::Output| !(output.is_kept && is_cancelled);
        for output in self.outputs.iter().filter(wanted) {
            write::report(output, &written, args)?;
        }
        if let Some(file) = args.badge.as_deref().filter(|_| !is_cancelled) {
            write::badge(file, report)?;
        }
        self.tell_baseline(report);
        // The text report ends with the verdict; with files alone it is the last line of the log.
        if !args.quiet && self.outputs.iter().all(|output| output.file.is_some()) {
            write_note(&written.verdict().to_string());
        }
        let failures = if is_cancelled {
            Vec::new()
        } else {
            self.gates.failures(report, written.visits())
        };
        for failure in &failures {
            print_error(None, failure);
        }
        if let Some(actions) = &self.actions {
            let counting = self.gates.counting(report);
            let is_of_new = self.baseline.is_some();
            actions.report(&written, &counting, is_of_new, &failures);
        }
        if is_cancelled {
            print_error(
                None,
                "the audit was cancelled before it finished, so no gate was evaluated",
            );
        }
        // The last line of a job says how it ended, whatever stands above it.
        if self.actions.is_some() || !failures.is_empty() {
            let ending = match (is_cancelled, failures.is_empty()) {
                (true, _) => "cancelled",
                (false, true) => "passed",
                (false, false) => "failed",
            };
            write_note(&format!("{ending}: {}", written.verdict()));
        }
        Ok(match (is_cancelled, failures.is_empty()) {
            (true, _) => Exit::CouldNotRun,
            (false, true) => Exit::Fine,
            (false, false) => Exit::GateFailed,
        })
    }

    /// The overall score of the baseline, if it is of the same site and comes from the same scoring model.
    fn baseline_score(&self, report: &Report) -> Option<u8> {
        let baseline = self.baseline.as_ref()?;
        let scoring = baseline.scoring.as_ref()?;
        let is_comparable =
            scoring.scoring_version == SCORING_VERSION && baseline.site() == site(&report.url);
        baseline.overall_score.filter(|_| is_comparable)
    }

    /// Prints how the report differs from the baseline.
    fn tell_baseline(&self, report: &Report) {
        let Some(baseline) = &self.baseline else {
            return;
        };
        if baseline.site() != site(&report.url) {
            write_note("note: the baseline is a report of another site");
        }
        if baseline
            .catalogue()
            .is_some_and(|version| version != report.catalogue_version)
        {
            write_note(
                "note: the baseline was made with another version of the checks; new issues may be due \
                 to that",
            );
        }
        let (before, now) = (baseline.causes(), KnownCauses::from_report(report));
        let new = u64::try_from(now.not_in(&before)).unwrap_or(u64::MAX);
        let all: u64 = report.issues.iter().map(|issue| issue.causes_total).sum();
        let known = grouped(all.saturating_sub(new));
        let gone = before.not_in(&now);
        let new = count(new, "new cause", "new causes");
        write_note(&format!(
            "against the baseline: {new}, {known} known, {gone} no longer found"
        ));
    }
}

/// Which scores the audit computes.
fn scored(args: &AuditArgs) -> Scored {
    match (args.checks.is_empty(), args.dimensions.is_empty()) {
        (true, true) => Scored::Whole,
        (_, false) => Scored::Dimensions(args.dimensions.clone()),
        (false, true) => Scored::Nothing,
    }
}

/// The checks to run; `None` for all of them.
fn only(args: &AuditArgs) -> Result<Option<Vec<&'static Check>>, String> {
    if scored(args) == Scored::Whole {
        return Ok(None);
    }
    for id in &args.checks {
        if audit_engine::checks::find(id).is_none() {
            return Err(unknown_check(id));
        }
    }
    let is_asked = |check: &&'static Check| {
        args.dimensions.contains(&check.dimension) || args.checks.iter().any(|id| id == check.id)
    };
    Ok(Some(catalogue().into_iter().filter(is_asked).collect()))
}

fn patterns(flag: &str, texts: &[String]) -> Result<Vec<Pattern>, String> {
    if texts.len() > MAX_PATTERNS {
        return Err(format!(
            "{flag}: at most {MAX_PATTERNS} patterns are allowed"
        ));
    }
    if let Some(wrong) = texts.iter().find(|text| !is_pattern(text)) {
        return Err(format!(
            "{flag} {}: a pattern starts with / or *, has at most {MAX_PATTERN_CHARS} characters \
             and no spaces; for example /docs/* or *.pdf$",
            report::plain::plain(wrong)
        ));
    }
    Ok(texts.iter().map(|text| Pattern::new(text)).collect())
}

fn options(args: &AuditArgs, defaults: &AuditDefaults) -> Result<AuditOptions, String> {
    Ok(AuditOptions {
        max_pages: args.max_pages.unwrap_or(defaults.max_pages),
        max_depth: args.max_depth,
        include: patterns("--include", &args.include)?,
        exclude: patterns("--exclude", &args.exclude)?,
        headers: credentials::headers(&args.headers, args.basic_auth.as_deref())?,
        external: defaults.external && !args.no_external,
        respect_robots: !args.ignore_robots,
        concurrency: args.concurrency.map(usize::from).or(defaults.concurrency),
        max_rate: args.max_rate.or(defaults.max_rate),
        crawl_budget: defaults.crawl_budget,
        deadline: defaults.deadline,
        only: only(args)?,
        rendered_pages: browser::pages(args.mode),
        waivers: waivers::waivers(args.waivers.as_deref(), write::now())?,
        stop: Stop::default(),
        ..AuditOptions::default()
    })
}

fn egress(args: &AuditArgs, defaults: &AuditDefaults) -> EgressOptions {
    let allow = defaults
        .allow_targets
        .iter()
        .chain(&args.allow_targets)
        .cloned()
        // What a person typed is theirs; a redirect to another host or port is not.
        .chain(allow_typed(&complete_url(&args.url)))
        .collect();
    let mut egress = EgressOptions::new(allow, user_agent(&defaults.contact_url));
    egress.connect_timeout = defaults.timeouts.connect;
    egress.header_timeout = defaults.timeouts.headers;
    egress.total_timeout = defaults.timeouts.total;
    egress.resolve.clone_from(&defaults.resolve);
    egress.dns_server = defaults.dns_server;
    egress.proxy.clone_from(&defaults.proxy);
    egress.extra_ca_pem.clone_from(&defaults.extra_ca_pem);
    egress
}
