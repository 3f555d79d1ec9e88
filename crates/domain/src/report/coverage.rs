//! How much of a site an audit saw.

use super::PageMeasurement;
use crate::named_enum::named_enum;
use crate::run::{Mode, RunPhase, RunProgress};

named_enum! {
    /// How the pages were read.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum CrawlMode {
        /// As the server sent them.
        Static = "static",
        /// In a browser, after their scripts ran.
        Rendered = "rendered",
    }
}

named_enum! {
    /// What ended a crawl before the site did.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum StoppedBy {
        /// The highest number of pages was reached.
        PageCap = "page_cap",
        /// Further pages are more clicks away than the crawl may go.
        Depth = "depth",
        /// The time for the crawl ran out.
        Deadline = "deadline",
        /// The run was cancelled.
        Cancelled = "cancelled",
    }
}

/// How much of a site an audit saw.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Coverage {
    /// How the pages were read.
    pub mode: CrawlMode,
    /// Whether every page found was seen.
    pub complete: bool,
    /// What ended the crawl early.
    pub stopped_by: Option<StoppedBy>,
    /// The number of discovered URLs of the site.
    pub pages_discovered: u64,
    /// The number of requested URLs of the site.
    pub pages_fetched: u64,
    /// The number of audited pages.
    pub pages_audited: u64,
    /// The number of audited pages that a browser showed.
    pub pages_rendered: u64,
    /// The pages that a browser measured, in the order of the crawl. At most [`MAX_MEASURED_PAGES`](super::MAX_MEASURED_PAGES).
    #[cfg_attr(feature = "serde", serde(default))]
    pub measured: Vec<PageMeasurement>,
    /// Requests sent, for pages and all else.
    pub requests: u64,
    /// Addresses not requested, or pages not looked at, remembered or listed whole: reason and how many.
    pub skipped: Vec<(String, u64)>,
}

impl Coverage {
    /// The mode in which another audit of the same pages looks at them in the same way: `static` if a browser showed none,
    /// `rendered` if it showed all, and `auto`, which chooses a sample by the same rules, if it showed some.
    #[must_use]
    pub const fn repeating_mode(&self) -> Mode {
        match self.pages_rendered {
            0 => Mode::Static,
            rendered if rendered >= self.pages_audited => Mode::Rendered,
            _ => Mode::Auto,
        }
    }

    /// The progress of a run whose audit has ended, in this phase.
    #[must_use]
    pub fn progress(&self, phase: RunPhase, percent: u8) -> RunProgress {
        let measured = u64::try_from(self.measured.len()).unwrap_or(u64::MAX);
        RunProgress {
            phase,
            pages_discovered: self.pages_discovered,
            pages_fetched: self.pages_fetched,
            pages_audited: self.pages_audited,
            pages_rendered: self.pages_rendered,
            pages_measured: (measured > 0).then_some(measured),
            seconds_left: None,
            percent,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::report::testing::result;
    use crate::run::Mode;

    #[test]
    fn another_audit_looks_at_pages_in_the_same_way() {
        let mut coverage = result(Vec::new()).coverage;
        coverage.pages_audited = 20;
        for (rendered, mode) in [
            (0, Mode::Static),
            (1, Mode::Auto),
            (19, Mode::Auto),
            (20, Mode::Rendered),
        ] {
            coverage.pages_rendered = rendered;
            assert_eq!(coverage.repeating_mode(), mode);
        }
    }
}
