//! What each page loses, and the page scores.

use std::collections::HashMap;

use domain::Dimension;
use domain::action::PageKey;
use domain::report::PageScores;
use domain::score::{PageLoss, PageTotal, Share, page_score, page_score_without};

use super::same_fact::priced_by;
use crate::bounds::MAX_COUNTED_ADDRESSES;
use crate::check::Check;

/// What the checks of pages found on each page, as far as it lowers scores.
///
/// The pages are the audited ones, in their order. An address that gives no page counts as a page in the
/// dimension in which a check failed for it, so that a page does not raise a score by disappearing.
#[derive(Debug, Default)]
pub(super) struct PageLosses {
    audited: Vec<Vec<Loss>>,
    /// The place of each audited page, by its key.
    places: HashMap<PageKey, usize>,
    /// The losses of addresses that are not audited pages; at most [`MAX_COUNTED_ADDRESSES`].
    others: HashMap<PageKey, Vec<Loss>>,
}

/// What a check costs on a page.
#[derive(Debug, Clone, Copy)]
struct Loss {
    /// The check's place in the catalogue.
    check: u16,
    loss: Share,
}

/// The page scores of an audit, added up.
#[derive(Debug, Default)]
pub(super) struct PageSums {
    /// The sum of each dimension.
    pub(super) totals: HashMap<Dimension, PageTotal>,
    /// What the sum would gain without each check, by the check's place.
    pub(super) gains: HashMap<usize, u64>,
}

impl PageLosses {
    /// Adds an audited page and returns its place, from 0.
    pub(super) fn add_page(&mut self, key: PageKey) -> usize {
        let place = self.audited.len();
        self.places.entry(key).or_insert(place);
        self.audited.push(Vec::new());
        place
    }

    /// Records what a check costs on the audited page at this place.
    pub(super) fn record_at(&mut self, page: usize, check: usize, loss: Share) {
        if let Some(losses) = self.audited.get_mut(page) {
            push(losses, check, loss);
        }
    }

    /// Records what a check costs on the page that was added last.
    pub(super) fn record_last(&mut self, check: usize, loss: Share) {
        if let Some(losses) = self.audited.last_mut() {
            push(losses, check, loss);
        }
    }

    /// Records what a check costs on the page or other address.
    pub(super) fn record(&mut self, key: PageKey, check: usize, loss: Share) {
        let page = self.places.get(&key).copied();
        if let Some(losses) = page.and_then(|place| self.audited.get_mut(place)) {
            push(losses, check, loss);
        } else if self.others.len() < MAX_COUNTED_ADDRESSES || self.others.contains_key(&key) {
            push(self.others.entry(key).or_default(), check, loss);
        }
    }

    /// Removes everything that a check costs, because it crashed.
    pub(super) fn forget(&mut self, check: usize) {
        let other = |loss: &Loss| usize::from(loss.check) != check;
        for losses in &mut self.audited {
            losses.retain(other);
        }
        for losses in self.others.values_mut() {
            losses.retain(other);
        }
        self.others.retain(|_, losses| !losses.is_empty());
    }

    /// Adds the page scores up.
    pub(super) fn sums(&self, checks: &[&'static Check]) -> PageSums {
        let mut sums = PageSums::default();
        for dimension in Dimension::ALL {
            let clean = self
                .audited
                .iter()
                .filter(|losses| losses.is_empty())
                .count();
            let clean = u64::try_from(clean).unwrap_or(u64::MAX);
            let total = PageTotal {
                count: clean,
                sum: clean.saturating_mul(Share::ONE.billionths().into()),
            };
            sums.totals.insert(dimension, total);
        }
        for losses in self.audited.iter().filter(|losses| !losses.is_empty()) {
            sums.add(losses, checks, |_, _| true);
        }
        for losses in self.others.values() {
            // Other addresses count as pages only in the dimensions in which a check failed for them.
            sums.add(losses, checks, |losses, dimension| {
                losses.iter().any(|loss| loss.dimension == dimension)
            });
        }
        sums
    }

    /// The scores of the audited page at this place.
    pub(super) fn audited_scores(&self, place: usize, checks: &[&'static Check]) -> PageScores {
        let Some(losses) = self.audited.get(place) else {
            return PageScores::default();
        };
        let losses = page_losses(losses, checks);
        PageScores(Dimension::ALL.map(|dimension| Some(page_score(&losses, dimension))))
    }

    /// The scores of an address that is not an audited page.
    pub(super) fn other_scores(&self, url: &str, checks: &[&'static Check]) -> PageScores {
        let Some(losses) = self.others.get(&PageKey::from_url(url)) else {
            return PageScores::default();
        };
        let losses = page_losses(losses, checks);
        PageScores(Dimension::ALL.map(|dimension| {
            let counts = losses.iter().any(|loss| loss.dimension == dimension);
            counts.then(|| page_score(&losses, dimension))
        }))
    }
}

impl PageSums {
    fn add(
        &mut self,
        losses: &[Loss],
        checks: &[&'static Check],
        counts: impl Fn(&[PageLoss], Dimension) -> bool,
    ) {
        let places: Vec<usize> = in_order(losses).map(|loss| loss.check.into()).collect();
        let losses = page_losses(losses, checks);
        let mut scores = HashMap::with_capacity(Dimension::ALL.len());
        for dimension in Dimension::ALL {
            if counts(&losses, dimension) {
                let score = page_score(&losses, dimension);
                self.totals.entry(dimension).or_default().add(score);
                scores.insert(dimension, score);
            }
        }
        for (index, (place, loss)) in places.into_iter().zip(&losses).enumerate() {
            let score = scores.get(&loss.dimension).copied().unwrap_or_default();
            let gain = page_score_without(&losses, index).minus(score);
            let gains = self.gains.entry(place).or_default();
            *gains = gains.saturating_add(gain.billionths().into());
        }
    }
}

/// Adds a loss. A check that fails twice on a page costs the larger of both.
fn push(losses: &mut Vec<Loss>, check: usize, loss: Share) {
    let Ok(check) = u16::try_from(check) else {
        return;
    };
    if loss == Share::ZERO {
        return;
    }
    match losses.iter_mut().find(|known| known.check == check) {
        Some(known) => known.loss = known.loss.max(loss),
        None => losses.push(Loss { check, loss }),
    }
}

/// The losses in the order of the catalogue.
fn in_order(losses: &[Loss]) -> impl Iterator<Item = Loss> {
    let mut losses = losses.to_vec();
    losses.sort_by_key(|loss| loss.check);
    losses.into_iter()
}

/// The losses as scoring takes them. A check that sees what another sees on the page costs only what it costs more
/// than the other.
fn page_losses(losses: &[Loss], checks: &[&'static Check]) -> Vec<PageLoss> {
    let loss_of = |id: &str| {
        let mut known = losses.iter();
        known.find(|loss| {
            checks
                .get(usize::from(loss.check))
                .is_some_and(|check| check.id == id)
        })
    };
    in_order(losses)
        .filter_map(|loss| {
            let check = checks.get(usize::from(loss.check))?;
            let priced = priced_by(check.id).filter_map(loss_of);
            let priced = priced.map(|other| other.loss).max();
            Some(PageLoss {
                dimension: check.dimension,
                loss: priced.map_or(loss.loss, |priced| excess(loss.loss, priced)),
            })
        })
        .collect()
}

/// What is left of a loss after another loss for the same fact, so that both together lose what the larger one does:
/// `(1 − priced) × (1 − excess) = 1 − max(loss, priced)`.
fn excess(loss: Share, priced: Share) -> Share {
    let (left, kept) = (
        loss.complement().billionths(),
        priced.complement().billionths(),
    );
    if left >= kept {
        return Share::ZERO;
    }
    Share::from_ratio(left.into(), kept.into()).complement()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::find;

    #[test]
    fn two_checks_of_one_fact_lose_what_the_larger_one_does() {
        let checks: Vec<_> = ["image-alt", "link-name"]
            .into_iter()
            .filter_map(find)
            .collect();
        let scores = |alt: u8, name: u8| {
            let mut losses = PageLosses::default();
            losses.add_page(PageKey::from_url("https://e.com/"));
            losses.record_last(0, Share::from_hundredths(alt));
            losses.record_last(1, Share::from_hundredths(name));
            let scores = losses.audited_scores(0, &checks);
            scores.get(Dimension::Accessibility).map(Share::to_points)
        };
        assert_eq!(scores(45, 20), Some(55.0));
        assert_eq!(scores(10, 20), Some(80.0));
        assert_eq!(scores(0, 20), Some(80.0));
    }

    #[test]
    fn an_address_without_a_page_counts_where_a_check_fails_for_it() {
        let checks: Vec<_> = find("http-client-error").into_iter().collect();
        let mut losses = PageLosses::default();
        losses.add_page(PageKey::from_url("https://e.com/"));
        losses.record(PageKey::from_url("https://e.com/gone"), 0, Share::ONE);
        let sums = losses.sums(&checks);
        assert_eq!(sums.totals[&Dimension::Seo].mean().to_points(), 50.0);
        assert_eq!(sums.totals[&Dimension::Content].count, 1);
        let scores = losses.other_scores("https://e.com/gone", &checks);
        assert_eq!(scores.get(Dimension::Seo), Some(Share::ZERO));
        assert_eq!(scores.get(Dimension::Content), None);
    }

    #[test]
    fn addresses_beyond_the_bound_are_not_counted() {
        let mut losses = PageLosses::default();
        for number in 0..=MAX_COUNTED_ADDRESSES {
            let key = PageKey::parse(&format!("{number:032x}")).unwrap();
            losses.record(key, 0, Share::ONE);
        }
        assert_eq!(losses.others.len(), MAX_COUNTED_ADDRESSES);
    }

    #[test]
    fn a_check_that_crashed_costs_nothing() {
        let checks: Vec<_> = find("title-missing").into_iter().collect();
        let mut losses = PageLosses::default();
        losses.add_page(PageKey::from_url("https://e.com/"));
        losses.record_last(0, Share::ONE);
        losses.record(PageKey::from_url("https://e.com/b"), 0, Share::ONE);
        losses.forget(0);
        assert_eq!(
            losses.sums(&checks).totals[&Dimension::Seo].mean(),
            Share::ONE
        );
    }
}
