//! The time budgets of an audit.

use std::time::Duration;

use tokio::time::Instant;

/// The divisor of the deadline that gives the time reserved for what follows the crawl.
const AFTER_CRAWL: u32 = 5;
/// The divisor of the deadline that gives the time reserved for the evaluation of the site after the last
/// request.
const EVALUATION: u32 = 20;
/// The longest wait for the last request of the crawl.
const CLOSING: Duration = Duration::from_secs(20);

/// Longer than any audit, and within the range of clocks.
const MAX_DEADLINE: Duration = Duration::from_secs(365 * 24 * 3_600);

/// Divides the deadline of an audit into budgets for its phases. The audit of a slow site skips some of its
/// last requests and still ends with a score before the deadline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budgets {
    started: Instant,
    deadline: Duration,
}

impl Budgets {
    /// The budgets of an audit that starts now.
    pub(crate) fn new(deadline: Duration) -> Self {
        Self {
            started: Instant::now(),
            deadline: deadline.min(MAX_DEADLINE),
        }
    }

    /// When a crawl ends that starts now and may take as long as `budget`: after four fifths of the deadline at
    /// the latest, or after half of the remaining time if that is later.
    pub(crate) fn crawl_end(&self, budget: Duration) -> Instant {
        let usual = self.started + (self.deadline - self.deadline / AFTER_CRAWL);
        usual
            .max(self.share(2, Duration::MAX))
            .min(Instant::now() + budget.min(MAX_DEADLINE))
    }

    /// When a browser shows no more pages. With [`Self::measuring_end`] it has two fifths of the deadline.
    pub(crate) fn rendering_end(&self) -> Instant {
        self.started + self.deadline / 10 * 3
    }

    /// When a browser measures no more pages, if it begins now: after a tenth of the deadline, or after half of the
    /// remaining time if that is earlier.
    pub(crate) fn measuring_end(&self) -> Instant {
        self.share(2, self.deadline / 10)
    }

    /// How long the crawl may wait for a last response once it has ended.
    pub(crate) fn closing(&self) -> Duration {
        CLOSING.min(self.deadline / EVALUATION)
    }

    /// The budgets of the same audit with no time left for requests.
    pub(crate) fn exhausted(self) -> Self {
        let deadline = Duration::ZERO;
        Self { deadline, ..self }
    }

    /// When a phase ends that starts now and is the first of `parts` phases, which share the remaining time. It
    /// takes no longer than `most`.
    pub(crate) fn share(&self, parts: u32, most: Duration) -> Instant {
        let end = self.started + (self.deadline - self.deadline / EVALUATION);
        let left = end.saturating_duration_since(Instant::now());
        Instant::now() + (left / parts.max(1)).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[tokio::test(start_paused = true)]
    async fn a_crawl_ends_in_time_for_the_remaining_phases() {
        let budgets = Budgets::new(seconds(600));
        let begun = Instant::now();
        assert_eq!(budgets.crawl_end(seconds(60)), begun + seconds(60));
        assert_eq!(budgets.crawl_end(Duration::MAX), begun + seconds(480));
        tokio::time::advance(seconds(470)).await;
        // The time before it was long: the crawl still gets half of the rest.
        assert_eq!(budgets.crawl_end(seconds(480)), begun + seconds(520));
    }

    #[tokio::test(start_paused = true)]
    async fn the_remaining_time_is_shared_and_some_is_reserved_for_evaluation() {
        let budgets = Budgets::new(seconds(600));
        let begun = Instant::now();
        assert_eq!(budgets.share(2, seconds(40)), begun + seconds(40));
        tokio::time::advance(seconds(530)).await;
        assert_eq!(budgets.share(2, seconds(40)), begun + seconds(550));
        assert_eq!(budgets.share(1, seconds(400)), begun + seconds(570));
        tokio::time::advance(seconds(60)).await;
        assert_eq!(budgets.share(1, seconds(40)), begun + seconds(590));
        assert_eq!(budgets.closing(), seconds(20));
        assert_eq!(Budgets::new(seconds(20)).closing(), seconds(1));
    }

    #[tokio::test(start_paused = true)]
    async fn pages_are_measured_for_a_tenth_of_the_deadline() {
        let budgets = Budgets::new(seconds(600));
        let begun = Instant::now();
        assert_eq!(budgets.rendering_end(), begun + seconds(180));
        assert_eq!(budgets.measuring_end(), begun + seconds(60));
        tokio::time::advance(seconds(500)).await;
        assert_eq!(budgets.measuring_end(), begun + seconds(535));
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_beyond_the_range_of_clocks_is_capped() {
        let budgets = Budgets::new(Duration::MAX);
        assert!(budgets.crawl_end(seconds(60)) == Instant::now() + seconds(60));
        assert!(budgets.share(2, seconds(40)) == Instant::now() + seconds(40));
    }
}
