//! The summary of one dimension.

use super::costly::{Costly, next};
use super::{paragraph, worth_a_look};
use crate::Dimension;
use crate::report::Coverage;
use crate::score::{Cap, DimensionScore, Share};
use crate::text::{capitalized, count, in_words, points};

/// The number of issues that are named after the first.
const NEXT: usize = 2;

/// With fewer checks than these, the text says from how few the score comes.
const FEW_CHECKS: usize = 6;

/// What the summary is about.
pub(super) struct Facts<'a> {
    pub(super) dimension: Dimension,
    pub(super) score: &'a DimensionScore,
    pub(super) costly: &'a [Costly<'a>],
    pub(super) coverage: &'a Coverage,
    /// The number of informational issues.
    pub(super) notes: usize,
    /// The number of checks that could not judge everything.
    pub(super) unjudged: usize,
}

impl Facts<'_> {
    pub(super) fn text(&self) -> String {
        let here = self.here();
        let costly: Vec<_> = here
            .iter()
            .filter(|costly| costly.cost > 0.0)
            .copied()
            .collect();
        let capped = self.score.binding_cap().map(|cap| self.capped(cap));
        let is_capped = capped.is_some();
        let rest = costly.get(1..).unwrap_or_default();
        let rest = rest.get(..NEXT.min(rest.len())).unwrap_or_default();
        paragraph(&[
            capped.unwrap_or_default(),
            costly.first().map_or_else(
                || self.nothing_costs(&here, is_capped),
                |first| self.most(first, is_capped),
            ),
            next(rest, |costly| points(costly.cost)),
            costly
                .first()
                .map_or_else(String::new, |first| self.worth(first)),
            self.basis(),
        ])
    }

    /// This dimension's issues: first the one that caps it, then those that cost most.
    fn here(&self) -> Vec<Costly<'_>> {
        let cap = self.score.binding_cap();
        let caps =
            |costly: &Costly<'_>| cap.is_some_and(|cap| cap.check_id == costly.issue.check_id);
        let mut here: Vec<_> = self
            .costly
            .iter()
            .filter(|costly| costly.issue.dimension == self.dimension)
            .copied()
            .collect();
        here.sort_by(|one, other| {
            (caps(other).cmp(&caps(one)))
                .then_with(|| other.cost.total_cmp(&one.cost))
                .then_with(|| one.issue.most_gain_first(other.issue))
        });
        here
    }

    /// "SEO loses most to “Missing titles”: 12.4 points, on 30 of 40 pages."
    fn most(&self, first: &Costly<'_>, is_capped: bool) -> String {
        let subject = if is_capped {
            "It"
        } else {
            self.dimension.label()
        };
        format!(
            "{subject} loses most to {}: {}{}.",
            first.title(),
            points(first.cost),
            first.place(self.coverage)
        )
    }

    fn nothing_costs(&self, here: &[Costly<'_>], is_capped: bool) -> String {
        let subject = if is_capped {
            "It"
        } else {
            self.dimension.label()
        };
        let notes = worth_a_look(self.notes);
        let checks = u64::try_from(self.score.checks.len()).unwrap_or(u64::MAX);
        match (checks, here.len()) {
            (0, _) => format!("{subject} was not judged: no check applies to this site."),
            (_, 0) if notes.is_empty() => match checks {
                1 => format!("{subject} passed the only check that applies."),
                more => format!(
                    "{subject} passed all {} that apply.",
                    count(more, "check", "checks")
                ),
            },
            (_, 0) => format!("{subject} loses no points. {notes}"),
            (..) => format!("{subject} has findings, but each of them alone changes nothing."),
        }
    }

    fn capped(&self, cap: &Cap) -> String {
        format!(
            "{} is capped at {}: {}. Without the cap it would be {}.",
            self.dimension.label(),
            cap.maximum,
            cap.reason.trim_end_matches('.'),
            self.score.uncapped
        )
    }

    /// "Fixing it would raise this score from 61 to 68. It would add 1.4 points overall."
    fn worth(&self, first: &Costly<'_>) -> String {
        let issue = first.issue;
        let check = self
            .score
            .checks
            .iter()
            .find(|check| check.check_id == issue.check_id);
        let cost = check.map_or(Share::ZERO, |check| check.cost);
        let lost = self.score.score.complement().minus(cost);
        let (before, after) = (self.score.subscore, lost.complement().to_score());
        let here = match after > before {
            true => format!("Fixing it would raise this score from {before} to {after}."),
            false => String::new(),
        };
        let subject = if here.is_empty() { "Fixing it" } else { "It" };
        let overall = match issue.score_impact > 0.0 {
            true => format!(
                "{subject} would add {} overall.",
                points(issue.score_impact)
            ),
            false => String::new(),
        };
        paragraph(&[here, overall])
    }

    /// From how few checks the score comes, and how many could not judge everything.
    fn basis(&self) -> String {
        let (judged, unjudged) = (self.score.checks.len(), self.unjudged);
        let few = match judged {
            0 => String::new(),
            1 => "The score comes from a single check".to_owned(),
            2..FEW_CHECKS => format!("The score comes from only {} checks", in_words(judged)),
            _ => String::new(),
        };
        let missing = match unjudged {
            0 => String::new(),
            1 => "one more check could not judge everything".to_owned(),
            more => format!("{} checks could not judge everything", in_words(more)),
        };
        match (few.is_empty(), missing.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!("{}.", capitalized(&missing)),
            (false, true) => format!("{few}."),
            (false, false) => format!("{few}; {missing}."),
        }
    }
}
