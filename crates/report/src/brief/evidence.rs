//! Where a problem was seen.

use std::collections::{BTreeMap, BTreeSet};

use domain::action::Dossier;
use domain::report::{Issue, Occurrence, SubjectKind};
use domain::text::{count, grouped};

use super::Draft;
use crate::untrusted::{Fence, Whose};

/// How much evidence is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Depth {
    /// Causes at most.
    pub(crate) causes: usize,
    /// Places of a cause at most.
    pub(crate) places: usize,
    /// Addresses at most.
    pub(crate) pages: usize,
}

/// The check of an item, if it has the form of an id, so that it may stand outside of fences and in
/// commands.
pub(crate) fn check_id(dossier: &Dossier) -> Option<&str> {
    let id = dossier.item.audit.as_ref()?.check_id.as_str();
    let is_id = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.len() <= 64
        && id
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    is_id.then_some(id)
}

/// All places of a dossier, in the order of the report.
pub(crate) fn places(dossier: &Dossier) -> impl Iterator<Item = &Occurrence> {
    dossier.issues.iter().flat_map(|issue| &issue.occurrences)
}

/// The causes, each with how far it reaches and its first places.
pub(crate) fn write_evidence(draft: &mut Draft, issues: &[Issue], depth: Depth, level: usize) {
    let total = issues.len();
    for (number, issue) in (1_usize..).zip(issues).take(depth.causes) {
        if total > 1 {
            draft.heading(level, &format!("Cause {number} of {total}"));
        }
        let shown = issue.occurrences.len().min(depth.places);
        draft.paragraph(&format!("{} {}", extent(issue), shown_of(shown, issue)));
        let mut fence = Fence::new(Whose::Page);
        fence.field("finding", &issue.title);
        for place in issue.occurrences.iter().take(depth.places) {
            fence.blank();
            write_place(&mut fence, place);
        }
        draft.fence(&fence);
    }
    if total > depth.causes {
        let left = u64::try_from(total - depth.causes).unwrap_or(u64::MAX);
        draft.paragraph(&format!(
            "{} of the same kind {} in the report.",
            count(left, "more cause", "more causes"),
            if left == 1 { "is" } else { "are" }
        ));
    }
}

fn write_place(fence: &mut Fence, place: &Occurrence) {
    fence.field("url", &place.url);
    if let Some(line) = place.line {
        fence.field("line", &line.to_string());
    }
    if let Some(selector) = &place.selector {
        fence.field("selector", selector);
    }
    if let Some(snippet) = &place.snippet {
        fence.field("excerpt", snippet);
    }
    fence.field("wrong here", &place.message);
}

/// "On 34 pages, 67 times."
fn extent(issue: &Issue) -> String {
    let total = issue.occurrences_total;
    let times = count(total, "time", "times");
    match issue.subject {
        SubjectKind::Page => {
            let pages = count(issue.affected_pages, "page", "pages");
            if total > issue.affected_pages {
                format!("On {pages}, {times}.")
            } else {
                format!("On {pages}.")
            }
        }
        SubjectKind::Resource => format!(
            "In {} of {}.",
            grouped(issue.affected),
            count(issue.applicable, "file", "files")
        ),
        SubjectKind::Origin => "A property of the server.".to_owned(),
        SubjectKind::Site => "A property of the site as a whole.".to_owned(),
    }
}

fn shown_of(shown: usize, issue: &Issue) -> String {
    let shown = u64::try_from(shown).unwrap_or(u64::MAX);
    match issue.occurrences_total {
        0 => String::new(),
        1 => "The place:".to_owned(),
        total if shown >= total => "All of them:".to_owned(),
        total => format!("{shown} of {} places:", grouped(total)),
    }
}

/// The first addresses, and how many there are.
pub(crate) fn write_affected(draft: &mut Draft, dossier: &Dossier, depth: Depth) {
    let mut seen = BTreeSet::new();
    let urls: Vec<_> = places(dossier)
        .map(|place| place.url.as_str())
        .filter(|url| seen.insert(*url))
        .collect();
    let known = u64::try_from(urls.len()).unwrap_or(u64::MAX);
    let on_pages = dossier
        .item
        .audit
        .as_ref()
        .map_or(0, |audit| audit.affected_pages);
    let total = known.max(on_pages);
    let shown = u64::try_from(urls.len().min(depth.pages)).unwrap_or(u64::MAX);
    draft.paragraph(&match (shown, total) {
        (1, 1) => "One address:".to_owned(),
        _ if shown >= total => format!("All {total} addresses:"),
        _ => format!(
            "The first {shown} of {} addresses. The fix must hold for all of them:",
            grouped(total)
        ),
    });
    let mut fence = Fence::new(Whose::Page);
    for url in urls.into_iter().take(depth.pages) {
        fence.entry(url);
    }
    draft.fence(&fence);
}

/// How many places have one selector in common, on different pages; none where no two have.
pub(super) fn alike(issues: &[Issue]) -> Option<usize> {
    let mut pages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for place in issues.iter().flat_map(|issue| &issue.occurrences) {
        if let Some(selector) = &place.selector {
            pages.entry(selector).or_default().insert(&place.url);
        }
    }
    let most = pages.values().map(BTreeSet::len).max()?;
    (most > 1).then_some(most)
}
