//! Which of several loads of a page is reported.

use super::MeasuredLoad;

/// The load with the median Largest Contentful Paint; of an even number the faster one of the two in the middle. A load
/// without one counts as the slowest.
pub(crate) fn median_by_largest_paint(mut loads: Vec<MeasuredLoad>) -> Option<MeasuredLoad> {
    let painted = |load: &MeasuredLoad| {
        let largest = load.observed.largest.as_ref();
        largest.map_or(u32::MAX, |largest| largest.at_ms)
    };
    loads.sort_by_key(painted);
    let middle = loads.len().checked_sub(1)? / 2;
    loads.into_iter().nth(middle)
}

#[cfg(test)]
mod tests {
    use domain::report::LabProfile;
    use url::Url;

    use super::super::{LargestPaint, MachineIndexes, Observed};
    use super::*;

    fn load(largest: Option<u32>) -> MeasuredLoad {
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
                largest: largest.map(|at_ms| LargestPaint {
                    at_ms,
                    ..LargestPaint::default()
                }),
                ..Observed::default()
            },
        }
    }

    #[test]
    fn the_middle_one_is_reported_whole() {
        for (loads, expected) in [
            (vec![Some(300)], Some(300)),
            (vec![Some(300), Some(200)], Some(200)),
            (vec![Some(900), Some(100), Some(500)], Some(500)),
            (vec![None, Some(100), None], None),
        ] {
            let loads = loads.into_iter().map(load).collect();
            let median = median_by_largest_paint(loads).unwrap();
            assert_eq!(
                median.observed.largest.map(|largest| largest.at_ms),
                expected
            );
        }
        assert!(median_by_largest_paint(Vec::new()).is_none());
    }
}
