//! What the last audit that found an item says of it.

use domain::SubjectKind;
use domain::report::{Issue, IssueCause};
use domain::text::count;
use report::reach_of;
use report::view::text::{Piece, message_pieces};

use crate::pages::evidence::{MAX_TEXT, OccurrenceRow};

/// Causes that are shown open; the others open with a click.
const OPEN_CAUSES: usize = 3;

/// The evidence of an item.
pub(super) struct Evidence {
    /// How often, on how many pages.
    pub(super) extent: String,
    /// How many occurrences were accepted, as a sentence.
    pub(super) waived: Option<String>,
    pub(super) causes: Vec<Cause>,
    /// How many causes are not shown, as a phrase.
    pub(super) more: Option<String>,
}

/// A cause with its first occurrences.
pub(super) struct Cause {
    pub(super) message: Vec<Piece>,
    pub(super) extent: String,
    pub(super) is_open: bool,
    pub(super) places: Vec<OccurrenceRow>,
    /// How many occurrences are not shown, as a phrase.
    pub(super) more: Option<String>,
}

impl Evidence {
    pub(super) fn new(issue: &Issue) -> Self {
        let causes = issue.causes.iter().enumerate();
        let causes =
            causes.map(|(index, cause)| Cause::new(issue.subject, cause, index < OPEN_CAUSES));
        let affected = (issue.affected, issue.affected_pages);
        Self {
            extent: extent(issue.subject, issue.occurrences_total, affected),
            waived: (issue.waived > 0).then(|| {
                let waived = count(issue.waived, "occurrence was", "occurrences were");
                format!("{waived} waived and not counted.")
            }),
            causes: causes.collect(),
            more: rest(
                issue.causes_total,
                issue.causes.len(),
                "more cause",
                "more causes",
            ),
        }
    }
}

impl Cause {
    fn new(subject: SubjectKind, cause: &IssueCause, is_open: bool) -> Self {
        let places = cause.occurrences.iter();
        let affected = (cause.affected, cause.affected_pages);
        Self {
            message: message_pieces(&cause.message, MAX_TEXT),
            extent: extent(subject, cause.occurrences_total, affected),
            is_open,
            places: places
                .map(|found| {
                    let is_other = found.message != cause.message;
                    OccurrenceRow::new(found, is_other.then_some(&*found.message))
                })
                .collect(),
            more: rest(
                cause.occurrences_total,
                cause.occurrences.len(),
                "more occurrence",
                "more occurrences",
            ),
        }
    }
}

/// How often, and on what, of these subjects and pages: `3 times on 2 pages`, `once in 1 file`, `on the whole site`.
pub(super) fn extent(
    subject: SubjectKind,
    occurrences: u64,
    (affected, pages): (u64, u64),
) -> String {
    let times = match occurrences {
        1 => "once".to_owned(),
        _ => count(occurrences, "time", "times"),
    };
    match subject {
        SubjectKind::Page => format!("{times} on {}", reach_of(subject, pages)),
        SubjectKind::Resource => format!("{times} in {}", reach_of(subject, affected)),
        SubjectKind::Origin | SubjectKind::Site if occurrences <= 1 => {
            "on the whole site".to_owned()
        }
        SubjectKind::Origin | SubjectKind::Site => format!("{times} on the whole site"),
    }
}

/// How many there are beyond those that are shown; none where that is all.
fn rest(total: u64, shown: usize, one: &str, many: &str) -> Option<String> {
    let shown = u64::try_from(shown).unwrap_or(u64::MAX);
    let rest = total.saturating_sub(shown);
    (rest > 0).then(|| count(rest, one, many))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_counted() {
        assert_eq!(rest(5, 5, "more cause", "more causes"), None);
        assert_eq!(
            rest(1_005, 5, "more cause", "more causes").as_deref(),
            Some("1,000 more causes")
        );
    }

    #[test]
    fn the_extent_names_what_the_check_judges() {
        for (subject, occurrences, affected, expected) in [
            (SubjectKind::Page, 1, (1, 1), "once on 1 page"),
            (SubjectKind::Page, 1_200, (2, 2), "1,200 times on 2 pages"),
            (SubjectKind::Resource, 60, (48, 2), "60 times in 48 files"),
            (SubjectKind::Site, 1, (1, 1), "on the whole site"),
            (SubjectKind::Origin, 3, (1, 1), "3 times on the whole site"),
        ] {
            assert_eq!(extent(subject, occurrences, affected), expected);
        }
    }
}
