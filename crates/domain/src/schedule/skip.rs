//! Why a run of a schedule is not started.

use crate::named_enum::named_enum;

named_enum! {
    /// Why a run of a schedule is not started. The schedule goes on with its next time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum SkipReason {
        /// The organization has started as many runs this month as its plan allows.
        MonthlyRunLimitHit = "monthly_run_limit_hit",
        /// The organization is not on a paid plan, which the older variant of the interface needs.
        PaymentRequired = "payment_required",
        /// An earlier run of the site has not ended: two at once would only load the site twice.
        RunUnderWay = "run_under_way",
        /// The operator does not allow the site's address any more.
        TargetNotAllowed = "target_not_allowed",
        /// The operator does not allow the site's options any more.
        OptionsNotAllowed = "options_not_allowed",
    }
}
