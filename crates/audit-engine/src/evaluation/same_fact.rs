//! Checks that see the same fact.
//!
//! A fact has one price. Where two checks of one dimension see it on one page, the page loses what the more
//! expensive one costs, and the check named first costs only what it costs more than the other. Checks of
//! different dimensions that would see the same fact are informational where the other sees it: their files
//! say so.

/// Pairs of checks of pages: the one that is a note where the other fails as well, and the other.
const SAME_FACT: [(&str, &str); 13] = [
    // `noindex, nofollow` in one directive.
    ("link-internal-nofollow", "robots-meta-conflict"),
    ("link-internal-nofollow", "sitemap-url-noindex"),
    // A directive that scripts add or remove.
    ("link-internal-nofollow", "render-changes-robots"),
    ("render-changes-robots", "sitemap-url-noindex"),
    // A canonical URL that scripts add to another one, or remove.
    ("render-changes-canonical", "canonical-multiple"),
    ("canonical-missing", "render-changes-canonical"),
    // The response has no social tags.
    ("og-incomplete", "render-only-social-tags"),
    ("twitter-card-missing", "render-only-social-tags"),
    // An error page with a success status.
    ("render-soft-404", "soft-404"),
    // The text of the page is not in the response.
    ("content-needs-js-suspected", "content-needs-js"),
    // The page has no main element.
    ("landmark-main", "bypass-blocks"),
    // The image has no text, and the link around it or its focus shows that.
    ("link-name", "image-alt"),
    ("decorative-exposed", "image-alt"),
];

/// The checks that make this one a note.
pub(super) fn priced_by(check_id: &str) -> impl Iterator<Item = &'static str> {
    SAME_FACT
        .into_iter()
        .filter(move |(note, _)| *note == check_id)
        .map(|(_, priced)| priced)
}

#[cfg(test)]
mod tests {
    use domain::SubjectKind;

    use super::*;
    use crate::checks::find;

    #[test]
    fn both_checks_of_a_pair_judge_pages_in_one_dimension() {
        for (note, priced) in SAME_FACT {
            let (note, priced) = (find(note).unwrap(), find(priced).unwrap());
            assert_eq!(
                note.dimension, priced.dimension,
                "{} {}",
                note.id, priced.id
            );
            for check in [note, priced] {
                assert_eq!(
                    SubjectKind::from(check.scope),
                    SubjectKind::Page,
                    "{}",
                    check.id
                );
            }
        }
    }
}
