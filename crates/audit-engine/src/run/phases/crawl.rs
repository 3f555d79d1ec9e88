//! The third phase: the pages, each evaluated as it arrives.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::FailureCode;
use domain::render_allowance::RenderLimit;
use domain::report::{PageVisit, StoppedBy};
use domain::target::is_loopback_origin;
use url::Url;

use super::super::failure::AuditError;
use super::super::{Auditor, start, visits};
use super::Context;
use super::discover::Discovered;
use super::land::Landed;
use crate::address::at_origin;
use crate::check::Check;
use crate::checks::catalogue;
use crate::crawl::progress::OnProgress;
use crate::crawl::{Crawl, Crawled, PageRenderer, RenderCounts, Rules};
use crate::dom::Limit;
use crate::evaluation::collector::Collector;
use crate::fetch::origins::Origins;
use crate::fetch::sheets::Sheets;
use crate::gather::robots::RobotsState;
use crate::site::{Probe, Probes, Site, SkipReason};

/// The site after the crawl, with the outcomes of its pages.
pub(in crate::run) struct Visited {
    pub(super) context: Context,
    pub(super) checks: Arc<[&'static Check]>,
    pub(super) collector: Collector,
    pub(super) sheets: Arc<Sheets>,
    pub(super) site: Site,
    /// The response to the request for robots.txt.
    pub(super) robots_probe: Probe,
    pub(super) pages: Vec<PageVisit>,
    pub(super) counts: Counts,
}

/// The counters of the crawl.
pub(super) struct Counts {
    pub(super) stopped_by: Option<StoppedBy>,
    pub(super) discovered: u64,
    pub(super) fetched: u64,
    /// URLs that were skipped and are not in the table, by reason.
    pub(super) left_out: BTreeMap<SkipReason, u64>,
    /// How many pages reached each limit.
    pub(super) limits_reached: BTreeMap<Limit, u64>,
    /// Pages whose details were dropped because of the memory limit.
    pub(super) pages_without_details: u64,
    /// What a browser made of the pages.
    pub(super) rendered: RenderCounts,
    /// The limit of the pages that a browser may show.
    pub(super) render_limit: Option<RenderLimit>,
    /// Pages that a browser was asked to measure, and did not.
    pub(super) not_measured: u64,
    /// Pages that are not listed because of the size limit.
    pub(super) unlisted_pages: u64,
    /// Pages whose descriptions and headings are not listed because of the size limit.
    pub(super) pages_without_texts: u64,
}

/// Crawls the site and evaluates its pages.
pub(in crate::run) async fn crawl(
    auditor: &Auditor,
    landed: Landed,
    discovered: Discovered,
    on_progress: OnProgress<'_>,
) -> Result<Visited, AuditError> {
    let Landed { context, landing } = landed;
    let options = &auditor.options;
    let checks: Arc<[&'static Check]> = options.only.clone().unwrap_or_else(catalogue).into();
    let mut collector = Collector::new(&checks, auditor.options.waivers.clone());
    let sheets = sheets(&context);
    let rules = Rules {
        key: context.key.clone(),
        origins: Arc::clone(&context.origins),
        sheets: Arc::clone(&sheets),
        allow: auditor.allow.clone(),
        options: options.clone(),
        ahead: context.limits.connections.saturating_mul(4),
        until: context.budgets.crawl_end(options.crawl_budget),
        closing: context.budgets.closing(),
        refresh: discovered.refresh.clone(),
        renderer: auditor.renderer.clone().map(|renderer| {
            let most = options.rendering.map_or(u64::MAX, |allowed| allowed.pages);
            PageRenderer::new(renderer, most, context.budgets.rendering_end())
        }),
    };
    let exchange = Arc::clone(&context.exchange);
    let crawl = Crawl::new(
        &rules,
        exchange,
        Arc::clone(&checks),
        &mut collector,
        on_progress,
    );
    let (response, listed) = (landing.response, discovered.listed());
    let crawled = crawl
        .run(&context.requested, &landing.hops, response, listed)
        .await;
    refuse(&crawled)?;
    let visits = visits::visits(&crawled);
    let counts = Counts {
        stopped_by: crawled.stopped_by,
        discovered: crawled.discovered,
        fetched: crawled.fetched,
        left_out: crawled.left_out.clone(),
        limits_reached: crawled.limits_reached.clone(),
        render_limit: options.rendering.map(|allowed| allowed.limit),
        pages_without_details: crawled.pages_without_details,
        rendered: crawled.rendered,
        not_measured: 0,
        unlisted_pages: visits.unlisted,
        pages_without_texts: visits.without_texts,
    };
    Ok(Visited {
        site: site(&context, crawled, discovered, landing.robots),
        robots_probe: landing.robots_probe,
        context,
        checks,
        collector,
        sheets,
        pages: visits.listed,
        counts,
    })
}

/// The style sheets for the evaluation of pages. They are requested once a page links to them.
fn sheets(context: &Context) -> Arc<Sheets> {
    let (key, external) = (context.key.clone(), context.external);
    let origins = Arc::clone(&context.origins);
    let exchange = Arc::clone(&context.exchange);
    Arc::new(Sheets::new(exchange, move |url| {
        if key.contains(url) {
            origins.rules().allows_url(url)
        } else {
            external
        }
    }))
}

/// Ends the audit of a site that blocked the crawl, or that returned no page in time.
fn refuse(crawled: &Crawled) -> Result<(), AuditError> {
    if let Some(evidence) = &crawled.blocked {
        return Err(start::blocked(evidence));
    }
    if crawled.pages.is_empty() && crawled.stopped_by == Some(StoppedBy::Deadline) {
        return Err(AuditError::failed(
            FailureCode::DeadlineExceeded,
            "The time limit of the crawl was reached before a page could be evaluated.".to_owned(),
        ));
    }
    Ok(())
}

fn site(context: &Context, crawled: Crawled, discovered: Discovered, robots: RobotsState) -> Site {
    Site {
        loopback: is_loopback_origin(&context.start),
        start: context.start.clone(),
        requested: context.requested.clone(),
        key: context.key.clone(),
        complete: crawled.stopped_by.is_none() && !crawled.has_gaps,
        pages: crawled.pages,
        page_by_url: crawled.page_by_url,
        untrusted: context.exchange.untrusted(),
        canonical_targets: HashMap::new(),
        urls: crawled.urls,
        traps: crawled.traps,
        robots_unreachable: robots_unreachable(&context.start, &robots, &context.origins),
        robots,
        sitemaps: discovered.sitemaps,
        probes: Probes::default(),
        resources: Vec::new(),
        external_checked: context.external,
        rendered: crawled.rendered.shown > 0,
        coverage: crawled.coverage,
        shown_images: crawled.shown_images,
        lab: Vec::new(),
    }
}

/// The robots.txt files of the site's origins that are unreachable, the start URL's own first.
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
