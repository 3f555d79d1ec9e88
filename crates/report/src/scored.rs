//! Which scores of a report mean something.

use crate::wording::changes;
use domain::Dimension;
use domain::report::Report;
use domain::score::DimensionScore;

/// Which scores of a report mean something: where only a part of the catalogue was run, the others say
/// nothing of the site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Scored {
    /// All of them.
    #[default]
    Whole,
    /// The subscores of these dimensions.
    Dimensions(Vec<Dimension>),
    /// None.
    Nothing,
}

impl Scored {
    /// The overall score, where it means something.
    #[must_use]
    pub fn overall(&self, report: &Report) -> Option<u8> {
        (*self == Self::Whole).then_some(report.score.overall)
    }

    /// Whether the subscore of a dimension means something.
    #[must_use]
    pub fn has(&self, dimension: Dimension) -> bool {
        match self {
            Self::Whole => true,
            Self::Dimensions(known) => known.contains(&dimension),
            Self::Nothing => false,
        }
    }

    /// The scores of the dimensions that mean something, in the order in which they are shown.
    pub fn dimensions<'a>(
        &'a self,
        report: &'a Report,
    ) -> impl Iterator<Item = (Dimension, &'a DimensionScore)> {
        let all = report.score.dimensions.iter();
        all.map(|(&dimension, score)| (dimension, score))
            .filter(|(dimension, _)| self.has(*dimension))
    }

    /// The points, where there are any and an overall score that they are points of.
    pub(crate) fn points(&self, gained: f64) -> Option<f64> {
        (*self == Self::Whole && gained > 0.0).then_some(gained)
    }

    /// What to know first, in words.
    #[must_use]
    pub fn summary(&self, report: &Report) -> String {
        if *self == Self::Whole {
            let changes = report.changes.as_ref().map(changes::sentence);
            let summary = std::iter::once(report.summaries.overall.clone());
            return summary.chain(changes).collect::<Vec<_>>().join(" ");
        }
        let texts = report.summaries.dimensions.iter();
        let texts: Vec<_> = texts
            .filter(|(dimension, _)| self.has(**dimension))
            .map(|(_, text)| without_gain(text))
            .collect();
        texts.join(" ")
    }
}

/// A dimension's text without what the overall score would gain, of which there is none.
fn without_gain(text: &str) -> String {
    const ALONE: &str = " Fixing it would raise the overall score by ";
    const SECOND: &str = " and the overall score by ";
    let (before, after, end) = match (text.split_once(ALONE), text.split_once(SECOND)) {
        (Some((before, after)), _) => (before, after, ""),
        (None, Some((before, after))) => (before, after, "."),
        (None, None) => return text.to_owned(),
    };
    match after
        .split_once(" points.")
        .or_else(|| after.split_once(" point."))
    {
        Some((_, rest)) => format!("{before}{end}{rest}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_of_a_score_that_is_not_told_is_not_told() {
        let text =
            "It costs 4 points. Fixing it would raise the overall score by 2.5 points. Next.";
        assert_eq!(without_gain(text), "It costs 4 points. Next.");
        let text =
            "Fixing it would raise this score from 4 to 9 and the overall score by 1 point. Next.";
        let expected = "Fixing it would raise this score from 4 to 9. Next.";
        assert_eq!(without_gain(text), expected);
        assert_eq!(without_gain("Nothing."), "Nothing.");
    }
}
