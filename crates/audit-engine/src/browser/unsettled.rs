//! The pages of a run that did not settle by themselves when they were shown, and how long each may then be measured.

use std::time::Duration;

use url::Url;

use super::settle::MEASURE_CAP;

/// How long a page that does not settle is shown and measured, together.
const SHOWN_AND_MEASURED: Duration = Duration::from_secs(29);

/// How long it is measured at least: its first paint may come late over a slow connection.
const LEAST: Duration = Duration::from_secs(6);

/// Pages that are kept. Further ones are measured for as long as others.
const MAX_PAGES: usize = 100;

/// The pages that did not settle, and how long each was shown.
#[derive(Debug, Default)]
pub(super) struct UnsettledPages(Vec<(Url, Duration)>);

impl UnsettledPages {
    pub(super) fn add(&mut self, url: Url, shown_for: Duration) {
        if self.0.len() < MAX_PAGES {
            self.0.push((url, shown_for));
        }
    }

    /// How long a load of the page is measured at most. What holds a page that never loads holds it in each load, so the time
    /// that it was shown counts.
    pub(super) fn measured_for(&self, url: &Url) -> Duration {
        let shown_for = self.0.iter().find(|(page, _)| page == url);
        shown_for.map_or(MEASURE_CAP, |(_, shown_for)| {
            SHOWN_AND_MEASURED
                .saturating_sub(*shown_for)
                .clamp(LEAST, MEASURE_CAP)
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn page(number: usize) -> Url {
        Url::parse(&format!("https://example.com/{number}")).unwrap()
    }

    #[rstest]
    #[case::moves_for_ever(7, 22)]
    #[case::never_loads(22, 7)]
    #[case::takes_all_its_time(30, 6)]
    fn a_page_that_took_long_is_measured_for_less_time(#[case] shown: u64, #[case] measured: u64) {
        let mut pages = UnsettledPages::default();
        pages.add(page(1), Duration::from_secs(shown));
        assert_eq!(pages.measured_for(&page(1)), Duration::from_secs(measured));
        assert_eq!(pages.measured_for(&page(2)), MEASURE_CAP);
    }

    #[test]
    fn the_number_of_pages_is_limited() {
        let mut pages = UnsettledPages::default();
        for number in 0..2 * MAX_PAGES {
            pages.add(page(number), Duration::from_secs(22));
        }
        assert_eq!(pages.0.len(), MAX_PAGES);
    }
}
