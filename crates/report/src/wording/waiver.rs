//! Waivers: who accepted what of an issue, why and until when.

use domain::report::Issue;
use domain::text::{count, sentence};
use domain::waiver::{AppliedWaiver, WaiverState};

use super::counted;

/// The number of waivers that are shown of an issue.
const SHOWN: usize = 5;

/// One line for each waiver of the check of an issue: those that accept occurrences, and those that have expired.
/// The names and reasons in them are as people wrote them.
pub(crate) fn lines(waivers: &[AppliedWaiver], issue: &Issue) -> Vec<String> {
    let of_issue = waivers.iter().filter(|applied| {
        let tells = applied.occurrences > 0 || applied.state == WaiverState::Expired;
        tells && applied.waiver.terms.check_id == issue.check_id
    });
    let all: Vec<_> = of_issue.map(line).collect();
    let more = all.len().saturating_sub(SHOWN);
    let mut lines: Vec<_> = all.into_iter().take(SHOWN).collect();
    if more > 0 {
        lines.push(format!(
            "And {}.",
            counted(more, "more waiver", "more waivers")
        ));
    }
    lines
}

/// "Waived by Anna until 2027-01-31 (12 occurrences matching /docs/): A static site."
fn line(applied: &AppliedWaiver) -> String {
    let waiver = &applied.waiver;
    let terms = &waiver.terms;
    let by = &waiver.author.name;
    let reason = sentence(&terms.reason);
    let day = terms.expires_at.map(|at| at.format("%Y-%m-%d").to_string());
    if applied.state == WaiverState::Expired {
        let day = day.unwrap_or_default();
        return format!("A waiver by {by} expired on {day} and no longer applies: {reason}");
    }
    let until = day.map_or_else(String::new, |day| format!(" until {day}"));
    let path = terms.path.as_deref();
    let path = path.map_or_else(String::new, |path| format!(" matching {path}"));
    let occurrences = count(applied.occurrences, "occurrence", "occurrences");
    format!("Waived by {by}{until} ({occurrences}{path}): {reason}")
}
