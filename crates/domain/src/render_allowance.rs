//! How many pages of a run a browser may show, by the plan of its organization.
//!
//! A run takes its share of the month before it begins, and gives back what it did not use when it ends. Runs that are under
//! way at the same time therefore never show more pages together than the plan allows, whichever processes audit them. A
//! run that is tried again replaces its share, so that an attempt that ended with its process is not counted.

use crate::named_enum::named_enum;
use crate::plan::PlanLimits;

named_enum! {
    /// Which limit of a plan bounds the rendered pages of a run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum RenderLimit {
        /// That of each run.
        Run = "run",
        /// That of the calendar month.
        Month = "month",
    }
}

impl RenderLimit {
    /// The reason in the coverage of a report for pages that were judged as served because of this limit.
    #[must_use]
    pub const fn skip_reason(self) -> &'static str {
        match self {
            Self::Run => "page_over_run_render_limit",
            Self::Month => "page_over_monthly_render_limit",
        }
    }
}

/// How many pages of a run a browser may show. Further pages are audited as they are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderAllowance {
    /// The number of pages.
    pub pages: u64,
    /// The limit that it follows from.
    pub limit: RenderLimit,
}

/// What a run may render, and what it takes of the month for that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenderShare {
    /// The allowance of the run; `None` if nothing limits it.
    pub allowance: Option<RenderAllowance>,
    /// Pages of the month that nobody else may use while the run is under way; `None` if the plan has no limit for the
    /// month.
    pub reserved: Option<u64>,
}

impl PlanLimits {
    /// The share of a run that audits at most `max_pages` pages, when the organization has used or reserved `used` rendered
    /// pages of the month, without those of the run itself.
    #[must_use]
    pub fn render_share(&self, used: u64, max_pages: u32) -> RenderShare {
        let of_run = self.rendered_pages_per_run.map(|pages| RenderAllowance {
            pages,
            limit: RenderLimit::Run,
        });
        let of_month = self.monthly_rendered_pages.map(|pages| RenderAllowance {
            pages: pages.saturating_sub(used),
            limit: RenderLimit::Month,
        });
        let allowance = match (of_run, of_month) {
            (Some(run), Some(month)) if month.pages < run.pages => Some(month),
            (run, month) => run.or(month),
        };
        let reserved = of_month.and(allowance);
        RenderShare {
            allowance,
            // No more pages than these are audited, and only audited pages are counted.
            reserved: reserved.map(|allowance| allowance.pages.min(u64::from(max_pages))),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::no_limits(None, None, 900, None, None)]
    #[case::only_of_a_run(Some(20), None, 900, Some((20, RenderLimit::Run)), None)]
    #[case::only_of_a_month(None, Some(1_000), 900, Some((100, RenderLimit::Month)), Some(100))]
    #[case::the_month_has_less(Some(200), Some(1_000), 900, Some((100, RenderLimit::Month)), Some(100))]
    #[case::the_run_has_less(Some(20), Some(1_000), 900, Some((20, RenderLimit::Run)), Some(20))]
    #[case::equal_limits_are_those_of_runs(Some(100), Some(1_000), 900, Some((100, RenderLimit::Run)), Some(100))]
    #[case::the_month_is_used_up(Some(20), Some(1_000), 1_200, Some((0, RenderLimit::Month)), Some(0))]
    #[case::no_more_than_the_run_audits(None, Some(9_000), 0, Some((9_000, RenderLimit::Month)), Some(500))]
    fn shares(
        #[case] of_run: Option<u64>,
        #[case] of_month: Option<u64>,
        #[case] used: u64,
        #[case] allowance: Option<(u64, RenderLimit)>,
        #[case] reserved: Option<u64>,
    ) {
        let limits = PlanLimits {
            rendered_pages_per_run: of_run,
            monthly_rendered_pages: of_month,
            ..PlanLimits::default()
        };
        let share = limits.render_share(used, 500);
        let given = share.allowance.map(|given| (given.pages, given.limit));
        assert_eq!((given, share.reserved), (allowance, reserved));
    }
}
