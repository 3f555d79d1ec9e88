//! A tab in which a page will be measured.

use std::time::Duration;

use tokio::time::Instant;

use super::machine_speed::Benchmark;
use super::tab::Tab;
use crate::gather::RenderError;

/// How long a benchmark says how fast the machine is.
const FRESH: Duration = Duration::from_secs(1);

/// A tab that has shown nothing yet, and the speed of the machine in it. A browser runs the benchmark once between two loads:
/// it is that after the one and that before the other.
#[derive(Debug)]
pub(super) struct ReadyTab {
    tab: Tab,
    benchmark: Benchmark,
    since: Instant,
}

impl ReadyTab {
    /// The tab with a benchmark whose tests take this long.
    pub(super) async fn new(tab: Tab, length: Duration) -> Result<Self, RenderError> {
        Ok(Self {
            benchmark: Benchmark::run(tab.context.tab(), length).await?,
            tab,
            since: Instant::now(),
        })
    }

    /// Whether the benchmark still says how fast the machine is.
    pub(super) fn is_fresh(&self) -> bool {
        self.since.elapsed() <= FRESH
    }

    /// Whether a page can be measured in it: its process may have ended.
    pub(super) async fn is_usable(&self) -> bool {
        self.tab.is_usable().await
    }

    pub(super) const fn benchmark(&self) -> Benchmark {
        self.benchmark
    }

    pub(super) fn into_tab(self) -> Tab {
        self.tab
    }
}
