//! The score of one page.

use super::{Share, penalty};
use crate::{Dimension, Severity};

/// How much a check lowers the score of one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLoss {
    /// The dimension.
    pub dimension: Dimension,
    /// What the check costs: its penalty times the extent of what it found.
    pub loss: Share,
}

impl PageLoss {
    /// What a failure costs on a page.
    #[must_use]
    pub fn new(dimension: Dimension, severity: Severity, extent: Share) -> Self {
        let loss = penalty(severity).times(extent);
        Self { dimension, loss }
    }
}

/// The score of a page in a dimension: the product of what each check leaves, in the order given, which
/// must be that of the catalogue.
///
/// ```
/// use domain::{Dimension, Severity};
/// use domain::score::{PageLoss, Share, page_score};
///
/// let serious = PageLoss::new(Dimension::Seo, Severity::Serious, Share::ONE);
/// let moderate = PageLoss::new(Dimension::Seo, Severity::Moderate, Share::half_and_half_of(1, 2));
/// // 100 × (1 − 0.2) × (1 − 0.07 × ¾)
/// assert_eq!(page_score(&[serious, moderate], Dimension::Seo).to_points(), 75.8);
/// ```
#[must_use]
pub fn page_score(losses: &[PageLoss], dimension: Dimension) -> Share {
    let here = losses.iter().filter(|loss| loss.dimension == dimension);
    product(here.map(|loss| loss.loss))
}

/// What the page's score would be without the loss at this place.
#[must_use]
pub fn page_score_without(losses: &[PageLoss], place: usize) -> Share {
    let Some(without) = losses.get(place) else {
        return Share::ONE;
    };
    let others = losses
        .iter()
        .enumerate()
        .filter(|&(other, loss)| other != place && loss.dimension == without.dimension);
    product(others.map(|(_, loss)| loss.loss))
}

fn product(losses: impl Iterator<Item = Share>) -> Share {
    losses.fold(Share::ONE, |score, loss| score.times(loss.complement()))
}
