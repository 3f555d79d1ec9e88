//! Checks without a result, or with a partial result.

use std::borrow::Cow;
use std::collections::BTreeMap;

use domain::report::{Unjudged, UnjudgedCheck};
use domain::text::grouped;

/// The heading of every format.
pub const HEADING: &str = "Checks that were not fully evaluated";
/// The explanation of every format.
pub const MEANING: &str = "What was not evaluated does not lower the score. A check without a finding in this list has not necessarily passed.";

/// Names that begin with a capital letter also within a sentence. Words with further capitals need no entry.
const NAMES: [&str; 2] = ["Assay", "Chromium"];

/// Why, as a part of a sentence: without the capital letter and the full stop of a sentence.
pub(crate) fn reason(unjudged: &Unjudged) -> Cow<'_, str> {
    let reason = unjudged.reason().trim_end_matches('.');
    let (word, _) = reason.split_once(' ').unwrap_or((reason, ""));
    let mut letters = word.chars();
    match letters.next() {
        Some(first)
            if first.is_uppercase()
                && letters.all(|letter| letter.is_lowercase() || letter == '\'')
                && !NAMES.contains(&word) =>
        {
            let rest = reason.chars().skip(1);
            first.to_lowercase().chain(rest).collect::<String>().into()
        }
        _ => reason.into(),
    }
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "The crawl did not reach every page.",
        "the crawl did not reach every page"
    )]
    #[case("A script may add its text.", "a script may add its text")]
    #[case("JavaScript did not run.", "JavaScript did not run")]
    #[case("TLS was not tested.", "TLS was not tested")]
    #[case("Chromium is not installed.", "Chromium is not installed")]
    #[case("robots.txt has no response.", "robots.txt has no response")]
    #[case("", "")]
    fn a_reason_is_a_part_of_a_sentence(#[case] sentence: &str, #[case] expected: &str) {
        assert_eq!(reason(&Unjudged::CannotTell(sentence.to_owned())), expected);
    }
}
