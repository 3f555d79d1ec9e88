//! Prompts that users select.

use std::collections::BTreeMap;

use api_types::action::ActionStatus;
use api_types::handoff::{HandoffFormat, HandoffRequest};
use api_types::report::Severity;
use api_types::site::Site;
use client::ActionFilter;

use crate::answer::{MOST_BYTES, quoted};
use crate::context::Context;
use crate::failure::Failure;
use crate::tools::report as part;
use crate::tools::score::FORMULA;

/// A prompt.
pub(crate) struct Prompt {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) arguments: &'static [Argument],
}

/// An argument of a prompt.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) required: bool,
}

const SITE: Argument = Argument {
    name: "site",
    description: "The site: its id or its host, for example example.com.",
    required: true,
};

/// All prompts.
pub(crate) const ALL: [Prompt; 2] = [
    Prompt {
        name: "fix_worst_issues",
        title: "Fix the worst issues",
        description: "Fix the worst issues of a site, then audit it again to verify the fixes.",
        arguments: &[
            SITE,
            Argument {
                name: "count",
                description: "The number of issues, 1 to 10; default 5.",
                required: false,
            },
        ],
    },
    Prompt {
        name: "explain_score",
        title: "Explain this score",
        description: "Explain how a site's score is calculated and what would raise it most.",
        arguments: &[SITE],
    },
];

/// The text of a prompt.
pub(crate) async fn text(
    context: &Context,
    name: &str,
    arguments: &BTreeMap<String, String>,
) -> Result<String, Failure> {
    let named = arguments.get("site").map_or("", String::as_str);
    if named.is_empty() {
        return Err(Failure::new(
            "invalid_arguments",
            "The argument site is required: the site's id or its host.",
        ));
    }
    let site = find(context, named).await?;
    let text = match name {
        "fix_worst_issues" => fix(context, &site, count(arguments)?).await?,
        _ => explain(context, &site).await?,
    };
    if text.len() > MOST_BYTES {
        return Err(Failure::new(
            "answer_too_large",
            "The prompt exceeds 64 KiB. Request fewer items.",
        ));
    }
    Ok(text)
}

fn count(arguments: &BTreeMap<String, String>) -> Result<u32, Failure> {
    match arguments.get("count").map(String::as_str) {
        None | Some("") => Ok(5),
        Some(text) => text
            .parse()
            .ok()
            .filter(|count| (1..=10).contains(count))
            .ok_or_else(|| {
                Failure::new(
                    "invalid_arguments",
                    "The argument count must be a number from 1 to 10.",
                )
            }),
    }
}

async fn find(context: &Context, named: &str) -> Result<Site, Failure> {
    let host = |text: &str| {
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        let host = rest.split('/').next().unwrap_or_default();
        host.strip_prefix("www.")
            .unwrap_or(host)
            .to_ascii_lowercase()
    };
    let sites = context.client.sites().await?.value.sites;
    let mut found = sites
        .into_iter()
        .filter(|site| site.site_id == named || host(&site.url) == host(named));
    found.next().ok_or_else(|| {
        Failure::new(
            "not_found",
            "Unknown site. list_sites lists all sites; start_audit creates one.",
        )
    })
}

async fn fix(context: &Context, site: &Site, count: u32) -> Result<String, Failure> {
    let (what, worst_by) = if context.offers.has_actions() {
        ("action items", "highest priority")
    } else {
        ("issues", "largest score impact")
    };
    let steps = format!(
        "Fix the {what} of the site {} ({}) with the {worst_by}. They are listed below.\n\n\
         1. Fix each item in the site's source. Change nothing else.\n\
         2. When the changed site is reachable, call start_audit with its url and siteId {}, then wait_for_run.\n\
         3. {}\n\
         4. Summarize in a few lines what you changed, what is verified, and what remains open.\n\n",
        site.url,
        site.site_id,
        site.site_id,
        if context.offers.has_actions() {
            "Call get_action for each item: verifiedAt is set if the audit verified the fix. Do not set the status to done yourself."
        } else {
            "Call get_report for the new report and check that the issues are fixed."
        }
    );
    if !context.offers.has_actions() {
        return Ok(format!(
            "{steps}{}",
            worst(context, site, count, false).await?
        ));
    }
    let filter = ActionFilter {
        statuses: vec![ActionStatus::Open, ActionStatus::InProgress],
        site: Some(site.site_id.clone()),
        limit: Some(count),
        ..ActionFilter::default()
    };
    let items = context.client.actions(&filter).await?.value.actions;
    if items.is_empty() {
        return Ok(format!(
            "{} has no open action items. Call start_audit to audit it again.",
            site.url
        ));
    }
    let request = HandoffRequest {
        ids: items.into_iter().map(|item| item.action_id).collect(),
        format: Some(HandoffFormat::Markdown),
    };
    let handoff = context.client.handoff(&request).await?.value;
    Ok(format!("{steps}{}", handoff.prompt))
}

async fn explain(context: &Context, site: &Site) -> Result<String, Failure> {
    let report = worst(context, site, 5, true).await?;
    Ok(format!(
        "{report}\n\nExplain the score of {} ({}) to its owner, from the report above.\n\n\
         - Start with one sentence: the overall score and what lowers it most.\n\
         - {FORMULA} Show the calculation.\n\
         - Name the three changes that would raise the overall score most, with the points each gains \
         (scoreImpact). Call get_check for what you do not know.\n\
         - Use only words that the owner of a shop knows.\n",
        site.url, site.site_id
    ))
}

/// The worst issues of a site's latest report, fenced.
async fn worst(
    context: &Context,
    site: &Site,
    count: u32,
    scoring: bool,
) -> Result<String, Failure> {
    let history = context.client.history(&site.site_id, Some(50)).await?.value;
    let report = history.runs.into_iter().find_map(|run| run.run.report_id);
    let Some(id) = report else {
        return Err(Failure::new(
            "not_found",
            format!(
                "The site {} has no report yet. Call start_audit first.",
                site.site_id
            ),
        ));
    };
    let report = context.client.report(&id).await?.value;
    let arguments = part::Arguments {
        report_id: id,
        dimension: None,
        severity: Severity::Minor,
        limit: count,
        evidence: 3,
        scoring,
        cursor: String::new(),
    };
    let page = serde_json::to_value(part::page(report, &arguments)?).unwrap_or_default();
    quoted(context.offers.answer(page))
}
