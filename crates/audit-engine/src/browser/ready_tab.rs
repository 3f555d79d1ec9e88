//! A tab in which a page will be measured.

use std::time::Duration;

use tokio::time::Instant;

use super::measure::benchmark_index;
use super::tab::Tab;
use crate::gather::RenderError;

/// How long a benchmark says how fast the machine is.
const FRESH: Duration = Duration::from_secs(1);

/// A tab that has shown nothing yet, and the `BenchmarkIndex` of the machine in it. A browser runs the benchmark once between two
/// loads: it is that after the one and that before the other.
#[derive(Debug)]
pub(super) struct ReadyTab {
    tab: Tab,
    benchmark_index: u32,
    since: Instant,
}

impl ReadyTab {
    pub(super) async fn new(tab: Tab) -> Result<Self, RenderError> {
        let session = tab.context.tab();
        let measured_index = benchmark_index(session).await?;
        Ok(Self {
            tab,
            benchmark_index: measured_index,
            since: Instant::now(),
        })
    }

    /// The same tab with the speed of the machine now.
    pub(super) async fn refresh(self) -> Result<Self, RenderError> {
        if self.since.elapsed() <= FRESH {
            return Ok(self);
        }
        Self::new(self.tab).await
    }

    pub(super) fn is_running(&self) -> bool {
        self.tab.browser.is_running()
    }

    pub(super) const fn benchmark_index(&self) -> u32 {
        self.benchmark_index
    }

    pub(super) fn into_tab(self) -> Tab {
        self.tab
    }
}
