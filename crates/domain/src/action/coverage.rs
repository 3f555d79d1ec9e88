//! What a run looked at, as far as action items need to know.

use std::collections::{BTreeMap, BTreeSet};

use super::{Evidence, ObservationMode, PageKey};
use crate::SubjectKind;
use crate::report::{AuditResult, PageVisit, Report, Unjudged, UnjudgedCheck};
use crate::run::Device;

/// What a run saw at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageSeen {
    /// The page was judged. An address that redirects within the site counts where the page it leads
    /// to was judged, for that is what visitors of the address see.
    Audited(ObservationMode),
    /// It answered 404 or 410.
    Gone,
}

/// What a run looked at. It is made from the audit's result when a run completes, used once by
/// [`reconcile`](super::reconcile) and not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCoverage {
    complete: bool,
    /// Whether no page failed for the moment, and so may be as it was.
    steady: bool,
    mode: ObservationMode,
    pages: BTreeMap<PageKey, PageSeen>,
    judged: BTreeSet<String>,
}

impl RunCoverage {
    /// What a run looked at.
    ///
    /// `report` is its report in the current variant. `pages` are all addresses that were audited or
    /// answered 404 or 410, spelled as occurrences spell them. `catalogue` are the ids of the checks
    /// that the run had; those that the report lists without a verdict (not run, cannot tell,
    /// errored) are taken out, since they show nothing. A check that was retired is not in the
    /// catalogue, and shows nothing either.
    #[must_use]
    pub fn new<'a>(
        report: &Report,
        device: Device,
        pages: impl IntoIterator<Item = (&'a str, PageSeen)>,
        catalogue: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        // A check that could not tell on some subjects has a verdict on the others.
        let has_verdict = |check: &UnjudgedCheck| {
            let score = report.score.dimensions.get(&check.dimension);
            let mut checks = score.into_iter().flat_map(|score| &score.checks);
            matches!(check.why, Unjudged::CannotTell(_))
                && checks.any(|judged| judged.check_id == check.check_id)
        };
        let without_verdict: BTreeSet<_> = report
            .unjudged
            .iter()
            .filter(|check| !has_verdict(check))
            .map(|check| check.check_id.as_str())
            .collect();
        Self {
            complete: report.coverage.complete,
            steady: true,
            mode: ObservationMode::new(report.coverage.mode, device),
            pages: pages
                .into_iter()
                .map(|(url, seen)| (PageKey::from_url(url), seen))
                .collect(),
            judged: catalogue
                .into_iter()
                .filter(|check| !without_verdict.contains(check))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// What the run of a result looked at; `report` is its report in the current variant. An address
    /// that redirects for good (301, 308) counts as the one that its redirects lead to.
    #[must_use]
    pub fn from_result(result: &AuditResult, report: &Report, device: Device) -> Self {
        let mode = ObservationMode::new(result.coverage.mode, device);
        let by_url: BTreeMap<&str, &PageVisit> = result
            .pages
            .iter()
            .map(|visit| (visit.url.as_str(), visit))
            .collect();
        let seen = |visit: &PageVisit| match visit.status {
            _ if visit.audited => Some(PageSeen::Audited(mode)),
            Some(404 | 410) => Some(PageSeen::Gone),
            _ => None,
        };
        let pages = result.pages.iter().filter_map(|visit| {
            let end = match &visit.leads_to {
                // What redirects for good is another address of the same page. What does so for now
                // may be a page that asks who is there first, and says nothing of what is behind.
                Some(end) if matches!(visit.status, Some(301 | 308)) => by_url.get(end.as_str())?,
                Some(_) => return None,
                None => visit,
            };
            Some((visit.url.as_str(), seen(end)?))
        });
        let catalogue = result.catalogue.iter().map(String::as_str);
        let mut coverage = Self::new(report, device, pages, catalogue);
        coverage.steady = !result.pages.iter().any(failed_for_the_moment);
        coverage
    }

    /// How the run looked at pages.
    #[must_use]
    pub const fn mode(&self) -> ObservationMode {
        self.mode
    }

    /// Whether the run looked everywhere an item was found, so that not finding it any more shows
    /// that it is gone. It must have had the check, with a verdict, and:
    ///
    /// - for a check of pages, audited every page of the evidence, in a way that sees what was seen
    ///   then, or got 404 or 410. Where not all pages are known, the crawl must have been
    ///   complete as well, and no page have failed: then every page that the site links or lists was judged. A page that was
    ///   merely not met is not known to be fixed, and the item stays;
    /// - for a check of the site or of its files, crawled the site completely;
    /// - for a check of the origin, nothing more: every run asks the origin.
    #[must_use]
    pub fn covers(&self, check_id: &str, evidence: &Evidence) -> bool {
        self.judged.contains(check_id)
            && match evidence.subject {
                SubjectKind::Page => {
                    (evidence.all_pages || self.saw_every_page())
                        && !evidence.pages.is_empty()
                        && evidence.pages.iter().all(|page| self.saw(page, evidence))
                }
                SubjectKind::Site | SubjectKind::Resource => {
                    self.complete && self.mode.sees(evidence.mode)
                }
                SubjectKind::Origin => self.mode.sees(evidence.mode),
            }
    }

    /// The pages of the evidence that the run did not look at, or not in a way that sees what was seen then.
    /// Of a check without a verdict that is every page.
    #[must_use]
    pub fn unseen(&self, check_id: &str, evidence: &Evidence) -> BTreeSet<PageKey> {
        let is_judged = self.judged.contains(check_id);
        let pages = evidence.pages.iter();
        pages
            .filter(|page| !is_judged || !self.saw(page, evidence))
            .copied()
            .collect()
    }

    /// Whether every page that the site links or lists was looked at, and none failed for the moment.
    #[must_use]
    pub const fn saw_every_page(&self) -> bool {
        self.complete && self.steady
    }

    fn saw(&self, page: &PageKey, evidence: &Evidence) -> bool {
        match self.pages.get(page) {
            Some(PageSeen::Audited(mode)) => mode.sees(evidence.mode),
            Some(PageSeen::Gone) => true,
            None => false,
        }
    }
}

/// Whether an address answered nothing, or that it cannot answer now (RFC 9110, section 15.6; 408 and 429).
fn failed_for_the_moment(visit: &PageVisit) -> bool {
    matches!(visit.status, None | Some(408 | 429 | 500..))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::report::PageScores;

    #[rstest]
    #[case::page(Some(200), true)]
    #[case::gone(Some(410), false)]
    #[case::forbidden(Some(403), false)]
    fn answers_that_stand(#[case] status: Option<u16>, #[case] audited: bool) {
        assert!(!failed_for_the_moment(&visit(status, audited)));
    }

    #[rstest]
    #[case::no_answer(None)]
    #[case::too_many(Some(429))]
    #[case::unavailable(Some(503))]
    fn answers_for_the_moment(#[case] status: Option<u16>) {
        assert!(failed_for_the_moment(&visit(status, false)));
    }

    fn visit(status: Option<u16>, audited: bool) -> PageVisit {
        PageVisit {
            url: "https://example.com/".to_owned(),
            status,
            depth: Some(0),
            title: None,
            bytes: None,
            audited,
            leads_to: None,
            details: crate::report::PageDetails::default(),
            scores: PageScores::default(),
            issues: 0,
            issues_legacy: 0,
        }
    }
}
