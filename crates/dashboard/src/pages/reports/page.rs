//! A page of a report: what the audit knows about it, and everything that it found there, in source order.

use askama::Template;
use domain::Dimension;
use domain::id::ReportId;
use domain::ports::{MAX_PAGE_FINDINGS, PageFinding};
use domain::report::PageVisit;
use domain::text::{count, grouped};
use report::view::severity_mark;
use report::view::text::shown;

use super::head;
use super::header::Header;
use super::pages::number;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::evidence::{Address, MAX_TEXT, OccurrenceRow};
use crate::reply::Reply;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "pages/reports/page.html")]
struct Page {
    layout: Layout,
    header: Header,
    address: Address,
    facts: Vec<(&'static str, String)>,
    scores: Vec<(&'static str, String)>,
    findings: Vec<Finding>,
    /// "12 findings"
    told: String,
}

/// Something that was found on the page.
struct Finding {
    issue_id: String,
    check_id: String,
    severity: &'static str,
    mark: &'static str,
    title: String,
    row: OccurrenceRow,
}

/// Shows the page.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let url = visit.query.raw("url");
    let (org, stores, variant) = (visit.org()?, &visit.state.stores, visit.variant());
    let found = stores.page_of_report(org, &id, url, variant)?;
    let found = found.ok_or(Failure::NotFound)?;
    let stored = head(visit, &id)?;
    let header = Header::new(visit, &stored)?;
    let title = match &found.visit.title {
        Some(title) if !title.is_empty() => shown(title, MAX_TEXT),
        _ => shown(&found.visit.url, MAX_TEXT),
    };
    Reply::page(&Page {
        layout: Layout::new(visit, title, Section::Sites),
        header,
        address: Address::new(&found.visit.url),
        facts: facts(&found.visit),
        scores: scores(&found.visit, variant.dimensions()),
        told: told(found.findings.len(), found.is_cut),
        findings: found.findings.iter().map(Finding::new).collect(),
    })
}

fn told(shown: usize, is_cut: bool) -> String {
    let shown = u64::try_from(shown).unwrap_or(u64::MAX);
    match is_cut {
        true => format!(
            "The first {} findings that are stored for this page.",
            grouped(u64::from(MAX_PAGE_FINDINGS))
        ),
        false => format!(
            "{} stored for this page.",
            count(shown, "finding", "findings")
        ),
    }
}

impl Finding {
    fn new(finding: &PageFinding) -> Self {
        Self {
            issue_id: finding.issue_id.to_string(),
            check_id: finding.check_id.clone(),
            severity: finding.severity.as_str(),
            mark: severity_mark(finding.severity),
            title: shown(&finding.title, MAX_TEXT),
            row: OccurrenceRow::new(&finding.occurrence, Some(&finding.occurrence.message)),
        }
    }
}

fn facts(visit: &PageVisit) -> Vec<(&'static str, String)> {
    let details = &visit.details;
    let text = |text: Option<&String>| match text {
        Some(text) if !text.is_empty() => shown(text, MAX_TEXT),
        _ => "–".to_owned(),
    };
    let indexable = match details.indexable {
        Some(true) => "yes",
        Some(false) => "no",
        None => "–",
    };
    let status = visit
        .status
        .map_or_else(|| "no response".to_owned(), |status| status.to_string());
    let response = details
        .response_ms
        .map_or_else(|| "–".to_owned(), |ms| format!("{} ms", grouped(ms.into())));
    vec![
        ("Status", status),
        ("Clicks from the start page", number(visit.depth)),
        ("Description", text(details.description.as_ref())),
        ("First heading", text(details.h1.as_ref())),
        ("Canonical URL", text(details.canonical.as_ref())),
        ("Indexable", indexable.to_owned()),
        ("Language", text(details.language.as_ref())),
        ("Words", number(details.words)),
        ("Bytes", number(visit.bytes)),
        ("Bytes over the wire", number(details.transfer_bytes)),
        ("Time until the first byte", response),
        ("Pages that link to it", number(details.links_in)),
        ("URLs that it links to", number(details.links_out)),
    ]
}

fn scores(visit: &PageVisit, dimensions: &[Dimension]) -> Vec<(&'static str, String)> {
    let scores = dimensions.iter().filter_map(|&dimension| {
        let score = visit.scores.get(dimension)?.to_score();
        Some((dimension.label(), score.to_string()))
    });
    scores.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_said() {
        assert_eq!(told(1, false), "1 finding stored for this page.");
        assert!(told(500, true).starts_with("The first 500 findings"));
    }
}
