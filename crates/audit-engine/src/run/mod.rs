//! An audit from URL to result.

pub(crate) mod added_headers;
mod alternates;
mod caps;
mod check_state;
pub(crate) mod collector;
mod entrance;
mod evidence_budget;
pub(crate) mod exchange;
mod external;
mod failure;
mod follow;
mod hidden_values;
mod interstitial;
mod issue_counts;
pub(crate) mod judge;
pub(crate) mod options;
pub(crate) mod origins;
mod probes;
pub(crate) mod progress;
pub(crate) mod refusal;
mod resources;
mod retry_after;
pub(crate) mod sheets;
mod sitemaps;
mod start;
mod stop;
mod suspects;
mod timetable;
mod visits;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::FailureCode;
use domain::report::{AuditResult, Coverage, CrawlMode, StoppedBy};
use domain::target::{AllowTargets, gate_url, is_loopback_origin};
use url::Url;

pub use failure::AuditError;
pub use judge::{Judged, judge_page};
pub use options::{
    AuditOptions, DEFAULT_MAX_PAGES, DOCS_URL, PRODUCT_TOKEN, default_user_agent, user_agent,
};
pub use progress::{OnProgress, Phase, Progress};
pub use stop::Stop;

use crate::address::{SiteKey, at_origin, without_fragment};
use crate::check::Check;
use crate::checks::{CATALOGUE_VERSION, catalogue};
use crate::crawl::{Crawl, Listed, Rules};
use crate::dom::Limit;
use crate::egress::{EgressError, EgressOptions, GuardedFetcher, HostLimits, Limiter, host_key};
use crate::gather::Fetcher;
use crate::gather::robots::RobotsState;
use crate::gather::sitemap::Sitemap;
use crate::site::{Site, SkipReason, UrlState};
use added_headers::AddedHeaders;
use collector::Collector;
use entrance::Entrance;
use exchange::Exchange;
use origins::Origins;
use probes::Places;
use sheets::Sheets;
use timetable::Timetable;

/// Time at most for the resources, and again for the external links, of a site.
const REST_BUDGET: std::time::Duration = std::time::Duration::from_secs(40);
/// Time at most for its well-known places, of which a site with a crawl delay is asked one by one.
const PROBES_BUDGET: std::time::Duration = std::time::Duration::from_secs(120);

/// What an audit brought: the result that is scored, and the site it was judged by.
#[derive(Debug)]
pub struct Audit {
    /// Tallies, findings and coverage.
    pub result: AuditResult,
    /// The site as the crawl left it.
    pub site: Site,
}

/// Audits sites.
///
/// One auditor can audit many sites at once; what it asks of one host is limited across all of them.
pub struct Auditor {
    fetcher: Arc<dyn Fetcher>,
    limiter: Arc<Limiter>,
    allow: AllowTargets,
    options: AuditOptions,
}

impl std::fmt::Debug for Auditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auditor")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Auditor {
    /// An auditor of public sites, with the guarded HTTP client.
    ///
    /// # Errors
    /// When the HTTP client cannot be made.
    pub fn new(options: AuditOptions) -> Result<Self, EgressError> {
        let egress = EgressOptions::new(AllowTargets::default(), default_user_agent());
        Self::with_egress(egress, options)
    }

    /// An auditor with a guarded HTTP client of its own settings.
    ///
    /// # Errors
    /// When the HTTP client cannot be made.
    pub fn with_egress(egress: EgressOptions, options: AuditOptions) -> Result<Self, EgressError> {
        let allow = egress.allow_targets.clone();
        let fetcher = Arc::new(GuardedFetcher::new(egress)?);
        Ok(Self::with_fetcher(fetcher, allow, options))
    }

    /// An auditor over any fetcher. `allow` is what the URL gate lets through beside public
    /// targets; the address gate is the fetcher's own matter.
    #[must_use]
    pub fn with_fetcher(
        fetcher: Arc<dyn Fetcher>,
        allow: AllowTargets,
        options: AuditOptions,
    ) -> Self {
        Self {
            fetcher,
            limiter: Arc::default(),
            allow,
            options,
        }
    }

    /// Shares the host limits of another auditor.
    #[must_use]
    pub fn sharing_limits(mut self, limiter: Arc<Limiter>) -> Self {
        self.limiter = limiter;
        self
    }

    /// Audits the site that begins at `url`.
    ///
    /// # Errors
    /// When `url` is no absolute http(s) URL, or the site cannot be audited: [`AuditError`] says why.
    pub async fn audit(&self, url: &str) -> Result<Audit, AuditError> {
        self.audit_with_progress(url, &|_| {}).await
    }

    /// Audits the site that begins at `url`, telling how far it has come.
    ///
    /// # Errors
    /// As [`Auditor::audit`].
    pub async fn audit_with_progress(
        &self,
        url: &str,
        on_progress: OnProgress<'_>,
    ) -> Result<Audit, AuditError> {
        let requested =
            gate_url(url, &self.allow).map_err(|error| AuditError::of_target(&error))?;
        let deadline = self.options.deadline;
        let run = self.run(without_fragment(&requested), on_progress);
        tokio::time::timeout(deadline, run)
            .await
            .unwrap_or_else(|_| {
                Err(AuditError::failed(
                    FailureCode::DeadlineExceeded,
                    format!("The audit took longer than {} s.", deadline.as_secs()),
                ))
            })
    }

    async fn run(&self, requested: Url, on_progress: OnProgress<'_>) -> Result<Audit, AuditError> {
        on_progress(&Progress::begin());
        let times = Timetable::new(self.options.deadline);
        let exchange = Arc::new(Exchange::new(
            Arc::clone(&self.fetcher),
            Arc::clone(&self.limiter),
            self.options.retry_pause,
            AddedHeaders::new(
                self.options.headers.clone(),
                self.options.user_agent.clone(),
                &requested,
            ),
        ));
        exchange.adopt(&requested);
        // Leases end with the audit.
        let limits = self.limits(&requested);
        let _lease = self.limiter.lease(&host_key(&requested), limits);
        let landing = start::land(&exchange, &requested, &self.options, &self.allow).await?;
        let start_url = landing.response.url.clone();
        let origins = Arc::new(if self.options.respect_robots {
            Origins::new(&start_url, &landing.robots, &landing.asked)
        } else {
            Origins::ignored(&start_url)
        });
        let robots = origins.rules();
        // The landing may be another host than the one that was asked for, and a stranger's.
        let limits = self.limits(&start_url);
        let limits = robots
            .crawl_delay()
            .map_or(limits, |delay| limits.with_crawl_delay(delay));
        let _landed = self.limiter.lease(&host_key(&start_url), limits);

        let key = SiteKey::of(&start_url)
            .ok_or_else(|| AuditError::InvalidUrl("the URL has no host".to_owned()))?;
        let external = self.options.external;
        let sitemaps = sitemaps::gather(&exchange, &start_url, &landing.robots, |url| {
            if key.contains(url) {
                robots.allows_url(url)
            } else {
                external
            }
        })
        .await;
        let entrance = Entrance::of(&landing.response, &key).await;
        let feeds = sitemaps::read_feeds(&exchange, &start_url, entrance.feeds, |url| {
            key.contains(url) && robots.allows_url(url)
        })
        .await;
        let listed = sitemaps
            .iter()
            .filter_map(|file| file.sitemap.as_ref().filter(|sitemap| !sitemap.is_index()))
            .flat_map(|sitemap| sitemap.entries())
            .filter_map(|entry| {
                let url = entry.url()?;
                let in_sitemap = true;
                Some(Listed { url, in_sitemap })
            })
            .chain(feeds.iter().flat_map(Sitemap::entries).filter_map(|entry| {
                let url = entry.url()?;
                let in_sitemap = false;
                Some(Listed { url, in_sitemap })
            }));

        let checks: Arc<[&'static Check]> =
            self.options.only.clone().unwrap_or_else(catalogue).into();
        let mut collector = Collector::new(&checks);
        let sheets = {
            let (key, origins) = (key.clone(), Arc::clone(&origins));
            Arc::new(Sheets::new(Arc::clone(&exchange), move |url| {
                if key.contains(url) {
                    origins.rules().allows_url(url)
                } else {
                    external
                }
            }))
        };
        let ahead = limits.connections.saturating_mul(4);
        let rules = Rules {
            key: key.clone(),
            origins: Arc::clone(&origins),
            sheets: Arc::clone(&sheets),
            allow: self.allow.clone(),
            options: self.options.clone(),
            ahead,
            until: times.crawl_end(self.options.crawl_budget),
            closing: times.closing(),
            refresh: entrance.refresh,
        };
        let crawl = Crawl::new(
            &rules,
            Arc::clone(&exchange),
            Arc::clone(&checks),
            &mut collector,
            on_progress,
        );
        let crawled = crawl
            .run(&requested, &landing.hops, landing.response, listed)
            .await;

        if let Some(evidence) = crawled.blocked {
            return Err(start::blocked(&evidence));
        }
        if crawled.pages.is_empty() && crawled.stopped_by == Some(StoppedBy::Deadline) {
            return Err(AuditError::failed(
                FailureCode::DeadlineExceeded,
                "The time of the crawl was over before a page could be judged.".to_owned(),
            ));
        }

        on_progress(&Progress::scoring(&crawled));
        let (mut pages, unlisted_pages) = visits::visits(&crawled);
        let pages_without_details = crawled.pages_without_details;
        let limits_reached = crawled.limits_reached;
        let robots_unreachable = robots_unreachable(&start_url, &landing.robots, &origins);
        let mut site = Site {
            loopback: is_loopback_origin(&start_url),
            start: start_url,
            requested,
            key,
            complete: crawled.stopped_by.is_none() && !crawled.has_gaps,
            pages: crawled.pages,
            page_by_url: crawled.page_by_url,
            urls: crawled.urls,
            traps: crawled.traps,
            robots_unreachable,
            robots: landing.robots,
            sitemaps,
            probes: crate::site::Probes::default(),
            resources: Vec::new(),
            external_checked: self.options.external,
        };
        let robots_probe = landing.robots_probe;
        let probe = robots_probe.clone();
        let is_stopped = {
            let rest = self.gather_rest(&sheets, &mut site, &origins, probe, limits, times);
            tokio::select! {
                biased;
                () = self.options.stop.asked() => true,
                () = rest => false,
            }
        };
        if is_stopped {
            site.complete = false;
            let times = times.over();
            self.gather_rest(&sheets, &mut site, &origins, robots_probe, limits, times)
                .await;
        }
        judge_site(&checks, &site, &mut collector);
        visits::count_issues(&mut pages, &collector);
        let result = AuditResult {
            requested_url: site.requested.to_string(),
            url: site.start.to_string(),
            coverage: Coverage {
                mode: CrawlMode::Static,
                complete: site.complete,
                stopped_by: if is_stopped {
                    Some(StoppedBy::Cancelled)
                } else {
                    crawled.stopped_by
                },
                pages_discovered: crawled.discovered,
                pages_fetched: crawled.fetched,
                pages_audited: u64::try_from(site.pages.len()).unwrap_or(u64::MAX),
                requests: exchange.requests(),
                skipped: skipped(&site, crawled.left_out)
                    .into_iter()
                    .chain(beyond_bounds(
                        &limits_reached,
                        pages_without_details,
                        unlisted_pages,
                    ))
                    .collect(),
            },
            tallies: collector.tallies(),
            caps: caps::caps(&collector),
            unjudged: collector.unjudged(),
            findings: collector.take_findings(),
            pages,
            catalogue: checks.iter().map(|check| check.id.to_owned()).collect(),
            engine_version: env!("CARGO_PKG_VERSION").to_owned(),
            catalogue_version: CATALOGUE_VERSION.to_owned(),
        };
        on_progress(&Progress::done(&result.coverage));
        Ok(Audit { result, site })
    }

    /// What is known only once all pages are: resources, external links, well-known places.
    async fn gather_rest(
        &self,
        sheets: &Sheets,
        site: &mut Site,
        origins: &Origins,
        robots_probe: crate::site::Probe,
        limits: HostLimits,
        times: Timetable,
    ) {
        let exchange = sheets.exchange();
        let robots = origins.rules();
        let (start, key) = (site.start.clone(), site.key.clone());
        let place = Places {
            exchange,
            start: &start,
            key: &key,
            origins,
            until: times.share(2, PROBES_BUDGET),
        };
        site.probes = probes::gather(&place, robots_probe).await;
        site.probes.error_pages = suspects::gather(&place, suspects::suspects(site)).await;
        alternates::gather(exchange, site, limits.connections, place.until, |url| {
            robots.allows_url(url)
        })
        .await;
        let ahead = limits.connections;
        let (key, external) = (&site.key, self.options.external);
        let until = times.share(if external { 2 } else { 1 }, REST_BUDGET);
        let linked = external::linked(&site.pages, &site.urls);
        let (pages, urls) = (&site.pages, &mut site.urls);
        site.resources = resources::gather(sheets, pages, urls, key, ahead, until, |url| {
            if key.contains(url) {
                robots.allows_url(url)
            } else {
                external
            }
        })
        .await;
        if external {
            let until = times.share(1, REST_BUDGET);
            let urls = &mut site.urls;
            external::gather(exchange, linked, urls, key, ahead.max(16), until, |url| {
                !key.contains(url) || robots.allows_url(url)
            })
            .await;
        } else {
            skip_external(&mut site.urls);
        }
    }

    /// Hosts that the operator listed are his own; others are treated politely.
    fn limits(&self, url: &Url) -> HostLimits {
        let options = &self.options;
        HostLimits::of(url, &self.allow, options.concurrency, options.max_rate)
    }
}

/// The robots.txt of the site's origins that could not be reached, the start URL's own first.
fn robots_unreachable(
    start: &Url,
    robots: &RobotsState,
    origins: &Origins,
) -> Vec<(Url, Option<u16>)> {
    let own = match robots {
        RobotsState::Unreachable { status } => Some((at_origin(start, "/robots.txt"), *status)),
        RobotsState::Found(_) | RobotsState::Missing => None,
    };
    own.into_iter().chain(origins.unreachable()).collect()
}

fn skip_external(urls: &mut crate::site::UrlTable) {
    let external: Vec<_> = urls
        .iter()
        .filter(|(_, entry)| !entry.internal && entry.state == UrlState::Known)
        .map(|(id, _)| id)
        .collect();
    for id in external {
        urls.set(id, UrlState::Skipped(SkipReason::External));
    }
}

fn judge_site(checks: &[&'static Check], site: &Site, collector: &mut Collector) {
    for check in checks {
        collector.judge_site(check, site);
    }
}

/// How many pages reached a bound, or are not remembered or listed whole, for want of room.
fn beyond_bounds(
    limits: &BTreeMap<Limit, u64>,
    without_details: u64,
    unlisted: u64,
) -> Vec<(String, u64)> {
    let of_pages = limits.iter().map(|(limit, pages)| {
        let code = limit.as_str().replace(' ', "_");
        (format!("page_{code}"), *pages)
    });
    let of_site = [("page_details", without_details), ("page_list", unlisted)]
        .map(|(reason, count)| (reason.to_owned(), count));
    of_pages
        .chain(of_site)
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// How many URLs were skipped, by reason, in a fixed order. `counts` begins with those that are not
/// in the table.
fn skipped(site: &Site, mut counts: BTreeMap<SkipReason, u64>) -> Vec<(String, u64)> {
    for (_, entry) in site.urls.iter() {
        if let UrlState::Skipped(reason) = entry.state {
            let reason = match reason {
                // The other reasons are those of the site's own URLs.
                SkipReason::NotAllowed if !entry.internal => SkipReason::External,
                reason => reason,
            };
            *counts.entry(reason).or_insert(0_u64) += 1;
        }
    }
    counts
        .into_iter()
        .map(|(reason, count)| (reason.as_str().to_owned(), count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audit_may_be_spawned() {
        fn spawnable(_: impl Send) {}
        let auditor = Auditor::new(AuditOptions::default()).unwrap();
        spawnable(async move {
            let on_progress = |_: &Progress| {};
            auditor
                .audit_with_progress("https://example.com/", &on_progress)
                .await
        });
    }
}
