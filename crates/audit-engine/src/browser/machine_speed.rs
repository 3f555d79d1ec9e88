//! How fast the machine is while the pages of a run are measured.

use std::collections::VecDeque;
use std::time::Duration;

use super::cdp::commands::Evaluate;
use super::cdp::{CdpError, Session};

/// A function that returns the index.
const BENCHMARK: &str = include_str!("benchmark.js");

/// How long each of the two tests of the first benchmark of a run takes, as long as in Lighthouse. The neighbours of a virtual machine
/// change its speed within tenths of a second, so that a short benchmark alone says little about the seconds of a load.
const FIRST: Duration = Duration::from_millis(500);

/// How long each of the two tests of a further benchmark takes.
const FURTHER: Duration = Duration::from_millis(80);

/// The benchmarks that count. There are one or two for each load.
const MOST_BENCHMARKS: usize = 8;

/// The last benchmarks of a run.
#[derive(Debug, Default)]
pub(super) struct MachineSpeed {
    benchmarks: VecDeque<Benchmark>,
}

/// A benchmark that was measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Benchmark {
    /// Lighthouse's `BenchmarkIndex`; 0 if the tab did not say it.
    pub(super) index: u32,
    /// How long each of its two tests took.
    length: Duration,
}

impl Benchmark {
    /// Measures the speed of the machine with two tests of this length. The tab must not have shown a page.
    pub(super) async fn run(tab: &Session, length: Duration) -> Result<Self, CdpError> {
        let run = Evaluate {
            expression: &format!("({BENCHMARK})({})", length.as_millis()),
            context_id: None,
            return_by_value: true,
            await_promise: false,
        };
        let index = tab.call(&run).await?.result.value.as_u64();
        let index = index.and_then(|index| u32::try_from(index).ok());
        Ok(Self {
            index: index.unwrap_or_default(),
            length,
        })
    }
}

impl MachineSpeed {
    /// How long each of the two tests of the next benchmark has to be.
    pub(super) fn next_length(&self) -> Duration {
        match self.benchmarks.is_empty() {
            true => FIRST,
            false => FURTHER,
        }
    }

    /// Adds a benchmark; one without an index says nothing.
    pub(super) fn add(&mut self, benchmark: Benchmark) {
        if benchmark.index == 0 {
            return;
        }
        if self.benchmarks.len() == MOST_BENCHMARKS {
            self.benchmarks.pop_front();
        }
        self.benchmarks.push_back(benchmark);
    }

    /// The mean index of the last benchmarks, weighted by their lengths; 0 if there is none.
    pub(super) fn mean_index(&self) -> u32 {
        let (mut weighted_sum, mut total_ms) = (0, 0);
        for Benchmark { index, length } in &self.benchmarks {
            weighted_sum += u128::from(*index) * length.as_millis();
            total_ms += length.as_millis();
        }
        let mean = weighted_sum.checked_div(total_ms).unwrap_or_default();
        u32::try_from(mean).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn benchmark(index: u32, length: Duration) -> Benchmark {
        Benchmark { index, length }
    }

    #[test]
    fn the_first_benchmark_is_long_and_counts_by_its_length() {
        let mut speed = MachineSpeed::default();
        assert_eq!((speed.mean_index(), speed.next_length()), (0, FIRST));
        speed.add(benchmark(0, FIRST));
        assert_eq!((speed.mean_index(), speed.next_length()), (0, FIRST));
        speed.add(benchmark(1_000, FIRST));
        assert_eq!((speed.mean_index(), speed.next_length()), (1_000, FURTHER));
        speed.add(benchmark(2_000, FURTHER));
        assert_eq!(speed.mean_index(), (1_000 * 500 + 2_000 * 80) / 580);
    }

    #[test]
    fn old_benchmarks_do_not_count() {
        let mut speed = MachineSpeed::default();
        speed.add(benchmark(1_000, FIRST));
        for _ in 0..MOST_BENCHMARKS {
            speed.add(benchmark(u32::MAX, FURTHER));
        }
        assert_eq!(speed.mean_index(), u32::MAX);
        assert_eq!(speed.benchmarks.len(), MOST_BENCHMARKS);
    }
}
