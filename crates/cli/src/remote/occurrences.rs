//! `assay reports causes` and `assay reports occurrences`.

use anyhow::Result;
use api_types::report::{Cause, CauseList, Occurrence};
use domain::text::grouped;

use super::labels;
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
    let issue = session.issue(&id, issue).await?;
    let client = &session.client;
    let list = client.causes(&id, &issue.issue_id, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        if list.causes.is_empty() {
            return "No causes.\n".to_owned();
        }
        let rows = list.causes.iter().map(|it| cause(it, &issue.check_id));
        table(["AFFECTS", "TIMES", "GAIN", "CAUSE", "FINGERPRINT"], rows)
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
    let issue = session.issue(&id, issue).await?;
    let client = &session.client;
    let list = client.occurrences(
        &id,
        &issue.issue_id,
        cause,
        page.limit,
        page.cursor.as_deref(),
    );
    let list = list.await?;
    session.print(&list, |list| {
        if list.occurrences.is_empty() {
            return "No occurrences.\n".to_owned();
        }
        let rows = list.occurrences.iter().map(place);
        table(["PAGE", "LINE", "SELECTOR", "MESSAGE"], rows)
    })?;
    let (stored, total) = (list.value.occurrences_stored, list.value.occurrences_total);
    unkept(session, (stored, total), "occurrences");
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

fn cause(cause: &Cause, check: &str) -> [String; 5] {
    [
        labels::reach(Some(check), cause.affected_pages),
        grouped(cause.occurrences_total),
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
