//! What became of issues and causes since the site's report before.

use std::collections::BTreeSet;

use domain::ports::{Claim, CompletedRun};
use domain::report::IssueState;

use super::state::{KeptReport, State};

impl State {
    /// Sets the state of the causes of a run that completes, and answers that of its issues.
    pub(super) fn compare_with_earlier(
        &mut self,
        claim: &Claim,
        completed: &CompletedRun,
    ) -> Vec<Option<IssueState>> {
        let issues = &completed.reports.current.issues;
        let Some(earlier) = self.latest_report(claim) else {
            return vec![None; issues.len()];
        };
        let known: BTreeSet<String> = self
            .causes_of(earlier)
            .map(|(_, kept)| kept.cause.fingerprint.clone())
            .collect();
        let all_stored = |check_id: &str| {
            let earlier_issues = &earlier.completed.reports.current.issues;
            let mut numbered = (0_u32..).zip(earlier_issues);
            let (place, issue) = numbered.find(|(_, issue)| issue.check_id == check_id)?;
            let stored = self.causes_of_issue(earlier, place).count();
            Some(u64::try_from(stored).unwrap_or(u64::MAX) >= issue.causes_total)
        };
        let whole: Vec<_> = issues
            .iter()
            .map(|issue| all_stored(&issue.check_id))
            .collect();
        let own = |run, epoch| run == &claim.run_id && epoch == claim.epoch;
        let causes = self.causes.iter_mut();
        for (_, kept) in causes.filter(|(key, _)| own(&key.run, key.epoch)) {
            let place = usize::try_from(kept.issue).unwrap_or(usize::MAX);
            kept.cause.state = if known.contains(&kept.cause.fingerprint) {
                Some(IssueState::Persisting)
            } else if whole.get(place) == Some(&Some(false)) {
                None
            } else {
                Some(IssueState::New)
            };
        }
        let states = whole.into_iter().map(|earlier| match earlier {
            Some(_) => Some(IssueState::Persisting),
            None => Some(IssueState::New),
        });
        states.collect()
    }

    /// The latest report of the site of a claim.
    fn latest_report(&self, claim: &Claim) -> Option<&KeptReport> {
        let of_site = self.reports.values().filter(|kept| {
            let run = self.run(&claim.org_id, &kept.run);
            run.is_some_and(|run| run.site_id == claim.site_id)
        });
        of_site.max_by_key(|kept| (kept.created_at, &kept.run))
    }
}
