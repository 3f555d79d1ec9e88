//! How the time of an audit is shared out.

use std::time::Duration;

use tokio::time::Instant;

/// Of the deadline, the part that is left for what comes after the crawl.
const AFTER_CRAWL: u32 = 5;
/// Of the deadline, the part that is left for judging the site once nothing is asked for any more.
const JUDGING: u32 = 20;
/// Time at most for one last question of the crawl.
const CLOSING: Duration = Duration::from_secs(20);

/// Further ahead than any audit goes, and near enough for clocks.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3_600);

/// When the parts of an audit end, so that all of it ends before the deadline. A site that is slow
/// loses some of what is asked for last, and not its score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timetable {
    begun: Instant,
    deadline: Duration,
}

impl Timetable {
    /// Of an audit that begins now.
    pub(crate) fn new(deadline: Duration) -> Self {
        Self {
            begun: Instant::now(),
            deadline: deadline.min(FOR_EVER),
        }
    }

    /// When a crawl that begins now and may take as long as `budget` ends: four fifths through the
    /// deadline at the latest, or half-way through what is left where that is later.
    pub(crate) fn crawl_end(&self, budget: Duration) -> Instant {
        let usual = self.begun + (self.deadline - self.deadline / AFTER_CRAWL);
        usual
            .max(self.share(2, Duration::MAX))
            .min(Instant::now() + budget.min(FOR_EVER))
    }

    /// How long the crawl may wait for an answer once it has ended.
    pub(crate) fn closing(&self) -> Duration {
        CLOSING.min(self.deadline / JUDGING)
    }

    /// The same audit with no time left for anything but judging.
    pub(crate) fn over(self) -> Self {
        let deadline = Duration::ZERO;
        Self { deadline, ..self }
    }

    /// When something ends that begins now, has so many parts to share the rest of the time with,
    /// itself included, and never takes longer than `most`.
    pub(crate) fn share(&self, parts: u32, most: Duration) -> Instant {
        let end = self.begun + (self.deadline - self.deadline / JUDGING);
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
    async fn a_crawl_ends_in_time_for_the_rest() {
        let times = Timetable::new(seconds(600));
        let begun = Instant::now();
        assert_eq!(times.crawl_end(seconds(60)), begun + seconds(60));
        assert_eq!(times.crawl_end(Duration::MAX), begun + seconds(480));
        tokio::time::advance(seconds(470)).await;
        // What came before it was slow: the crawl still gets half of what is left.
        assert_eq!(times.crawl_end(seconds(480)), begun + seconds(520));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_left_is_shared_and_some_is_kept_for_judging() {
        let times = Timetable::new(seconds(600));
        let begun = Instant::now();
        assert_eq!(times.share(2, seconds(40)), begun + seconds(40));
        tokio::time::advance(seconds(530)).await;
        assert_eq!(times.share(2, seconds(40)), begun + seconds(550));
        assert_eq!(times.share(1, seconds(400)), begun + seconds(570));
        tokio::time::advance(seconds(60)).await;
        assert_eq!(times.share(1, seconds(40)), begun + seconds(590));
        assert_eq!(times.closing(), seconds(20));
        assert_eq!(Timetable::new(seconds(20)).closing(), seconds(1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_deadline_beyond_all_clocks_is_none() {
        let times = Timetable::new(Duration::MAX);
        assert!(times.crawl_end(seconds(60)) == Instant::now() + seconds(60));
        assert!(times.share(2, seconds(40)) == Instant::now() + seconds(40));
    }
}
