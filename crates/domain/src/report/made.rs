//! Tallies of findings that no audit found.

use std::collections::BTreeMap;

use super::Finding;
use crate::score::{
    CheckTally, PageLoss, PageTotal, Share, Tallies, page_score, page_score_without,
};
use crate::{Dimension, Severity, SubjectKind};

impl Tallies {
    /// The tallies of findings on a site with this number of pages, for samples and tests: each finding costs its
    /// whole penalty on each of its subjects, and those of pages are on the first pages.
    #[must_use]
    pub fn of_findings(pages: u64, findings: &[Finding]) -> Self {
        let mut totals = BTreeMap::from(Dimension::ALL.map(|known| (known, PageTotal::default())));
        let mut gains = vec![0_u64; findings.len()];
        for page in 0..pages {
            let here: Vec<(usize, PageLoss)> = findings
                .iter()
                .enumerate()
                .filter(|(_, found)| found.subject == SubjectKind::Page && found.affected > page)
                .map(|(place, found)| {
                    let loss = PageLoss::new(found.dimension, found.severity, Share::ONE);
                    (place, loss)
                })
                .collect();
            let losses: Vec<_> = here.iter().map(|&(_, loss)| loss).collect();
            for (&dimension, total) in &mut totals {
                total.add(page_score(&losses, dimension));
            }
            for (index, (place, loss)) in here.iter().enumerate() {
                let score = page_score(&losses, loss.dimension);
                let gain = page_score_without(&losses, index).minus(score);
                if let Some(sum) = gains.get_mut(*place) {
                    *sum = sum.saturating_add(gain.billionths().into());
                }
            }
        }
        let tally = |(found, page_gain): (&Finding, u64)| CheckTally {
            check_id: found.check_id.clone(),
            dimension: found.dimension,
            subject: found.subject,
            severity: found.severity,
            judged: found.applicable,
            failed: found.affected,
            reach: Share::from_ratio(found.affected, found.applicable),
            page_gain,
        };
        Self {
            pages: totals,
            checks: findings.iter().zip(gains).map(tally).collect(),
            metrics: None,
        }
    }

    /// The same tallies, and a check that passed on each of this number of pages.
    #[must_use]
    pub fn with_passed(mut self, check_id: &str, dimension: Dimension, pages: u64) -> Self {
        self.checks.insert(
            0,
            CheckTally {
                check_id: check_id.to_owned(),
                dimension,
                subject: SubjectKind::Page,
                severity: Severity::Serious,
                judged: pages,
                failed: 0,
                reach: Share::ZERO,
                page_gain: 0,
            },
        );
        self
    }
}
