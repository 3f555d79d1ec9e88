//! Where and how often, and why it matters, in plain sentences.

use crate::SubjectKind;
use crate::report::{Coverage, Finding};
use crate::text::{count, grouped, sentence};

/// "On 34 of 215 pages, 67 times. The image has no alt attribute. A screen reader …"
pub(super) fn describe(finding: &Finding, coverage: &Coverage) -> String {
    let extent = Extent {
        subject: finding.subject,
        affected: finding.affected,
        applicable: finding.applicable,
        occurrences: finding.occurrences_total,
        waived: finding.waived,
    };
    [
        extent.sentence(coverage),
        sentence(shared_message(finding).unwrap_or_default()),
        sentence(&finding.why),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join(" ")
}

/// The message, where all occurrences have the same.
fn shared_message(finding: &Finding) -> Option<&str> {
    let causes = finding.causes.iter();
    super::shared(causes.flat_map(|cause| cause.occurrences.iter().map(|found| &*found.message)))
}

/// How far something reaches.
pub(super) struct Extent {
    pub(super) subject: SubjectKind,
    pub(super) affected: u64,
    pub(super) applicable: u64,
    pub(super) occurrences: u64,
    pub(super) waived: u64,
}

impl Extent {
    pub(super) fn sentence(&self, coverage: &Coverage) -> String {
        let open = match self.occurrences.saturating_sub(self.waived) {
            0 => self.occurrences,
            open => open,
        };
        let times = count(open, "time", "times");
        let found = match self.place(coverage) {
            Some(place) if open > self.affected => format!("{place}, {times}."),
            Some(place) => format!("{place}."),
            None if open > 1 => format!("Found {times}."),
            None => String::new(),
        };
        match self.accepted() {
            Some(accepted) if found.is_empty() => accepted,
            Some(accepted) => format!("{found} {accepted}"),
            None => found,
        }
    }

    /// "Waived." or "12 more occurrences are waived."; none without waivers.
    fn accepted(&self) -> Option<String> {
        match (self.waived, self.occurrences.saturating_sub(self.waived)) {
            (0, _) => None,
            (_, 0) => Some("Waived.".to_owned()),
            (1, _) => Some("One more occurrence is waived.".to_owned()),
            (more, _) => Some(format!("{} more occurrences are waived.", grouped(more))),
        }
    }

    fn place(&self, coverage: &Coverage) -> Option<String> {
        match self.subject {
            SubjectKind::Page => Some(self.pages(coverage.pages_audited)),
            SubjectKind::Resource => Some(self.resources()),
            SubjectKind::Origin | SubjectKind::Site => None,
        }
    }

    /// The check may apply to fewer pages than were audited; then "of" says which it means.
    fn pages(&self, audited: u64) -> String {
        let Self {
            affected,
            applicable,
            ..
        } = *self;
        let pages = count(applicable, "page", "pages");
        match (affected >= applicable, applicable == audited) {
            (true, true) if applicable == 1 => "On the one page audited".to_owned(),
            (true, true) => format!("On all {pages}"),
            (true, false) if applicable == 1 => "On the one page it applies to".to_owned(),
            (true, false) => format!("On all {pages} it applies to"),
            (false, true) => format!("On {} of {pages}", grouped(affected)),
            (false, false) => format!("On {} of the {pages} it applies to", grouped(affected)),
        }
    }

    fn resources(&self) -> String {
        let Self {
            affected,
            applicable,
            ..
        } = *self;
        let files = count(applicable, "file", "files");
        match affected >= applicable {
            true if applicable == 1 => "In the one file it applies to".to_owned(),
            true => format!("In all {files} it applies to"),
            false => format!("In {} of {files}", grouped(affected)),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::report::testing::{coverage, finding};

    #[rstest]
    #[case::some(
        SubjectKind::Page,
        34,
        70,
        3,
        "On 34 of 215 pages, 67 times. 3 more occurrences are waived."
    )]
    #[case::one(
        SubjectKind::Page,
        34,
        35,
        1,
        "On 34 of 215 pages. One more occurrence is waived."
    )]
    #[case::all(SubjectKind::Page, 34, 67, 67, "On 34 of 215 pages, 67 times. Waived.")]
    #[case::site(SubjectKind::Site, 1, 1, 1, "Waived.")]
    fn waived_occurrences_are_counted_apart(
        #[case] subject: SubjectKind,
        #[case] affected: u64,
        #[case] occurrences: u64,
        #[case] waived: u64,
        #[case] expected: &str,
    ) {
        let extent = Extent {
            subject,
            affected,
            applicable: 215,
            occurrences,
            waived,
        };
        assert_eq!(extent.sentence(&coverage(215)), expected);
    }

    #[rstest]
    #[case(34, 215, 67, "On 34 of 215 pages, 67 times.")]
    #[case(34, 215, 34, "On 34 of 215 pages.")]
    #[case(1, 215, 1, "On 1 of 215 pages.")]
    #[case(215, 215, 215, "On all 215 pages.")]
    #[case(3, 40, 3, "On 3 of the 40 pages it applies to.")]
    #[case(40, 40, 41, "On all 40 pages it applies to, 41 times.")]
    #[case(1, 1, 2, "On the one page it applies to, 2 times.")]
    fn pages_are_counted_among_those_judged(
        #[case] affected: u64,
        #[case] applicable: u64,
        #[case] occurrences: u64,
        #[case] expected: &str,
    ) {
        let extent = Extent {
            subject: SubjectKind::Page,
            affected,
            applicable,
            occurrences,
            waived: 0,
        };
        assert_eq!(extent.sentence(&coverage(215)), expected);
    }

    #[test]
    fn one_audited_page_is_one_page() {
        let extent = Extent {
            subject: SubjectKind::Page,
            affected: 1,
            applicable: 1,
            occurrences: 1,
            waived: 0,
        };
        assert_eq!(extent.sentence(&coverage(1)), "On the one page audited.");
    }

    #[test]
    fn the_site_has_no_page_count() {
        let mut finding = finding("hsts-missing");
        finding.subject = SubjectKind::Origin;
        finding.occurrences_total = 1;
        finding.causes[0].occurrences.clear();
        finding.why = "The first visit is unprotected".to_owned();
        assert_eq!(
            describe(&finding, &coverage(9)),
            "The first visit is unprotected."
        );
    }

    #[test]
    fn a_message_all_places_share_is_told_once() {
        let mut finding = finding("image-alt");
        let mut place = finding.causes[0].occurrences[0].clone();
        place.url.push('b');
        finding.causes[0].occurrences.push(place.clone());
        assert!(describe(&finding, &coverage(9)).contains(&place.message));
        finding.causes[0].occurrences[1].message = "Something else.".to_owned();
        assert!(!describe(&finding, &coverage(9)).contains(&place.message));
    }
}
