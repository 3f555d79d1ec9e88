//! The summary of one dimension.

use super::costly::Costly;
use super::{name, paragraph, worth_a_look};
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
            costly
                .first()
                .map_or_else(String::new, |first| self.worth(first)),
            self.next(rest),
            self.metrics(),
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

    /// "The largest security gap is “Missing Content Security Policy”: it costs security 12.4 points, on every page."
    fn most(&self, first: &Costly<'_>, is_capped: bool) -> String {
        let (title, cost) = (first.title(), points(first.cost));
        let place = first.place(self.coverage);
        if is_capped {
            return format!("It loses most to {title}: {cost}{place}.");
        }
        format!(
            "{} {title}: it costs {} {cost}{place}.",
            beginning(self.dimension),
            name(self.dimension)
        )
    }

    /// "Next, “Missing sitemap” costs SEO 5 points and “Duplicate page titles” 3.4 points."
    fn next(&self, rest: &[Costly<'_>]) -> String {
        let Some((first, others)) = rest.split_first() else {
            return String::new();
        };
        let others: String = others
            .iter()
            .map(|costly| format!(" and {} {}", costly.title(), points(costly.cost)))
            .collect();
        format!(
            "Next, {} costs {} {}{others}.",
            first.title(),
            name(self.dimension),
            points(first.cost)
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
            // Good values may still be better.
            (_, 0) if self.score.metrics.is_some() => {
                format!("{subject} has no issue that costs points. {notes}")
            }
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

    /// "Fixing it would raise this score from 61 to 68 and the overall score by 1.4 points."
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
        let here = format!("this score from {before} to {after}");
        let overall = format!("the overall score by {}", points(issue.score_impact));
        match (after > before, issue.score_impact > 0.0) {
            (true, true) => format!("Fixing it would raise {here} and {overall}."),
            (true, false) => format!("Fixing it would raise {here}."),
            (false, true) => format!("Fixing it would raise {overall}."),
            (false, false) => String::new(),
        }
    }

    /// "Seven tenths of the score are the metrics of 2 measured pages: 95 of 100."
    fn metrics(&self) -> String {
        self.score.metrics.map_or_else(String::new, |metrics| {
            format!(
                "Seven tenths of the score are the metrics of {}: {} of 100.",
                count(metrics.count, "measured page", "measured pages"),
                metrics.mean().to_score()
            )
        })
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
            1 if few.is_empty() => "one check could not judge everything".to_owned(),
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

/// The words before the issue that costs a dimension most. Each dimension has its own, so that summaries that are
/// read one after the other do not begin alike.
const fn beginning(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Performance => "The site is slowed most by",
        Dimension::Accessibility => "The highest barrier for visitors is",
        Dimension::Seo => "Search engines are hindered most by",
        Dimension::Security => "The largest security gap is",
        Dimension::Content => "In the content, the worst problem is",
        Dimension::AiReadiness => "For AI assistants, the largest obstacle is",
    }
}
