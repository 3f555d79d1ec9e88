//! `list_sites`, `get_site_history`.

use api_types::run::RunStatus;
use api_types::site::{Site, SiteHistory};
use report::untrusted::excerpt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::{history, more};
use crate::answer::{TextOrigin, fits};
use crate::context::Context;
use crate::failure::Failure;
use crate::page;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct ListSites;

/// Pagination.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ListArguments {
    /// The nextCursor of the previous page.
    #[serde(default)]
    #[schema(default = "")]
    cursor: String,
}

/// The sites of the organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sites {
    /// The sites, oldest first.
    sites: Vec<SiteSummary>,
    /// The total number.
    total: usize,
    /// The cursor of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// A site with a summary of its latest run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SiteSummary {
    /// Id of the site.
    site_id: String,
    /// The root URL of the site.
    url: String,
    /// Its name.
    name: String,
    /// The overall score of the latest completed run, 0 to 100.
    latest_score: Option<u8>,
    /// The number of action items that are open or in progress.
    open_actions: u64,
    /// The latest run.
    latest_run_id: Option<String>,
    /// The status of the latest run.
    latest_run_status: Option<RunStatus>,
    /// The report of the latest run.
    latest_report_id: Option<String>,
}

impl From<Site> for SiteSummary {
    fn from(site: Site) -> Self {
        let run = site.latest_run;
        Self {
            site_id: site.site_id,
            url: site.url,
            name: excerpt(&site.name),
            latest_score: site.latest_score,
            open_actions: site.open_actions,
            latest_run_status: run.as_ref().map(|run| run.status),
            latest_report_id: run.as_ref().and_then(|run| run.report_id.clone()),
            latest_run_id: run.map(|run| run.run_id),
        }
    }
}

impl Tool for ListSites {
    const NAME: &'static str = "list_sites";
    const TITLE: &'static str = "List sites";
    const DESCRIPTION: &'static str = "List the sites with their latest score, run and report.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = ListArguments;
    type Output = Sites;

    async fn call(context: &Context, arguments: ListArguments) -> Result<Sites, Failure> {
        let all = context.client.sites().await?.value.sites;
        let total = all.len();
        let start = match arguments.cursor.as_str() {
            "" => 0,
            cursor => cursor.parse().map_err(|_| {
                Failure::argument("cursor", "must be the nextCursor of an earlier result")
            })?,
        };
        let mut sites: Vec<SiteSummary> = all
            .into_iter()
            .skip(start)
            .take(100)
            .map(Into::into)
            .collect();
        loop {
            let end = start + sites.len();
            let page = Sites {
                next_cursor: (end < total).then(|| end.to_string()),
                sites,
                total,
            };
            let structure = serde_json::to_value(&page).unwrap_or_default();
            if page.sites.len() <= 1 || fits(&structure, Self::TEXT_ORIGIN) {
                return Ok(page);
            }
            sites = page.sites;
            sites.truncate(sites.len() / 2);
        }
    }

    fn next(page: &Sites, _offers: Offers) -> String {
        let next = match page.sites.is_empty() {
            true => "start_audit audits a URL and creates its site.",
            false => {
                "Call get_report with a latestReportId, or start_audit with the url of a site."
            }
        };
        more(page.next_cursor.as_deref(), next)
    }
}

pub(super) struct GetSiteHistory;

/// The site and the limit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct HistoryArguments {
    /// Id of the site.
    site_id: String,
    /// The maximum number of runs; fewer if they do not fit.
    #[serde(default = "history")]
    #[schema(default = 10, minimum = 1, maximum = 100)]
    limit: u32,
}

impl Tool for GetSiteHistory {
    const NAME: &'static str = "get_site_history";
    const TITLE: &'static str = "Get the history of a site";
    const DESCRIPTION: &'static str =
        "Get the recent runs of a site with their scores, newest first.";
    const EFFECT: Effect = Effect::Reads;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = HistoryArguments;
    type Output = SiteHistory;

    async fn call(context: &Context, arguments: HistoryArguments) -> Result<SiteHistory, Failure> {
        page::fitting(arguments.limit, Self::TEXT_ORIGIN, |limit| {
            context.client.history(&arguments.site_id, Some(limit))
        })
        .await
    }

    fn next(history: &SiteHistory, _offers: Offers) -> String {
        match history.runs.first() {
            Some(_) => "Call get_report with the reportId of a completed run.".to_owned(),
            None => "start_audit audits the site.".to_owned(),
        }
    }
}
