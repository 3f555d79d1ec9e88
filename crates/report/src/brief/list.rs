//! All places of an issue, one line each.

use domain::action::Dossier;
use domain::report::{Issue, IssueCause, Occurrence};
use domain::text::grouped;

use super::{Depth, Draft, check_id};
use crate::untrusted::{Fence, Whose, excerpt};
use crate::wording::cause;
use crate::wording::number_of;

/// A common beginning of fewer characters is not named: it would say no more than the host.
const SHORTEST_PREFIX: usize = 24;

/// Lists all causes, or all places of the only cause, at most this many, and says how to get the rest.
/// Returns whether there is a list: not if evidence of this depth shows everything, and not if there is no room.
///
/// What stands outside of the fence does not depend on the texts of the site.
pub(crate) fn write_list(
    draft: &mut Draft,
    dossier: &Dossier,
    level: usize,
    depth: Depth,
    entries: usize,
) -> bool {
    let Some(issue) = &dossier.issue else {
        return false;
    };
    let several = issue.causes_total > 1;
    let lines = match several {
        true => causes(issue),
        false => places(issue),
    };
    let total = match several {
        true => issue.causes_total,
        false => issue.occurrences_total,
    };
    let shown = if several { depth.causes } else { depth.places };
    if total <= number_of(shown) {
        return false;
    }
    let prefix = shared_prefix(lines.iter().map(|line| line.subject.as_str()));
    let mut fence = Fence::new(Whose::Page);
    if let Some(prefix) = &prefix {
        fence.field("all begin with", prefix);
    }
    for line in lines.iter().take(entries) {
        let subject = prefix.as_ref().and_then(|prefix| {
            let rest = line.subject.strip_prefix(prefix.as_str())?;
            Some(format!("…{rest}"))
        });
        let text = excerpt(&format!(
            "{} {}",
            subject.unwrap_or_else(|| line.subject.clone()),
            line.aside
        ));
        fence.entry(text.trim_end());
    }
    let listed = lines.len().min(entries);
    if listed == 0 {
        return false;
    }
    let what = if several { "causes" } else { "places" };
    let all = number_of(listed) >= total;
    draft.heading(
        level,
        &match all {
            true => format!("All {} {what}", grouped(total)),
            false => format!("{listed} of {} {what}", grouped(total)),
        },
    );
    if several {
        draft.paragraph(
            "If the list starts with `all begin with`, look for one cause there before you fix them one by one.",
        );
    }
    draft.fence(&fence);
    if !all {
        write_rest(draft, dossier, several);
    }
    true
}

/// The calls that list the rest.
fn write_rest(draft: &mut Draft, dossier: &Dossier, several: bool) {
    let (Some(issue_id), Some(audit)) = (&dossier.issue_id, &dossier.item.audit) else {
        return;
    };
    if check_id(dossier).is_none() {
        return;
    }
    let report_id = &audit.report_id;
    let list = if several { "causes" } else { "occurrences" };
    draft.paragraph("One of these calls lists the rest, page by page:");
    draft.commands(&[
        "# the tool of the MCP server".to_owned(),
        format!(
            "list_occurrences {{\"reportId\": \"{report_id}\", \"issueId\": \"{issue_id}\", \"limit\": 200}}"
        ),
        "# the command line".to_owned(),
        format!("assay reports {list} {report_id} {issue_id}"),
        "# the HTTP API".to_owned(),
        format!("GET /api/mcp/reports/{report_id}/issues/{issue_id}/{list}"),
    ]);
}

/// A line of the list.
struct Line {
    /// What is listed: the headline of a cause, or the address of a place.
    subject: String,
    /// Where it is.
    aside: String,
}

/// The causes, each with the place of its first occurrence.
fn causes(issue: &Issue) -> Vec<Line> {
    let lines = issue.causes.iter().map(|found| Line {
        subject: found.message.clone(),
        aside: first_place(issue, found),
    });
    lines.collect()
}

/// "(on https://example.com/ line 12; 3 pages)"
fn first_place(issue: &Issue, found: &IssueCause) -> String {
    let reach = cause::reach(issue, found);
    let Some(place) = found.occurrences.first() else {
        return format!("({reach})");
    };
    let more = match found.occurrences_total {
        0 | 1 => String::new(),
        _ if reach.is_empty() => String::new(),
        _ => format!("; {reach}"),
    };
    format!("(on {}{}{more})", place.url, cause::line(place))
}

/// The places, each with its problem unless all have the same.
fn places(issue: &Issue) -> Vec<Line> {
    let differ = issue.shared_message().is_none();
    let lines = cause::occurrences(issue).map(|place| {
        let problem = match differ {
            true => format!(": {}", place.message),
            false => String::new(),
        };
        Line {
            subject: place.url.clone(),
            aside: format!("{}{problem}", spot(place)),
        }
    });
    lines.collect()
}

/// "line 12 main > img"
fn spot(place: &Occurrence) -> String {
    let line = cause::line(place);
    let selector = place.selector.as_deref().unwrap_or_default();
    format!("{} {selector}", line.trim()).trim().to_owned()
}

/// The common beginning of all texts, up to a slash; `None` if it is short.
fn shared_prefix<'a>(mut texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut prefix = texts.next()?;
    for text in texts {
        let same = prefix
            .char_indices()
            .zip(text.chars())
            .find(|((_, one), other)| one != other)
            .map_or(prefix.len().min(text.len()), |((at, _), _)| at);
        prefix = prefix.get(..same)?;
    }
    let end = prefix.rfind('/')? + 1;
    let prefix = prefix.get(..end)?;
    (prefix.chars().count() >= SHORTEST_PREFIX).then(|| prefix.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_beginning_ends_with_a_slash() {
        let texts = |texts: &[&str]| shared_prefix(texts.iter().copied());
        assert_eq!(
            texts(&[
                "Broken link to https://e.com/docs/a.html",
                "Broken link to https://e.com/docs/ab.html"
            ]),
            Some("Broken link to https://e.com/docs/".to_owned())
        );
        assert_eq!(texts(&["https://e.com/a", "https://e.com/b"]), None);
        assert_eq!(texts(&["Broken ä", "Broken ö"]), None);
        assert_eq!(texts(&[]), None);
    }
}
