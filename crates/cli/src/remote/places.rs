//! `assay reports occurrences` and `assay reports pages`.

use anyhow::Result;
use api_types::report::{Occurrence, OccurrenceList, Page};
use report::plain::plain;

use super::refuse_here;
use super::runs::more;
use super::session::Session;
use super::table::table;
use crate::args::PageArgs;
use crate::exit::Exit;
use crate::output::write_note;

pub(super) async fn occurrences(
    session: &Session,
    report: &str,
    issue: &str,
    page: &PageArgs,
) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let issue = match issue_id(session, &id, issue).await? {
        Ok(issue) => issue,
        Err((code, why)) => return refuse_here(session, code, &why),
    };
    let client = &session.client;
    let list = client.occurrences(&id, &issue, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        let rows = list.occurrences.iter().map(place);
        table(["PAGE", "LINE", "SELECTOR", "MESSAGE"], rows)
    })?;
    unkept(session, &list.value);
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

/// The issue that is named by its id or by its check; why not, with a code, where that is none or found several.
async fn issue_id(
    session: &Session,
    report: &str,
    named: &str,
) -> Result<std::result::Result<String, (&'static str, String)>> {
    if named.starts_with("iss_") {
        return Ok(Ok(named.to_owned()));
    }
    let issues = session.client.report(report).await?.value.issues;
    let found: Vec<_> = issues
        .iter()
        .filter(|issue| issue.check_id == named)
        .collect();
    Ok(match found.as_slice() {
        [] => {
            let why = format!("{} found no issue in the report", plain(named));
            Err(("not_found", why))
        }
        [issue] => Ok(issue.issue_id.clone()),
        several => {
            let of = |issue: &&api_types::report::Issue| {
                format!("\n  {}  {}", issue.issue_id, plain(&issue.title))
            };
            let list: String = several.iter().map(of).collect();
            let why = format!("{named} found several issues; say which:{list}");
            Err(("invalid_request", why))
        }
    })
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

/// Says how many places are told of nowhere.
fn unkept(session: &Session, list: &OccurrenceList) {
    if !session.json && list.occurrences_stored < list.occurrences_total {
        write_note(&format!(
            "{} of {} places are kept.",
            list.occurrences_stored, list.occurrences_total
        ));
    }
}

pub(super) async fn pages(session: &Session, report: &str, page: &PageArgs) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let client = &session.client;
    let list = client
        .pages(&id, page.limit, page.cursor.as_deref())
        .await?;
    session.print(&list, |list| {
        let rows = list.pages.iter().map(visit);
        table(
            ["STATUS", "CLICKS", "BYTES", "ISSUES", "PAGE", "TITLE"],
            rows,
        )
    })?;
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

fn visit(page: &Page) -> [String; 6] {
    let dash = || "–".to_owned();
    [
        page.status.map_or_else(dash, |status| status.to_string()),
        page.depth.map_or_else(dash, |depth| depth.to_string()),
        page.bytes.map_or_else(dash, |bytes| bytes.to_string()),
        page.issue_count.to_string(),
        page.url.clone(),
        page.title.clone().unwrap_or_else(dash),
    ]
}
