//! `assay reports causes` and `assay reports occurrences`.

use anyhow::Result;
use api_types::report::{Cause, CauseList, Occurrence};
use report::plain::plain;

use super::refuse_here;
use super::runs::more;
use super::session::Session;
use super::table::table;
use crate::args::PageArgs;
use crate::exit::Exit;
use crate::output::write_note;

pub(super) async fn causes(
    session: &Session,
    report: &str,
    issue: &str,
    page: &PageArgs,
) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let Some(issue) = issue_id(session, &id, issue).await? else {
        return refuse_here(session, "not_found", &not_found(issue));
    };
    let client = &session.client;
    let list = client.causes(&id, &issue, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        let rows = list.causes.iter().map(cause);
        table(["PAGES", "TIMES", "GAIN", "CAUSE", "FINGERPRINT"], rows)
    })?;
    let CauseList {
        causes_stored,
        causes_total,
        ..
    } = list.value;
    unkept(session, (causes_stored, causes_total), "causes");
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

pub(super) async fn occurrences(
    session: &Session,
    report: &str,
    issue: &str,
    cause: Option<&str>,
    page: &PageArgs,
) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let Some(issue) = issue_id(session, &id, issue).await? else {
        return refuse_here(session, "not_found", &not_found(issue));
    };
    let client = &session.client;
    let list = client.occurrences(&id, &issue, cause, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        let rows = list.occurrences.iter().map(place);
        table(["PAGE", "LINE", "SELECTOR", "MESSAGE"], rows)
    })?;
    let (stored, total) = (list.value.occurrences_stored, list.value.occurrences_total);
    unkept(session, (stored, total), "occurrences");
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

/// The issue with this id or check; `None` if the check found nothing.
pub(super) async fn issue_id(
    session: &Session,
    report: &str,
    named: &str,
) -> Result<Option<String>> {
    if named.starts_with("iss_") {
        return Ok(Some(named.to_owned()));
    }
    let issues = session.client.report(report).await?.value.issues;
    let found = issues.into_iter().find(|issue| issue.check_id == named);
    Ok(found.map(|issue| issue.issue_id))
}

pub(super) fn not_found(named: &str) -> String {
    format!("the report has no issue {}", plain(named))
}

fn cause(cause: &Cause) -> [String; 5] {
    [
        cause.affected_pages.to_string(),
        cause.occurrences_total.to_string(),
        format!("{:.1}", cause.score_impact),
        cause.message.clone(),
        cause.fingerprint.clone(),
    ]
}

fn place(place: &Occurrence) -> [String; 4] {
    let line = place.line.map(|line| line.to_string());
    let dash = || "–".to_owned();
    [
        place.url.clone(),
        line.unwrap_or_else(dash),
        place.selector.clone().unwrap_or_else(dash),
        place.message.clone(),
    ]
}

/// Prints a note if not all are stored.
pub(super) fn unkept(session: &Session, (stored, total): (u64, u64), what: &str) {
    if !session.json && stored < total {
        write_note(&format!("{stored} of {total} {what} are stored."));
    }
}
