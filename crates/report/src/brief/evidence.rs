//! The evidence of an issue.

use std::collections::{BTreeMap, BTreeSet};

use domain::SubjectKind;
use domain::action::Dossier;
use domain::report::{Issue, IssueCause, Occurrence};
use domain::text::{count, grouped};

use super::Draft;
use crate::untrusted::{Fence, Whose};
use crate::wording::cause::{self, first, more_causes};
use crate::wording::number_of;

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

/// The check of an item, if it has the format of an id, so that it is safe outside of fences and in
/// commands.
pub(crate) fn check_id(dossier: &Dossier) -> Option<&str> {
    let id = dossier.item.audit.as_ref()?.check_id.as_str();
    is_check_id(id).then_some(id)
}

/// Whether a text has the format of a check id.
pub(crate) fn is_check_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.len() <= 64
        && id
            .bytes()
            .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// All places of a dossier, in the order of the report.
pub(crate) fn occurrences(dossier: &Dossier) -> impl Iterator<Item = &Occurrence> {
    dossier.issue.iter().flat_map(cause::occurrences)
}

/// The causes, each with how far it reaches and its first places.
pub(crate) fn write_evidence(draft: &mut Draft, issue: &Issue, depth: Depth, level: usize) {
    // What waivers accept is not to be fixed.
    let is_open = |is_waived: bool| issue.is_waived() || !is_waived;
    let causes = issue
        .causes
        .iter()
        .filter(|cause| is_open(cause.is_waived()));
    let open: Vec<_> = causes.collect();
    let waived = issue.causes.len().saturating_sub(open.len());
    let total = issue.causes_total.saturating_sub(number_of(waived));
    let causes = first(&open, depth.causes);
    for (number, cause) in (1_usize..).zip(causes) {
        if total > 1 {
            draft.heading(level, &format!("Cause {number} of {}", grouped(total)));
        }
        let places = cause
            .occurrences
            .iter()
            .filter(|place| is_open(place.waiver.is_some()));
        let places: Vec<_> = places.take(depth.places).collect();
        let total = match is_open(true) {
            true => cause.occurrences_total,
            false => cause.occurrences_total.saturating_sub(cause.waived),
        };
        let shown = shown_of(places.len(), total);
        draft.paragraph(&format!("{} {shown}", extent(issue, cause)));
        let mut fence = Fence::new(Whose::Page);
        fence.field("finding", &cause.message);
        for place in places {
            fence.blank();
            write_place(&mut fence, place);
        }
        draft.fence(&fence);
    }
    if let Some(more) = more_causes(issue, causes.len() + waived) {
        draft.paragraph(&format!("The report has {more}."));
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
    fence.field("problem", &place.message);
}

/// "On 34 pages, 67 times."
fn extent(issue: &Issue, cause: &IssueCause) -> String {
    match issue.subject {
        SubjectKind::Page => format!("On {}.", cause::reach(issue, cause)),
        SubjectKind::Resource => format!(
            "In {} of {}.",
            grouped(cause.affected),
            count(issue.applicable, "file", "files")
        ),
        SubjectKind::Origin => "The finding is about the server.".to_owned(),
        SubjectKind::Site => "The finding is about the whole site.".to_owned(),
    }
}

fn shown_of(shown: usize, total: u64) -> String {
    let shown = number_of(shown);
    match total {
        0 => String::new(),
        1 => "The occurrence:".to_owned(),
        total if shown >= total => "All occurrences:".to_owned(),
        total => format!("{shown} of {} occurrences:", grouped(total)),
    }
}

/// The first addresses, and how many there are.
pub(crate) fn write_affected(draft: &mut Draft, dossier: &Dossier, depth: Depth) {
    let mut seen = BTreeSet::new();
    let urls: Vec<_> = occurrences(dossier)
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
        (1, 1) => "One URL:".to_owned(),
        _ if shown >= total => format!("All {total} URLs:"),
        _ => format!(
            "The first {shown} of {} URLs. The fix must cover all of them:",
            grouped(total)
        ),
    });
    let mut fence = Fence::new(Whose::Page);
    for url in urls.into_iter().take(depth.pages) {
        fence.entry(url);
    }
    draft.fence(&fence);
}

/// Whether two occurrences on different pages have the same selector.
pub(super) fn is_repeated(issue: &Issue) -> bool {
    let mut pages: BTreeMap<&str, &str> = BTreeMap::new();
    cause::occurrences(issue).any(|place| {
        let Some(selector) = &place.selector else {
            return false;
        };
        *pages.entry(selector).or_insert(&place.url) != place.url
    })
}
