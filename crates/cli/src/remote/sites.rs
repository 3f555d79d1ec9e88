//! `assay sites` and `assay history`.

use anyhow::Result;
use api_types::report::Variant;
use api_types::site::{CreateSiteRequest, HistoryRun, Site};
use domain::score::Metric;

use super::labels;
use super::session::Session;
use super::table::table;
use super::times::{minute, minute_or_dash};
use crate::args::{HistoryArgs, SitesArgs, SitesCommand};
use crate::exit::Exit;
use crate::output::write_note;

const HEADS: [&str; 6] = ["URL", "SCORE", "TO DO", "LAST RUN", "STARTED (UTC)", "SITE"];

pub(super) async fn sites(session: &Session, args: &SitesArgs) -> Result<Exit> {
    match &args.command {
        None | Some(SitesCommand::List { .. }) => {
            let sites = session.client.sites().await?;
            // With --json, print the response of the service.
            let has_actions =
                session.json || session.client.account().await?.value.variant == Variant::Current;
            session.print(&sites, |list| {
                if list.sites.is_empty() {
                    return "No sites. `assay start URL` creates one.\n".to_owned();
                }
                let rows = list.sites.iter().map(row);
                if has_actions {
                    return table(HEADS, rows);
                }
                let [url, score, _, run, started, site] = HEADS;
                table(
                    [url, score, run, started, site],
                    rows.map(|[url, score, _, run, started, site]| {
                        [url, score, run, started, site]
                    }),
                )
            })?;
        }
        Some(SitesCommand::Add { url, name, .. }) => {
            let request = CreateSiteRequest {
                url: url.clone(),
                name: name.clone(),
            };
            let site = session.client.create_site(&request).await?;
            session.print(&site, |site| format!("{}\n", site.site_id))?;
        }
        Some(SitesCommand::Remove { site, .. }) => {
            let id = session.site_id(site).await?;
            session.client.delete_site(&id).await?;
            write_note(&format!(
                "Deleted {id} with its runs, reports and action items"
            ));
        }
    }
    Ok(Exit::Fine)
}

fn row(site: &Site) -> [String; 6] {
    let run = site.latest_run.as_ref();
    [
        site.url.clone(),
        site.latest_score
            .map_or_else(|| "–".to_owned(), |score| score.to_string()),
        site.open_actions.to_string(),
        run.map_or("–", |run| labels::status(run.status)).to_owned(),
        minute_or_dash(run.and_then(|run| run.started_at.as_ref())),
        site.site_id.clone(),
    ]
}

pub(super) async fn history(session: &Session, args: &HistoryArgs) -> Result<Exit> {
    let id = session.site_id(&args.site).await?;
    let history = session.client.history(&id, args.limit).await?;
    session.print(&history, |history| {
        if history.runs.is_empty() {
            return "No runs yet.\n".to_owned();
        }
        table(
            [
                "CREATED (UTC)",
                "STATUS",
                "SCORE",
                "PERF",
                "A11Y",
                "SEO",
                "SEC",
                "CONT",
                "AI",
                "LCP",
                "RUN",
            ],
            history.runs.iter().map(history_row),
        )
    })?;
    Ok(Exit::Fine)
}

fn history_row(run: &HistoryRun) -> [String; 11] {
    let dash = || "–".to_owned();
    let number = |score: Option<u8>| score.map_or_else(dash, |score| score.to_string());
    let scores = run.subscores.as_ref();
    [
        minute(&run.run.created_at),
        labels::status(run.run.status).to_owned(),
        number(run.overall_score),
        number(scores.map(|scores| scores.performance)),
        number(scores.map(|scores| scores.accessibility)),
        number(scores.map(|scores| scores.seo)),
        number(scores.map(|scores| scores.security)),
        number(scores.map(|scores| scores.content)),
        number(scores.and_then(|scores| scores.ai_readiness)),
        (run.lab.as_ref().and_then(|page| page.lcp))
            .map_or_else(dash, |ms| report::metric_value(Metric::Lcp, ms)),
        run.run.run_id.clone(),
    ]
}
