//! Time to Interactive.

use super::{MAX_TIMED_REQUESTS, Observed, Task, TimedRequest};

/// How long nothing happens after a page has become interactive.
const QUIET_MS: u32 = 5_000;

/// Requests that may be open while nothing happens.
const MAX_OPEN: usize = 2;

/// A time in which something happens: from, to.
type Busy = (u32, u32);

/// When a page that painted at this time reacted to input at once: after the last long task, and when its document was read,
/// before five seconds without a long task and with at most two open requests. This is the definition of Lighthouse, and of
/// web.dev (Time to Interactive). What follows a load that has settled counts as quiet.
pub(super) fn time_to_interactive(observed: &Observed, painted_ms: u32) -> u32 {
    let tasks = observed
        .long_tasks
        .iter()
        .map(|task| (task.at_ms, end(task)));
    let mut busy: Vec<Busy> = tasks.chain(many_requests(&observed.requests)).collect();
    busy.sort_unstable();
    let mut quiet_from = painted_ms;
    for (from, to) in busy {
        if from.saturating_sub(quiet_from) >= QUIET_MS {
            break;
        }
        quiet_from = quiet_from.max(to);
    }
    let tasks = observed.long_tasks.iter().map(end);
    let last_task = tasks.filter(|ended| *ended <= quiet_from).max();
    let earliest = painted_ms.max(observed.content_loaded_ms.unwrap_or(0));
    earliest.max(last_task.unwrap_or(0))
}

const fn end(task: &Task) -> u32 {
    task.at_ms.saturating_add(task.ms)
}

/// When more than [`MAX_OPEN`] requests were open. Requests after the first [`MAX_TIMED_REQUESTS`] are not known: from
/// the last known one on, they count as many.
fn many_requests(requests: &[TimedRequest]) -> Vec<Busy> {
    let times = requests
        .iter()
        .map(|request| (request.began_ms, request.ended_ms.unwrap_or(u32::MAX)));
    let changes = times
        .filter(|(began, ended)| began < ended)
        .flat_map(|(began, ended)| [(began, true), (ended, false)]);
    // At one time, requests end before others begin.
    let mut changes: Vec<(u32, bool)> = changes.collect();
    changes.sort_unstable();
    let mut busy = Vec::new();
    let (mut open, mut began) = (0, 0);
    for (at, is_begin) in changes {
        if is_begin {
            open += 1;
            if open == MAX_OPEN + 1 {
                began = at;
            }
        } else {
            if open == MAX_OPEN + 1 {
                busy.push((began, at));
            }
            open -= 1;
        }
    }
    if requests.len() >= MAX_TIMED_REQUESTS {
        let last = requests.iter().map(|request| request.began_ms).max();
        busy.extend(last.map(|last| (last, u32::MAX)));
    }
    busy
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;
    use crate::lab::{Initiator, RequestKind};

    fn request((began_ms, ended_ms): (u32, Option<u32>)) -> TimedRequest {
        TimedRequest {
            url: "https://example.com/a".to_owned(),
            landed_at: None,
            kind: RequestKind::Data,
            initiator: Initiator::Script,
            named_by: None,
            began_ms,
            ended_ms,
            wire_bytes: 0,
            redirects: 0,
            redirects_ms: 0,
            blocks_rendering: false,
        }
    }

    fn observed(tasks: &[(u32, u32)], requests: &[(u32, Option<u32>)]) -> Observed {
        let tasks = tasks.iter().map(|&(at_ms, ms)| Task { at_ms, ms });
        Observed {
            long_tasks: tasks.collect(),
            requests: requests.iter().copied().map(request).collect(),
            ended_ms: 20_000,
            ..Observed::default()
        }
    }

    #[rstest]
    #[case::nothing_happens(&[], &[], 1_000)]
    #[case::before_the_paint(&[(500, 100)], &[], 1_000)]
    #[case::across_the_paint(&[(900, 200)], &[], 1_100)]
    #[case::within_five_seconds(&[(5_999, 100)], &[], 6_099)]
    #[case::after_five_seconds(&[(6_000, 100)], &[], 1_000)]
    #[case::after_a_break(&[(2_000, 100), (7_099, 100), (12_199, 100)], &[], 7_199)]
    #[case::two_requests(&[(6_000, 100)], &[(0, Some(9_000)), (0, None)], 1_000)]
    #[case::three_requests(&[(6_000, 100)], &[(0, Some(3_000)), (0, None), (0, None)], 6_100)]
    #[case::one_after_the_other(&[(6_000, 100)], &[(0, Some(2_000)), (0, None), (2_000, None), (2_500, Some(2_600))], 6_100)]
    #[case::requests_without_end(&[(15_000, 100)], &[(0, None), (0, None), (0, None)], 15_100)]
    #[case::requests_alone(&[], &[(0, None), (0, None), (0, None)], 1_000)]
    fn a_page_is_interactive_before_five_quiet_seconds(
        #[case] tasks: &[(u32, u32)],
        #[case] requests: &[(u32, Option<u32>)],
        #[case] expected: u32,
    ) {
        assert_eq!(
            time_to_interactive(&observed(tasks, requests), 1_000),
            expected
        );
    }

    #[test]
    fn a_page_is_not_interactive_before_its_document_was_read() {
        let mut observed = observed(&[(8_000, 100)], &[]);
        observed.content_loaded_ms = Some(8_200);
        assert_eq!(time_to_interactive(&observed, 1_000), 8_200);
    }

    #[test]
    fn requests_that_are_not_known_count_as_many() {
        let short = [(1_000, Some(1_010)); MAX_TIMED_REQUESTS];
        let tasks = [(15_000, 100)];
        assert_eq!(
            time_to_interactive(&observed(&tasks, &short), 1_000),
            15_100
        );
        assert_eq!(
            time_to_interactive(&observed(&tasks, &short[1..]), 1_000),
            1_000
        );
    }

    proptest! {
        /// The same as the definition, which looks at each moment.
        #[test]
        fn the_time_is_that_of_the_definition(
            tasks in prop::collection::vec((0_u32..200, 1_u32..60), 0..6),
            requests in prop::collection::vec((0_u32..200, 0_u32..150), 0..8),
            painted in 0_u32..100,
        ) {
            // Each moment takes 100 ms: five seconds have 50.
            let tasks: Vec<_> = tasks.iter().map(|(at, takes)| (at * 100, takes * 100)).collect();
            let requests: Vec<_> = requests.iter().map(|(at, takes)| (at * 100, Some((at + takes) * 100))).collect();
            let is_quiet = |step: u32| {
                let within = |from: u32, to: u32| from <= step * 100 && step * 100 < to;
                let open = requests.iter().filter(|(from, to)| within(*from, to.unwrap())).count();
                open <= MAX_OPEN && !tasks.iter().any(|(at, takes)| within(*at, at + takes))
            };
            let window = (painted..1_000).find(|first| (*first..first + 50).all(is_quiet)).unwrap() * 100;
            let ends = tasks.iter().map(|(at, takes)| at + takes).filter(|ended| *ended <= window);
            let expected = ends.max().unwrap_or(0).max(painted * 100);
            prop_assert_eq!(time_to_interactive(&observed(&tasks, &requests), painted * 100), expected);
        }
    }
}
