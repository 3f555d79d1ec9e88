//! What to fix, for a language model: small, what gains most first, and complete enough to act on.
//!
//! Our words stand outside of fences, all words of the audited site within
//! ([`untrusted`](crate::untrusted)). It never has more than [`limits::LLM_BYTES`] bytes: what does
//! not fit is counted, so that nothing seems not to be there.

use domain::ports::CheckGuide;
use domain::report::{Issue, LabProfile};
use domain::run::Device;
use domain::text::{count, points};
use domain::{Confidence, Severity};

use super::{Export, limits};
use crate::brief::{Draft, is_check_id, reading_rule};
use crate::untrusted::{Fence, Whose};
use crate::wording::browser;
use crate::wording::cause::{self, first, headline, more_causes};
use crate::wording::counted;
use crate::wording::coverage::stop_in_short;
use crate::wording::issue::known_effort;
use crate::wording::unjudged::{aside, verb};

/// Causes of an issue, and places of a cause.
const CAUSES: usize = 5;
const PLACES: usize = 2;
/// Bytes that are kept for the lists of issues and checks that are only named, and for the end.
const KEPT_BACK: usize = 9 * 1024;
/// Issues that are only named.
const LISTED: usize = 40;
/// The number of checks without a complete result that are named.
const UNJUDGED: usize = 20;

pub(super) fn render(export: &Export<'_>) -> String {
    let mut text = beginning(export);
    let room = limits::LLM_BYTES.saturating_sub(KEPT_BACK);
    let issues = &export.report.issues;
    let mut told = Vec::with_capacity(issues.len());
    for issue in issues.iter().filter(|issue| is_work(issue)) {
        let mut draft = Draft::default();
        write_issue(&mut draft, export, told.len() + 1, issue);
        let item = draft.finish();
        if text.len() + item.len() > room {
            break;
        }
        text.push('\n');
        text.push_str(&item);
        told.push(issue.check_id.as_str());
    }
    let is_told = |issue: &&Issue| told.contains(&issue.check_id.as_str());
    let rest: Vec<_> = issues.iter().filter(|issue| !is_told(issue)).collect();
    let mut draft = Draft::default();
    write_rest(&mut draft, export, &rest);
    write_unjudged(&mut draft, export);
    draft.heading(2, "Your instructions again");
    draft.paragraph(&format!(
        "{} Work on the items in order, one at a time. If an item does not apply or cannot be \
         fixed in this project, skip it and report why.",
        reading_rule()
    ));
    text.push('\n');
    text.push_str(&draft.finish());
    text
}

/// Whether there is something to fix.
fn is_work(issue: &Issue) -> bool {
    issue.severity != Severity::Info && !issue.is_waived()
}

/// "`image-alt`", where it has the form of an id.
fn name(check_id: &str) -> String {
    if is_check_id(check_id) {
        format!("`{check_id}`")
    } else {
        "an unknown check".to_owned()
    }
}

fn beginning(export: &Export<'_>) -> String {
    let mut draft = Draft::default();
    draft.heading(1, "Website audit: issues by score impact");
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
    let stopped = coverage.stopped_by.map_or("", stop_in_short);
    draft.item(&format!(
        "Audited: {}{stopped}",
        count(coverage.pages_audited, "page", "pages")
    ));
    let issues = &export.report.issues;
    let causes = issues.iter().map(|issue| issue.causes_total);
    draft.item(&format!(
        "Found: {} with {}",
        counted(issues.len(), "issue", "issues"),
        count(causes.sum(), "cause", "causes")
    ));
    draft.paragraph(&format!(
        "Fix causes in the source (template, component, content, server configuration), never in \
         built files: occurrences with the same selector on many pages have one cause. Change nothing else. \
         Verify with `assay audit URL --check ID{}`, where URL is your local build (with \
         `--allow-target localhost:3000` for loopback) or the published site; it lists the remaining findings, or says \
         `passed`. Exit code 0 without `passed` means that it was not checked.",
        browser_flags(export)
    ));
    draft.finish()
}

fn write_issue(draft: &mut Draft, export: &Export<'_>, number: usize, issue: &Issue) {
    let guide = export.guide(&issue.check_id);
    let title = guide.as_ref().map_or("", |guide| guide.title.as_str());
    let colon = if title.is_empty() { "" } else { ": " };
    let name = name(&issue.check_id);
    draft.heading(2, &format!("{number}. {name}{colon}{title}"));
    let mut facts = vec![
        issue.severity.to_string(),
        issue.dimension.label().to_owned(),
    ];
    facts.extend(known_effort(issue).map(|effort| format!("{effort} effort")));
    if issue.confidence == Confidence::Low {
        facts.push("low confidence: verify it first".to_owned());
    }
    if let Some(gain) = export.gain(issue).filter(|gain| *gain >= 0.05) {
        facts.push(format!("+{} overall", points(gain)));
    }
    draft.item(&format!("Facts: {}", facts.join(", ")));
    draft.item(&format!("Extent: {}", reach(issue)));
    match &guide {
        Some(CheckGuide { why, fix, .. }) => {
            draft.item(&format!("Why: {}", line(why)));
            draft.item(&format!("Fix: {}", line(fix)));
        }
        None => draft.item("Why and fix: see the block below, quoted from the report"),
    }
    let mut fence = Fence::new(Whose::Page);
    if guide.is_none() {
        fence.field("finding", &issue.title);
        fence.field("why", &issue.why);
        fence.field("fix", &issue.recommendation);
    }
    let open: Vec<_> = issue
        .causes
        .iter()
        .filter(|cause| !cause.is_waived())
        .collect();
    let waived = issue.causes.len().saturating_sub(open.len());
    let causes = first(&open, CAUSES);
    for cause in causes {
        if !fence.is_empty() {
            fence.blank();
        }
        if let Some(headline) = headline(issue, cause) {
            fence.field("cause", headline);
        }
        let places = cause
            .occurrences
            .iter()
            .filter(|place| place.waiver.is_none());
        for place in places.take(PLACES) {
            fence.field("at", &format!("{}{}", place.url, cause::line(place)));
            if let Some(selector) = &place.selector {
                fence.field("selector", selector);
            }
            if let Some(snippet) = &place.snippet {
                fence.field("excerpt", snippet);
            }
            fence.field("problem", &place.message);
        }
    }
    draft.fence(&fence);
    if let Some(more) = more_causes(issue, causes.len() + waived) {
        draft.paragraph(&format!("And {more}."));
    }
}

/// "2 causes, 31 occurrences on 9 pages"
fn reach(issue: &Issue) -> String {
    let occurrences = match issue.is_waived() {
        true => issue.occurrences_total,
        false => issue.open_occurrences(),
    };
    format!(
        "{}, {} on {}",
        count(issue.causes_total, "cause", "causes"),
        count(occurrences, "occurrence", "occurrences"),
        count(issue.affected_pages, "page", "pages")
    )
}

/// The flags with which a command looks at pages like the audit; empty for an audit without a browser.
fn browser_flags(export: &Export<'_>) -> String {
    let coverage = &export.report.coverage;
    let profile = coverage.measured.first().map(|page| page.profile);
    let device = match profile {
        Some(LabProfile::Desktop) => Device::Desktop,
        Some(LabProfile::MobileSlow4g) | None => Device::Mobile,
    };
    browser::flags(coverage.repeating_mode(), device)
}

/// Our Markdown on one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The issues that are only named.
fn write_rest(draft: &mut Draft, export: &Export<'_>, rest: &[&Issue]) {
    if rest.is_empty() {
        return;
    }
    draft.heading(2, "Also found");
    draft.paragraph(&format!(
        "`assay audit URL --check ID{}` shows the findings of a check; `assay checks ID` documents it.",
        browser_flags(export)
    ));
    for issue in rest.iter().take(LISTED) {
        let severity = match issue.severity {
            _ if issue.is_waived() => "waived, nothing to fix".to_owned(),
            Severity::Info => "information, nothing to fix".to_owned(),
            severity => severity.to_string(),
        };
        let name = name(&issue.check_id);
        draft.item(&format!("{name}: {severity}, {}", reach(issue)));
    }
    let more = rest.len().saturating_sub(LISTED);
    if more > 0 {
        draft.item(&format!(
            "and {}",
            counted(more, "more issue", "more issues")
        ));
    }
}

/// The checks that were not fully evaluated. Their reasons are in a fence, because they may quote the site.
fn write_unjudged(draft: &mut Draft, export: &Export<'_>) {
    let unjudged = &export.report.unjudged;
    if unjudged.is_empty() {
        return;
    }
    draft.heading(2, "Checks that were not fully evaluated");
    draft.paragraph("If such a check has no finding, the site does not necessarily pass it.");
    let mut reasons = Fence::new(Whose::Page);
    for check in unjudged.iter().take(UNJUDGED) {
        let label = Some(&*check.check_id).filter(|id| is_check_id(id));
        reasons.field(label.unwrap_or("check"), check.why.reason());
        draft.item(&format!(
            "{}: {}{}",
            name(&check.check_id),
            verb(&check.why).to_lowercase(),
            aside(check)
        ));
    }
    let more = unjudged.len().saturating_sub(UNJUDGED);
    if more > 0 {
        draft.item(&format!(
            "and {}",
            counted(more, "more check", "more checks")
        ));
    }
    draft.fence(&reasons);
}
