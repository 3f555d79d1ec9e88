//! Checks without a result, or with a partial result.

use std::collections::BTreeMap;

use domain::report::{Unjudged, UnjudgedCheck};
use domain::text::grouped;

/// The heading of every format.
pub const HEADING: &str = "Checks that were not fully evaluated";
/// The explanation of every format.
pub const MEANING: &str = "What was not evaluated does not lower the score. A check without a finding in this list has not necessarily passed.";

/// Why, without the full stop at its end.
pub(crate) fn reason(unjudged: &Unjudged) -> &str {
    unjudged.reason().trim_end_matches('.')
}

/// What happened to a check.
pub(crate) const fn verb(unjudged: &Unjudged) -> &'static str {
    match unjudged {
        Unjudged::NotRun(_) => "Not run",
        Unjudged::CannotTell(_) => "Cannot tell",
        Unjudged::Errored(_) => "Failed to run",
        Unjudged::Limited(_) => "Partially evaluated",
    }
}

/// The checks by reason, in the order of the reasons.
pub(crate) fn by_reason(checks: &[UnjudgedCheck]) -> BTreeMap<&Unjudged, Vec<&UnjudgedCheck>> {
    let mut by_reason: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for check in checks {
        by_reason.entry(&check.why).or_default().push(check);
    }
    by_reason
}

/// " (1,204 times)": [`number`], to stand behind the check; empty where there is none.
pub(crate) fn aside(check: &UnjudgedCheck) -> String {
    number(check).map_or_else(String::new, |number| {
        format!(" ({} times)", grouped(number))
    })
}

/// How many things a check could not judge, where that says more than that it judged not all.
const fn number(check: &UnjudgedCheck) -> Option<u64> {
    match check.why {
        Unjudged::CannotTell(_) | Unjudged::Limited(_) if check.count > 1 => Some(check.count),
        _ => None,
    }
}
