//! Resources: reports and the documentation of checks.

use api_types::report::Severity;
use report::untrusted::excerpt;
use serde_json::Value;

use crate::answer::{TextOrigin, ToolResponse, quoted};
use crate::context::Context;
use crate::failure::Failure;
use crate::tools::report as part;

/// Before the id of a report.
const REPORTS: &str = "assay://reports/";
/// Before the id of a check.
const CHECKS: &str = "assay://checks/";
/// The maximum number of listed reports, one per site.
const LISTED: usize = 50;
/// Both are text with Markdown in it.
pub(crate) const MARKDOWN: &str = "text/markdown";

/// A kind of resource.
pub(crate) struct Template {
    pub(crate) uri: &'static str,
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}

/// The kinds of resources.
pub(crate) const TEMPLATES: [Template; 2] = [
    Template {
        uri: "assay://reports/{reportId}",
        name: "report",
        title: "Report",
        description: "The scores of a report, their calculation, and its worst issues.",
    },
    Template {
        uri: "assay://checks/{checkId}",
        name: "check",
        title: "Check",
        description: "What a check tests, why it matters, and how to fix its findings.",
    },
];

/// A resource in the list.
pub(crate) struct Listed {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) description: String,
}

/// The latest report of each site.
pub(crate) async fn list(context: &Context) -> Result<Vec<Listed>, Failure> {
    let sites = context.client.sites().await?.value.sites;
    let reports = sites.into_iter().filter_map(|site| {
        let run = site.latest_run?;
        let report = run.report_id?;
        Some(Listed {
            uri: format!("{REPORTS}{report}"),
            name: report,
            title: format!("Report of {}", excerpt(&site.name)),
            description: format!(
                "The latest report of {}, created {}.",
                excerpt(&site.url),
                run.finished_at.unwrap_or_default()
            ),
        })
    });
    Ok(reports.take(LISTED).collect())
}

/// The content of a resource.
pub(crate) async fn read(context: &Context, uri: &str) -> Result<String, Failure> {
    if let Some(id) = uri.strip_prefix(CHECKS) {
        let page = context.client.check_page(id).await?;
        let answer = ToolResponse::fitting(Value::from(page), TextOrigin::Service)?;
        return Ok(answer.structure.as_str().unwrap_or_default().to_owned());
    }
    let Some(id) = uri.strip_prefix(REPORTS) else {
        return Err(Failure::new(
            "not_found",
            "Unknown resource. The URIs are assay://reports/{reportId} and assay://checks/{checkId}.",
        ));
    };
    let report = context.client.report(id).await?.value;
    let arguments = part::Arguments {
        report_id: id.to_owned(),
        dimension: None,
        severity: Severity::Info,
        limit: 20,
        evidence: 3,
        scoring: true,
        cursor: String::new(),
    };
    let page = part::page(report, &arguments)?;
    let structure = serde_json::to_value(page).unwrap_or_default();
    let structure = context.offers.answer(structure);
    quoted(structure)
}

/// The ids with this prefix, for completion.
pub(crate) async fn complete(
    context: &Context,
    uri: &str,
    begun: &str,
) -> Result<Vec<String>, Failure> {
    let mut ids: Vec<String> = if uri.starts_with(CHECKS) {
        let checks = context.client.checks().await?.value.checks;
        checks.into_iter().map(|check| check.check_id).collect()
    } else if uri.starts_with(REPORTS) {
        list(context)
            .await?
            .into_iter()
            .map(|listed| listed.name)
            .collect()
    } else {
        Vec::new()
    };
    ids.retain(|id| id.starts_with(begun));
    Ok(ids)
}
