//! Which of several loads of a page is reported.

use domain::score::Share;

use super::{MeasuredLoad, grades};

/// The load with the median score; of an even number the better one of the two in the middle. A load without a score counts as
/// the worst. Of equal scores that with the earlier Largest Contentful Paint is the better one.
///
/// Largest Contentful Paint alone would not do: where it is the same in all loads, it chooses one of them by chance, and Total Blocking Time
/// may differ between them by a factor of three.
pub(crate) fn median_by_score(mut loads: Vec<MeasuredLoad>) -> Option<MeasuredLoad> {
    loads.sort_by(|one, other| {
        let by_score = score(other).cmp(&score(one));
        by_score.then_with(|| largest_paint(one).cmp(&largest_paint(other)))
    });
    let middle = loads.len().checked_sub(1)? / 2;
    loads.into_iter().nth(middle)
}

fn score(load: &MeasuredLoad) -> Option<Share> {
    grades(&load.metrics(), load.profile).score()
}

fn largest_paint(load: &MeasuredLoad) -> u32 {
    let largest = load.observed.largest.as_ref();
    largest.map_or(u32::MAX, |largest| largest.at_ms)
}

#[cfg(test)]
mod tests {
    use domain::report::LabProfile;
    use url::Url;

    use super::super::{Frame, Histogram, LargestPaint, MachineIndexes, Observed, Task};
    use super::*;

    /// A load with this largest paint and a task of this length after it.
    fn load(largest: Option<u32>, task_ms: u32) -> MeasuredLoad {
        MeasuredLoad {
            url: Url::parse("https://example.com/").unwrap(),
            profile: LabProfile::Desktop,
            benchmark: MachineIndexes {
                mean: 1_000,
                before: 1_000,
                after: 1_000,
            },
            is_settled: true,
            observed: Observed {
                fcp_ms: Some(100),
                largest: largest.map(|at_ms| LargestPaint {
                    at_ms,
                    ..LargestPaint::default()
                }),
                long_tasks: vec![Task {
                    at_ms: 200,
                    ms: task_ms,
                }],
                frames: vec![Frame {
                    at_ms: 100,
                    histogram: Histogram::of_rgb(&[0; 300]),
                }],
                ended_ms: 9_000,
                ..Observed::default()
            },
        }
    }

    /// The largest paint and the longest task of the load that is reported.
    fn reported(loads: &[(Option<u32>, u32)]) -> Option<(Option<u32>, u32)> {
        let loads = loads.iter().map(|(largest, task)| load(*largest, *task));
        let median = median_by_score(loads.collect())?;
        let largest = median.observed.largest.map(|largest| largest.at_ms);
        Some((largest, median.observed.long_tasks[0].ms))
    }

    #[test]
    fn the_load_in_the_middle_is_reported_whole() {
        for (largest, expected) in [
            (vec![Some(3_000)], Some(3_000)),
            (vec![Some(3_000), Some(2_000)], Some(2_000)),
            (vec![Some(9_000), Some(100), Some(3_000)], Some(3_000)),
            // Too fast to differ in their scores.
            (vec![Some(300), Some(100), Some(200)], Some(200)),
            (vec![None, Some(100), None], None),
        ] {
            let loads: Vec<_> = largest.into_iter().map(|largest| (largest, 0)).collect();
            assert_eq!(reported(&loads).unwrap().0, expected, "{loads:?}");
        }
        assert_eq!(reported(&[]), None);
    }

    #[test]
    fn where_the_largest_paints_are_alike_blocking_time_decides() {
        let loads = [(Some(1_010), 900), (Some(1_000), 50), (Some(990), 300)];
        assert_eq!(reported(&loads), Some((Some(990), 300)));
    }
}
