//! The implementation of the `Auditor` port with the audit engine.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use audit_engine::browser::ChromiumRenderer;
use audit_engine::egress::{EgressError, EgressOptions, GuardedFetcher, Limiter};
use audit_engine::gather::Fetcher;
use audit_engine::gather::robots::Pattern;
use audit_engine::{AuditError, AuditOptions, Auditor as Engine, Phase, Progress, user_agent};
use cli::AuditDefaults;
use domain::artifact::PicturedRuns;
use domain::ports::{AuditEnd, AuditOrder, Auditor};
use domain::run::{RunError, RunPhase, RunProgress};
use domain::target::AllowTargets;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::browser::{RunBrowser, rendered_pages};
use super::counted::{Counted, FetchCounter};
use crate::metrics;

/// Interval of progress reports to the caller.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// Audits with the engine. All runs share one HTTP client and one rate limiter with limits for each host.
pub(crate) struct EngineAuditor {
    runtime: Handle,
    fetcher: Arc<GuardedFetcher>,
    limiter: Arc<Limiter>,
    allow: AllowTargets,
    defaults: AuditOptions,
    count: FetchCounter,
    browser: Option<RunBrowser>,
    pictured: PicturedRuns,
}

/// Configuration shared by all audits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CrawlOptions {
    pub(super) external: bool,
    pub(super) concurrency: Option<usize>,
    pub(super) max_rate: Option<f64>,
    pub(super) crawl_budget: Duration,
    pub(super) pictured: PicturedRuns,
}

impl CrawlOptions {
    /// The options of the configuration.
    pub(crate) fn new(defaults: &AuditDefaults, pictured: PicturedRuns) -> Self {
        Self {
            pictured,
            external: defaults.external,
            concurrency: defaults.concurrency,
            max_rate: defaults.max_rate,
            crawl_budget: defaults.crawl_budget,
        }
    }
}

impl EngineAuditor {
    /// Creates an auditor whose audits run on `runtime`. `limiter` can be shared with other senders, which then
    /// share the limits for each host. Without a browser pages are audited as they are served.
    pub(crate) fn new(
        runtime: Handle,
        crawl: CrawlOptions,
        egress: EgressOptions,
        limiter: Arc<Limiter>,
        browser: Option<RunBrowser>,
    ) -> Result<Self, EgressError> {
        let count = Arc::new(metrics::fetched);
        let auditor = Self::counting(runtime, crawl, egress, limiter, count)?;
        Ok(auditor.with_browser(browser))
    }

    /// The same auditor, whose runs use this browser.
    pub(super) fn with_browser(self, browser: Option<RunBrowser>) -> Self {
        Self { browser, ..self }
    }

    /// Creates an auditor that reports its requests to a counter.
    pub(super) fn counting(
        runtime: Handle,
        crawl: CrawlOptions,
        egress: EgressOptions,
        limiter: Arc<Limiter>,
        count: FetchCounter,
    ) -> Result<Self, EgressError> {
        Ok(Self {
            runtime,
            allow: egress.allow_targets.clone(),
            fetcher: Arc::new(GuardedFetcher::new(egress)?),
            limiter,
            defaults: AuditOptions {
                external: crawl.external,
                concurrency: crawl.concurrency,
                max_rate: crawl.max_rate,
                crawl_budget: crawl.crawl_budget,
                ..AuditOptions::default()
            },
            count,
            browser: None,
            pictured: crawl.pictured,
        })
    }

    fn engine(&self, order: &AuditOrder) -> Engine {
        let options = AuditOptions {
            max_pages: order.options.max_pages,
            max_depth: order.options.max_depth,
            include: patterns(&order.options.include),
            exclude: patterns(&order.options.exclude),
            respect_robots: order.options.respect_robots,
            headers: order.options.headers.clone(),
            user_agent: order.options.user_agent.clone(),
            waivers: order.waivers.clone(),
            rendered_pages: rendered_pages(order.options.mode),
            pictures: self.pictured.has(&order.options.headers),
            rendering: order.rendering,
            deadline: order.deadline,
            crawl_budget: self.defaults.crawl_budget,
            ..self.defaults.clone()
        };
        let guarded: Arc<dyn Fetcher> = Arc::<GuardedFetcher>::clone(&self.fetcher);
        let fetcher: Arc<dyn Fetcher> = Arc::new(Counted {
            fetcher: guarded,
            count: Arc::clone(&self.count),
        });
        Engine::with_fetcher(fetcher, self.allow.clone(), options)
            .sharing_limits(Arc::clone(&self.limiter))
    }

    /// The browser and what shows the pages of a run in it; none without a browser and in static mode.
    fn rendering(&self, order: &AuditOrder) -> Option<(RunBrowser, Arc<ChromiumRenderer>)> {
        let browser = self.browser.as_ref()?;
        let renderer = browser.renderer(order, &self.fetcher, &self.limiter)?;
        Some((browser.clone(), renderer))
    }
}

fn patterns(texts: &[String]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::new(text)).collect()
}

/// Returns the settings of the HTTP client.
pub(crate) fn egress_options(defaults: &AuditDefaults, allow: AllowTargets) -> EgressOptions {
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

/// A task that is aborted when its handle is dropped.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Auditor for EngineAuditor {
    fn audit(
        &self,
        order: &AuditOrder,
        beat: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>,
    ) -> AuditEnd {
        let latest = Arc::new(Mutex::new(RunProgress {
            phase: RunPhase::Discovering,
            ..RunProgress::QUEUED
        }));
        let (engine, url, reported) = (self.engine(order), order.url.clone(), Arc::clone(&latest));
        let (rendering, mode) = (self.rendering(order), order.options.mode);
        let shows_nothing = order.rendering.is_some_and(|allowed| allowed.pages == 0);
        #[cfg(feature = "failpoints")]
        let order_url = order.url.clone();
        let mut audit = AbortOnDrop(self.runtime.spawn(async move {
            let on_progress = |progress: &Progress| {
                let now = run_progress(progress);
                let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
                let more = now.pages_audited.saturating_sub(reported.pages_audited);
                *reported = now;
                metrics::pages_audited(more);
                #[cfg(feature = "failpoints")]
                crate::failpoints::hostile_site(&order_url, &now);
            };
            let renderer = match rendering {
                // It is never asked, but the report says that pages would have been rendered.
                Some((_, renderer)) if shows_nothing => Some(renderer),
                Some((browser, renderer)) => browser.started(renderer, mode).await,
                None => None,
            };
            let Some(renderer) = renderer else {
                return engine.audit_with_progress(&url, &on_progress).await;
            };
            let engine = engine.rendering_with(Arc::<ChromiumRenderer>::clone(&renderer));
            let ended = engine.audit_with_progress(&url, &on_progress).await;
            renderer.close().await;
            ended
        }));
        // This thread belongs to the caller, so a progress report may block.
        self.runtime.block_on(async {
            let mut beats = tokio::time::interval(PROGRESS_INTERVAL);
            beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    ended = &mut audit.0 => {
                        return match ended {
                            Ok(Ok(audit)) => AuditEnd::Result(Box::new(audit.result)),
                            Ok(Err(error)) => AuditEnd::Error(run_error(&error)),
                            Err(error) => {
                                tracing::error!(%error, "audit panicked");
                                AuditEnd::Error(RunError::internal())
                            }
                        };
                    }
                    _ = beats.tick() => {
                        let progress = *latest.lock().unwrap_or_else(PoisonError::into_inner);
                        if beat(&progress).is_break() {
                            return AuditEnd::Stopped;
                        }
                    }
                }
            }
        })
    }
}

fn run_error(error: &AuditError) -> RunError {
    let message = cli::failure_message(error);
    match error {
        AuditError::Failed { code, .. } => RunError {
            code: *code,
            message,
        },
        // The URL was validated when the run was started.
        AuditError::InvalidUrl(_) => {
            tracing::error!(message, "run has an invalid URL");
            RunError::internal()
        }
    }
}

fn run_progress(progress: &Progress) -> RunProgress {
    RunProgress {
        phase: match progress.phase {
            Phase::Discovering => RunPhase::Discovering,
            Phase::Crawling => RunPhase::Crawling,
            Phase::Rendering => RunPhase::Rendering,
            // The run is done only when its report is stored.
            Phase::Scoring | Phase::Done => RunPhase::Scoring,
        },
        pages_discovered: progress.pages_discovered,
        pages_fetched: progress.pages_fetched,
        pages_audited: progress.pages_audited,
        pages_rendered: progress.pages_rendered,
        pages_measured: progress.measuring.map(|measuring| measuring.pages),
        seconds_left: progress.time_left.map(|left| left.as_secs()),
        percent: progress.percent.min(99),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Condvar;

    use domain::FailureCode;
    use domain::run::{RequestHeaders, RunOptions};
    use domain::waiver::AuditWaivers;
    use testkit::{LoopbackServer, TestResponse};

    use super::*;

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap()
    }

    fn auditor(
        runtime: &tokio::runtime::Runtime,
        site: &LoopbackServer,
        concurrency: Option<usize>,
    ) -> EngineAuditor {
        let allow: AllowTargets = [site.target().parse().unwrap()].into_iter().collect();
        let egress = EgressOptions::new(allow.clone(), "Assay/1".to_owned());
        EngineAuditor {
            runtime: runtime.handle().clone(),
            fetcher: Arc::new(GuardedFetcher::new(egress).unwrap()),
            limiter: Arc::default(),
            allow,
            count: Arc::new(metrics::fetched),
            browser: None,
            pictured: PicturedRuns::None,
            defaults: AuditOptions {
                concurrency,
                max_rate: Some(1e6),
                retry_pause: Duration::ZERO,
                ..AuditOptions::default()
            },
        }
    }

    fn order(site: &LoopbackServer, options: RunOptions) -> AuditOrder {
        AuditOrder {
            url: site.url("/").to_string(),
            options,
            deadline: Duration::from_secs(60),
            isolated: false,
            rendering: None,
            waivers: AuditWaivers::default(),
        }
    }

    /// Audits a site whose robots.txt blocks all crawlers.
    fn audited(site: &LoopbackServer, options: RunOptions) -> AuditEnd {
        let runtime = runtime();
        auditor(&runtime, site, None)
            .audit(&order(site, options), &mut |_| ControlFlow::Continue(()))
    }

    #[derive(Default)]
    struct UnderWay {
        now: usize,
        most: usize,
    }

    /// Returns the maximum number of concurrent requests that a site received from two runs.
    fn most_at_once(concurrency: usize) -> usize {
        let seen = Arc::new((Mutex::new(UnderWay::default()), Condvar::new()));
        let counted = Arc::clone(&seen);
        let site = LoopbackServer::start(move |_| {
            let (under_way, arrival) = &*counted;
            let mut under_way = under_way.lock().unwrap();
            under_way.now += 1;
            under_way.most = under_way.most.max(under_way.now);
            arrival.notify_all();
            // Waits for a second request, which arrives if concurrency allows it.
            let (mut under_way, _) = arrival
                .wait_timeout_while(under_way, Duration::from_millis(10), |seen| seen.most < 2)
                .unwrap();
            under_way.now -= 1;
            TestResponse::html("<title>Home</title><a href=/a>a</a>")
        })
        .unwrap();
        let runtime = runtime();
        let auditor = auditor(&runtime, &site, Some(concurrency));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let order = order(&site, RunOptions::with_max_pages(2));
                    auditor.audit(&order, &mut |_| ControlFlow::Continue(()))
                });
            }
        });
        seen.0.lock().unwrap().most
    }

    #[test]
    fn runs_of_one_host_share_its_limits() {
        assert_eq!(most_at_once(1), 1);
        assert!(most_at_once(8) > 1);
    }

    fn closed() -> LoopbackServer {
        LoopbackServer::start(|request| match request.path() {
            "/robots.txt" => TestResponse::new(200, "User-agent: *\nDisallow: /\n"),
            _ => TestResponse::html("<title>Home</title><img src=/i.png>"),
        })
        .unwrap()
    }

    #[test]
    fn a_run_is_audited_with_its_own_headers_user_agent_and_view_of_robots_txt() {
        let site = closed();
        let headers = [("X-Preview".to_owned(), "open-sesame".to_owned())];
        let options = RunOptions {
            headers: RequestHeaders::parse(headers.into()).unwrap(),
            user_agent: Some("Somebody/2.0".to_owned()),
            respect_robots: false,
            ..RunOptions::with_max_pages(1)
        };
        let end = audited(&site, options);
        assert!(matches!(end, AuditEnd::Result(_)), "{end:?}");
        assert!(site.hits("/i.png") > 0);
        for request in site.requests() {
            assert_eq!(request.header("x-preview"), Some("open-sesame"));
            assert_eq!(request.header("user-agent"), Some("Somebody/2.0"));
        }
    }

    #[test]
    fn a_run_with_default_options_obeys_robots_txt_and_sends_the_user_agent_of_the_service() {
        let site = closed();
        match audited(&site, RunOptions::with_max_pages(1)) {
            AuditEnd::Error(error) => assert_eq!(error.code, FailureCode::RobotsDisallowed),
            end => panic!("{end:?}"),
        }
        assert_eq!(site.hits("/"), 0);
        for request in site.requests() {
            assert_eq!(request.header("user-agent"), Some("Assay/1"));
        }
    }
}
