//! What to fix, for a language model: small, the worst first, and complete enough to act on.
//!
//! Our words stand outside of fences, all words of the audited site within
//! ([`untrusted`](crate::untrusted)). It never has more than [`limits::LLM_BYTES`] bytes: what does
//! not fit is counted, so that nothing seems not to be there.

use domain::ports::CheckGuide;
use domain::report::{Issue, Report, StoppedBy};
use domain::text::{count, points};
use domain::{Confidence, Severity};

use super::{Export, limits};
use crate::brief::{Draft, reading_rule};
use crate::untrusted::{Fence, Whose};

/// Causes of a check, and places of a cause.
const CAUSES: usize = 3;
const PLACES: usize = 2;
/// Bytes that are kept for the list of what is not told in full, and for the end.
const KEPT_BACK: usize = 6 * 1024;
/// Checks in that list.
const LISTED: usize = 80;

pub(super) fn render(export: &Export<'_>) -> String {
    let checks = checks(export.report);
    let mut text = beginning(export, &checks);
    let room = limits::LLM_BYTES.saturating_sub(KEPT_BACK);
    let mut told = 0;
    for check in checks
        .iter()
        .filter(|check| check.worst().severity != Severity::Info)
    {
        let mut draft = Draft::default();
        write_check(&mut draft, export, told + 1, check);
        let item = draft.finish();
        if text.len() + item.len() > room {
            break;
        }
        text.push('\n');
        text.push_str(&item);
        told += 1;
    }
    let mut draft = Draft::default();
    write_rest(&mut draft, checks.get(told..).unwrap_or_default());
    draft.heading(2, "Your instructions, once more");
    draft.paragraph(&format!(
        "{} Work on the items in their order, one after the other; where one does not apply or \
         cannot be fixed in this project, leave it and say why.",
        reading_rule()
    ));
    text.push('\n');
    text.push_str(&draft.finish());
    text
}

/// A check with what it found, worst first.
struct Check<'a> {
    id: &'a str,
    first: &'a Issue,
    issues: Vec<&'a Issue>,
}

impl<'a> Check<'a> {
    const fn worst(&self) -> &'a Issue {
        self.first
    }

    fn places(&self) -> u64 {
        let totals = self.issues.iter().map(|issue| issue.occurrences_total);
        totals.fold(0, u64::saturating_add)
    }

    fn gain(&self, export: &Export<'_>) -> f64 {
        let gains = self.issues.iter().filter_map(|issue| export.gain(issue));
        gains.sum()
    }

    /// "`image-alt`", where it has the form of an id.
    fn name(&self) -> String {
        let is_id = self.id.len() <= 64
            && self.id.starts_with(|c: char| c.is_ascii_lowercase())
            && self
                .id
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if is_id {
            format!("`{}`", self.id)
        } else {
            "a check that is not in the catalogue".to_owned()
        }
    }
}

/// The checks, in the order of their worst issues.
fn checks(report: &Report) -> Vec<Check<'_>> {
    let mut checks: Vec<Check<'_>> = Vec::new();
    for issue in &report.issues {
        match checks.iter_mut().find(|check| check.id == issue.check_id) {
            Some(check) => check.issues.push(issue),
            None => checks.push(Check {
                id: &issue.check_id,
                first: issue,
                issues: vec![issue],
            }),
        }
    }
    checks
}

fn beginning(export: &Export<'_>, checks: &[Check<'_>]) -> String {
    let mut draft = Draft::default();
    draft.heading(1, "Website audit: what to fix, worst first");
    let mut site = Fence::new(Whose::Page);
    site.field("url", &export.report.url);
    site.field("audited at", &export.identity.created_at);
    draft.fence(&site);
    draft.paragraph(&reading_rule());
    if let Some(overall) = export.scored.overall(export.report) {
        draft.item(&format!("Overall score: {overall} of 100"));
    }
    let subscores = export.scored.dimensions(export.report);
    let subscores: Vec<_> = subscores
        .map(|(dimension, score)| format!("{} {}", dimension.label(), score.subscore))
        .collect();
    if !subscores.is_empty() {
        draft.item(&format!("Subscores: {}", subscores.join(", ")));
    }
    let coverage = &export.report.coverage;
    let stopped = match coverage.stopped_by {
        None => "",
        Some(StoppedBy::PageCap) => "; the page limit ended the crawl",
        Some(StoppedBy::Depth) => "; deeper pages were not visited",
        Some(StoppedBy::Deadline) => "; the crawl ran out of time",
        Some(StoppedBy::Cancelled) => "; the crawl was cancelled",
    };
    draft.item(&format!(
        "Audited: {}{stopped}",
        count(coverage.pages_audited, "page", "pages")
    ));
    let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    draft.item(&format!(
        "Found: {} of {}",
        count(number(export.report.issues.len()), "issue", "issues"),
        count(number(checks.len()), "check", "checks")
    ));
    draft.paragraph(
        "Fix causes in the source (template, component, content, server configuration), never in \
         built files: places with one selector on many pages have one cause. Change nothing else. \
         Verify with `assay audit URL --check ID`, where URL is your own build (with \
         `--allow-target localhost:3000` for loopback) or the published site; it lists what is left.",
    );
    draft.finish()
}

fn write_check(draft: &mut Draft, export: &Export<'_>, number: usize, check: &Check<'_>) {
    let worst = check.worst();
    let guide = export.guide(check.id);
    let title = guide.as_ref().map_or("", |guide| guide.title.as_str());
    let colon = if title.is_empty() { "" } else { ": " };
    draft.heading(2, &format!("{number}. {}{colon}{title}", check.name()));
    let mut facts = vec![
        worst.severity.to_string(),
        worst.dimension.label().to_owned(),
    ];
    if let "small" | "medium" | "large" = worst.effort.as_str() {
        facts.push(format!("{} effort", worst.effort));
    }
    if worst.confidence == Confidence::Low {
        facts.push("a hint, to be looked at first".to_owned());
    }
    let gain = check.gain(export);
    if gain >= 0.05 {
        facts.push(format!("+{} overall", points(gain)));
    }
    draft.item(&format!("Facts: {}", facts.join(", ")));
    draft.item(&format!("Reach: {}", reach(check)));
    match &guide {
        Some(CheckGuide { why, fix, .. }) => {
            draft.item(&format!("Why: {}", line(why)));
            draft.item(&format!("Fix: {}", line(fix)));
        }
        None => draft.item("Why and fix: as the report says, in the block below"),
    }
    let mut fence = Fence::new(Whose::Page);
    if guide.is_none() {
        fence.field("why", &worst.why);
        fence.field("fix", &worst.recommendation);
    }
    for issue in check.issues.iter().take(CAUSES) {
        if !fence.is_empty() {
            fence.blank();
        }
        fence.field("finding", &issue.title);
        for place in issue.occurrences.iter().take(PLACES) {
            let line = place
                .line
                .map_or_else(String::new, |line| format!(" line {line}"));
            fence.field("at", &format!("{}{line}", place.url));
            if let Some(selector) = &place.selector {
                fence.field("selector", selector);
            }
            if let Some(snippet) = &place.snippet {
                fence.field("excerpt", snippet);
            }
            fence.field("wrong here", &place.message);
        }
    }
    draft.fence(&fence);
}

/// "2 causes, 31 places on up to 9 pages"
fn reach(check: &Check<'_>) -> String {
    let causes = u64::try_from(check.issues.len()).unwrap_or(u64::MAX);
    let pages = check.issues.iter().map(|issue| issue.affected_pages).max();
    // Causes may have pages in common.
    let up_to = if causes > 1 { "up to " } else { "" };
    format!(
        "{}, {} on {up_to}{}",
        count(causes, "cause", "causes"),
        count(check.places(), "place", "places"),
        count(pages.unwrap_or_default(), "page", "pages")
    )
}

/// Our Markdown on one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is not told in full.
fn write_rest(draft: &mut Draft, rest: &[Check<'_>]) {
    if rest.is_empty() {
        return;
    }
    draft.heading(2, "Also found");
    draft.paragraph(
        "`assay audit URL --check ID` shows one of these; `assay checks ID` explains it.",
    );
    for check in rest.iter().take(LISTED) {
        let severity = match check.worst().severity {
            Severity::Info => "worth knowing, nothing to fix".to_owned(),
            severity => severity.to_string(),
        };
        draft.item(&format!("{}: {severity}, {}", check.name(), reach(check)));
    }
    let more = u64::try_from(rest.len().saturating_sub(LISTED)).unwrap_or(u64::MAX);
    if more > 0 {
        draft.item(&format!("and {}", count(more, "more check", "more checks")));
    }
}
