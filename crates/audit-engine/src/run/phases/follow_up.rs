//! The last phase: requests that depend on all pages, the checks of the site, and the result.

use std::collections::BTreeMap;

use domain::report::{AuditResult, Coverage, CrawlMode, SiteLinks, StoppedBy};

use super::super::budgets::Budgets;
use super::super::link_graph::LinkGraph;
use super::super::probes::{self, Places};
use super::super::{
    Audit, Auditor, alternates, canonicals, caps, external, measure, pictures, resources,
    site_links, soft_404_probes, visits,
};
use super::Context;
use super::crawl::{Counts, Visited};
use super::steps::Steps;
use crate::check::{Check, Need};
use crate::checks::CATALOGUE_VERSION;
use crate::crawl::progress::{OnProgress, Progress, Step};
use crate::evaluation::exclusions;
use crate::fetch::sheets::Sheets;
use crate::site::{Probe, Site, SkipReason, UrlState, UrlTable};

/// The most time for the resources of a site, and again for its external links.
const REST_BUDGET: std::time::Duration = std::time::Duration::from_secs(40);
/// The most time for well-known URLs, which are requested one by one if there is a crawl delay.
const PROBES_BUDGET: std::time::Duration = std::time::Duration::from_secs(120);

/// The most time for the pictures of pages.
const PICTURES_BUDGET: std::time::Duration = std::time::Duration::from_secs(30);

/// Requests resources, external links and well-known URLs, and evaluates the site.
pub(in crate::run) async fn follow_up(
    auditor: &Auditor,
    mut visited: Visited,
    on_progress: OnProgress<'_>,
) -> Audit {
    let (context, sheets) = (&visited.context, &visited.sheets);
    let (site, budgets) = (&mut visited.site, context.budgets);
    let is_stopped = {
        let probe = visited.robots_probe.clone();
        let steps = Steps::default();
        let counts = &visited.counts;
        let pages = u64::try_from(site.pages.len()).unwrap_or(u64::MAX);
        let crawled = Progress::scoring(
            (counts.discovered, counts.fetched),
            (pages, counts.rendered.shown),
        );
        let (checks, not_measured) = (&visited.checks, &mut visited.counts.not_measured);
        let rest = async {
            *not_measured = measure_pages(auditor, checks, site, budgets, &steps).await;
            on_progress(&steps.add_measured(crawled));
            gather_rest(sheets, site, context, probe, budgets, &steps).await;
        };
        tokio::select! {
            biased;
            () = auditor.options.stop.cancelled() => true,
            () = rest => false,
            never = steps.report(crawled, &context.exchange, on_progress) => match never {},
        }
    };
    if is_stopped {
        site.complete = false;
        visited.counts.stopped_by = Some(StoppedBy::Cancelled);
        let probe = visited.robots_probe.clone();
        let budgets = budgets.exhausted();
        gather_rest(sheets, site, context, probe, budgets, &Steps::default()).await;
    }
    visited.collector.record_withheld(&visited.site.pages);
    for check in &*visited.checks {
        visited.collector.evaluate_site(check, &visited.site);
    }
    visits::add_results(&mut visited.pages, &visited.collector);
    let graph = LinkGraph::new(&visited.site);
    visits::add_links(&mut visited.pages, &visited.site, &graph);
    let links = site_links::site_links(&visited.site, &graph, visited.pages.len());
    let budgets = visited.context.budgets;
    let mut audit = result(visited, links);
    if !is_stopped {
        take_pictures(auditor, &mut audit, budgets.share(1, PICTURES_BUDGET)).await;
    }
    on_progress(&Progress::done(&audit.result.coverage));
    audit
}

fn result(visited: Visited, links: SiteLinks) -> Audit {
    let Visited {
        context,
        checks,
        mut collector,
        site,
        pages,
        counts,
        ..
    } = visited;
    let result = AuditResult {
        requested_url: site.requested.to_string(),
        url: site.start.to_string(),
        coverage: Coverage {
            mode: match counts.rendered.shown {
                0 => CrawlMode::Static,
                _ => CrawlMode::Rendered,
            },
            complete: site.complete,
            stopped_by: counts.stopped_by,
            pages_discovered: counts.discovered,
            pages_fetched: counts.fetched,
            pages_audited: u64::try_from(site.pages.len()).unwrap_or(u64::MAX),
            pages_rendered: counts.rendered.shown,
            measured: site
                .lab
                .iter()
                .map(|page| page.measurement.clone())
                .collect(),
            requests: context.exchange.requests(),
            skipped: left_out(&site, counts),
        },
        tallies: collector.tallies(),
        caps: caps::caps(&collector),
        waivers: collector.applied_waivers(),
        unjudged: collector.unjudged(),
        findings: collector.take_findings(),
        pages,
        links,
        catalogue: checks.iter().map(|check| check.id.to_owned()).collect(),
        engine_version: env!("CARGO_PKG_VERSION").to_owned(),
        catalogue_version: CATALOGUE_VERSION.to_owned(),
        artifacts: Vec::new(),
    };
    Audit { result, site }
}

/// Takes pictures if they are wanted and a browser showed pages.
async fn take_pictures(auditor: &Auditor, audit: &mut Audit, until: tokio::time::Instant) {
    let is_wanted = auditor.options.pictures && audit.site.rendered;
    let Some(renderer) = auditor.renderer.as_deref().filter(|_| is_wanted) else {
        return;
    };
    let Audit { result, site } = audit;
    let taking = pictures::take(renderer, &site.pages, &mut result.findings, until);
    tokio::select! {
        biased;
        () = auditor.options.stop.cancelled() => {}
        taken = taking => result.artifacts = taken,
    }
}

/// Measures pages if a browser showed some and a check needs it. Returns how many were not measured. Nothing is requested
/// meanwhile.
async fn measure_pages(
    auditor: &Auditor,
    checks: &[&'static Check],
    site: &mut Site,
    budgets: Budgets,
    steps: &Steps,
) -> u64 {
    let is_needed = site.rendered && checks.iter().any(|check| check.needs(Need::Measured));
    let Some(renderer) = auditor.renderer.as_deref().filter(|_| is_needed) else {
        return 0;
    };
    let until = budgets.measuring_end();
    steps.begin_measuring(until);
    let (options, on_load) = (auditor.options.lab, |loads| steps.record_loads(loads));
    let measured = measure::measure(renderer, &site.pages, options, until, &on_load).await;
    site.lab = measured.pages;
    measured.failed
}

/// Makes the requests that depend on all pages: resources, external links, well-known URLs.
async fn gather_rest(
    sheets: &Sheets,
    site: &mut Site,
    context: &Context,
    robots_probe: Probe,
    budgets: Budgets,
    steps: &Steps,
) {
    let exchange = sheets.exchange();
    let robots = context.origins.rules();
    let key = &context.key;
    let place = Places {
        exchange,
        start: &context.start,
        key,
        origins: &context.origins,
        until: budgets.share(2, PROBES_BUDGET),
    };
    steps.begin(Step::WellKnown, place.until);
    site.probes = probes::gather(&place, robots_probe).await;
    site.probes.error_pages =
        soft_404_probes::gather(&place, soft_404_probes::candidates(site)).await;
    let ahead = context.limits.connections;
    // Before the language versions, of which less is read.
    canonicals::gather(exchange, place.origins, site, ahead, place.until).await;
    exclusions::lift_mistaken(site);
    alternates::gather(exchange, site, ahead, place.until, |url| {
        robots.allows_url(url)
    })
    .await;
    let until = budgets.share(if context.external { 2 } else { 1 }, REST_BUDGET);
    steps.begin(Step::Resources, until);
    let linked = external::linked(&site.pages, &site.urls);
    let (pages, urls) = (&site.pages, &mut site.urls);
    site.resources = resources::gather(sheets, pages, urls, key, ahead, until, |url| {
        context.may_request(url)
    })
    .await;
    if !context.external {
        return skip_external(&mut site.urls);
    }
    let until = budgets.share(1, REST_BUDGET);
    steps.begin(Step::ExternalLinks, until);
    let urls = &mut site.urls;
    external::gather(exchange, linked, urls, key, ahead.max(16), until, |url| {
        !key.contains(url) || robots.allows_url(url)
    })
    .await;
}

fn skip_external(urls: &mut UrlTable) {
    let external: Vec<_> = urls
        .iter()
        .filter(|(_, entry)| !entry.internal && entry.state == UrlState::Known)
        .map(|(id, _)| id)
        .collect();
    for id in external {
        urls.set(id, UrlState::Skipped(SkipReason::External));
    }
}

/// The number of URLs and pages that were not requested, or are not kept or listed completely, by reason.
fn left_out(site: &Site, counts: Counts) -> Vec<(String, u64)> {
    let beyond_bounds = beyond_bounds(&counts);
    let mut left_out = skipped(site, counts.left_out);
    left_out.extend(beyond_bounds);
    left_out
}

/// How many pages reached a limit, or are not kept or listed completely.
fn beyond_bounds(counts: &Counts) -> Vec<(String, u64)> {
    let of_pages = counts.limits_reached.iter().map(|(limit, pages)| {
        let code = limit.as_str().replace(' ', "_");
        (format!("page_{code}"), *pages)
    });
    let of_site = [
        ("page_not_rendered", counts.rendered.failed),
        ("page_not_measured", counts.not_measured),
        ("page_details", counts.pages_without_details),
        ("page_list", counts.unlisted_pages),
        ("page_texts", counts.pages_without_texts),
    ];
    let over_limit = counts.render_limit.map(|limit| {
        let reason = limit.skip_reason().to_owned();
        (reason, counts.rendered.over_limit)
    });
    let of_site = of_site.map(|(reason, count)| (reason.to_owned(), count));
    of_pages
        .chain(of_site)
        .chain(over_limit)
        .filter(|(_, count)| *count > 0)
        .collect()
}

/// How many URLs were skipped, by reason, in a fixed order. `counts` begins with those that are not in the
/// table.
fn skipped(site: &Site, mut counts: BTreeMap<SkipReason, u64>) -> Vec<(String, u64)> {
    for (_, entry) in site.urls.iter() {
        if let UrlState::Skipped(reason) = entry.state {
            let reason = match reason {
                // The other reasons apply to the site's own URLs.
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
