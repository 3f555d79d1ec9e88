//! How fast the machine is while the pages of a run are measured.

use std::collections::VecDeque;
use std::time::Duration;

use super::cdp::commands::Evaluate;
use super::cdp::{CdpError, Session};

/// A function that returns the index.
const BENCHMARK: &str = include_str!("benchmark.js");

/// How long each of the two tests of the first benchmark of a run takes, as long as in Lighthouse. The neighbours of a virtual
/// machine change its speed within tenths of a second, so that a short benchmark alone says little about the seconds of
/// a load.
const FIRST: Duration = Duration::from_millis(500);

/// How long each of the two tests of a further benchmark takes.
const FURTHER: Duration = Duration::from_millis(80);

/// The benchmarks that count. There are one or two for each load.
const MOST_BENCHMARKS: usize = 8;

/// The `BenchmarkIndex` of the last benchmarks of a run.
#[derive(Debug, Default)]
pub(super) struct MachineSpeed {
    indexes: VecDeque<u32>,
}

/// Measures the speed of the machine, as Lighthouse's `BenchmarkIndex`, with two tests of this length; 0 if the tab does not say it.
/// The tab must not have shown a page.
pub(super) async fn benchmark_index(tab: &Session, length: Duration) -> Result<u32, CdpError> {
    let run = Evaluate {
        expression: &format!("({BENCHMARK})({})", length.as_millis()),
        context_id: None,
        return_by_value: true,
        await_promise: false,
    };
    let index = tab.call(&run).await?.result.value.as_u64();
    let index = index.and_then(|index| u32::try_from(index).ok());
    Ok(index.unwrap_or_default())
}

impl MachineSpeed {
    /// How long each of the two tests of the next benchmark has to be.
    pub(super) fn next_length(&self) -> Duration {
        match self.indexes.is_empty() {
            true => FIRST,
            false => FURTHER,
        }
    }

    /// Adds the index of a benchmark; 0 says nothing.
    pub(super) fn add(&mut self, index: u32) {
        if index == 0 {
            return;
        }
        if self.indexes.len() == MOST_BENCHMARKS {
            self.indexes.pop_front();
        }
        self.indexes.push_back(index);
    }

    /// The mean index of the last benchmarks; 0 if there is none.
    pub(super) fn mean_index(&self) -> u32 {
        let sum: u64 = self.indexes.iter().map(|index| u64::from(*index)).sum();
        let count = u64::try_from(self.indexes.len()).unwrap_or(u64::MAX);
        let mean = sum.checked_div(count).unwrap_or_default();
        u32::try_from(mean).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_benchmark_is_long_and_further_ones_are_short() {
        let mut speed = MachineSpeed::default();
        assert_eq!((speed.mean_index(), speed.next_length()), (0, FIRST));
        speed.add(0);
        assert_eq!((speed.mean_index(), speed.next_length()), (0, FIRST));
        speed.add(1_000);
        assert_eq!((speed.mean_index(), speed.next_length()), (1_000, FURTHER));
        speed.add(2_000);
        assert_eq!(speed.mean_index(), 1_500);
    }

    #[test]
    fn old_benchmarks_do_not_count() {
        let mut speed = MachineSpeed::default();
        speed.add(1_000);
        for _ in 0..MOST_BENCHMARKS {
            speed.add(u32::MAX);
        }
        assert_eq!(speed.mean_index(), u32::MAX);
        assert_eq!(speed.indexes.len(), MOST_BENCHMARKS);
    }
}
