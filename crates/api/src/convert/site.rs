use api_types::site as wire;
use domain::id::SiteId;
use domain::ports::{HistoryEntry, SiteOverview};
use domain::report::Variant;
use domain::site::{MAX_SITE_NAME_CHARS, Site, SiteName};

use super::{run, subscores, time};
use httpkit::problem::Problem;
use report::json::measured_page;

/// All sites.
pub(crate) fn sites(sites: &[SiteOverview], variant: Variant) -> wire::SiteList {
    wire::SiteList {
        sites: sites
            .iter()
            .map(|overview| site(overview, variant))
            .collect(),
    }
}

/// A site.
pub(crate) fn site(overview: &SiteOverview, variant: Variant) -> wire::Site {
    let site = &overview.site;
    let scores = overview.latest_scores.as_ref();
    wire::Site {
        site_id: site.id.to_string(),
        url: site.url.clone(),
        name: site.name.clone(),
        created_at: time(site.created_at),
        latest_run: overview.latest_run.as_ref().map(run),
        latest_score: scores.map(|scores| scores.overall(variant)),
        open_actions: overview.open_actions,
    }
}

/// A site that was just created.
pub(crate) fn new_site(site: Site) -> wire::Site {
    wire::Site {
        site_id: site.id.to_string(),
        url: site.url,
        name: site.name,
        created_at: time(site.created_at),
        latest_run: None,
        latest_score: None,
        open_actions: 0,
    }
}

/// The name of a site in a request.
pub(crate) fn site_name(text: &str) -> Result<SiteName, Problem> {
    SiteName::parse(text).ok_or_else(|| {
        let needed = format!(
            "Must be text of 1 to {MAX_SITE_NAME_CHARS} characters, not only white space, without control characters."
        );
        Problem::field("name", needed)
    })
}

/// The history of a site.
pub(crate) fn history(
    site: &SiteId,
    entries: &[HistoryEntry],
    variant: Variant,
) -> wire::SiteHistory {
    let entry = |entry: &HistoryEntry| wire::HistoryRun {
        run: run(&entry.run),
        overall_score: entry.scores.as_ref().map(|scores| scores.overall(variant)),
        subscores: entry
            .scores
            .as_ref()
            .map(|scores| subscores(scores, variant)),
        lab: entry.lab.as_ref().map(measured_page),
    };
    wire::SiteHistory {
        site_id: site.to_string(),
        runs: entries.iter().map(entry).collect(),
    }
}
