//! Total Blocking Time.

/// A task of the main thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// When it began.
    pub at_ms: u32,
    /// How long it took.
    pub ms: u32,
}

/// The part of a task that does not block: a visitor does not notice a delay of this length.
const THRESHOLD_MS: u32 = 50;

/// How long tasks blocked the main thread between two moments: of each task the part beyond 50 ms. As in Lighthouse, a
/// task is cut to the time between the two before the 50 ms are subtracted.
pub(super) fn total_blocking_time(tasks: &[Task], from_ms: u32, to_ms: u32) -> u32 {
    let blocking = tasks.iter().map(|task| {
        let begun = task.at_ms.max(from_ms);
        let ended = task.at_ms.saturating_add(task.ms).min(to_ms);
        ended.saturating_sub(begun).saturating_sub(THRESHOLD_MS)
    });
    blocking.fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::none(&[], 0)]
    #[case::one(&[(1_000, 300)], 250)]
    #[case::exactly_the_threshold(&[(1_000, 50)], 0)]
    #[case::before_the_first_paint(&[(100, 300)], 0)]
    #[case::across_the_first_paint(&[(400, 300)], 150)]
    #[case::across_the_end(&[(4_900, 900)], 50)]
    #[case::after_the_end(&[(6_000, 900)], 0)]
    #[case::two(&[(1_000, 100), (2_000, 200)], 200)]
    fn what_is_beyond_50_ms_of_a_task_blocks(#[case] tasks: &[(u32, u32)], #[case] expected: u32) {
        let tasks: Vec<Task> = tasks
            .iter()
            .map(|&(at_ms, ms)| Task { at_ms, ms })
            .collect();
        assert_eq!(total_blocking_time(&tasks, 500, 5_000), expected);
    }
}
