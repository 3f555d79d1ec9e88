//! Why a run of a schedule is not started.

/// Why a run of a schedule is not started. The schedule goes on with its next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// The organization has started as many runs this month as its plan allows.
    MonthlyRunLimitHit,
    /// The organization is not on a paid plan, which the older variant of the interface needs.
    PaymentRequired,
    /// An earlier run of the site has not ended: two at once would only load the site twice.
    RunUnderWay,
    /// The operator does not allow the site's address any more.
    TargetNotAllowed,
    /// The operator does not allow the site's options any more.
    OptionsNotAllowed,
}

impl SkipReason {
    /// All reasons.
    pub const ALL: [Self; 5] = [
        Self::MonthlyRunLimitHit,
        Self::PaymentRequired,
        Self::RunUnderWay,
        Self::TargetNotAllowed,
        Self::OptionsNotAllowed,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MonthlyRunLimitHit => "monthly_run_limit_hit",
            Self::PaymentRequired => "payment_required",
            Self::RunUnderWay => "run_under_way",
            Self::TargetNotAllowed => "target_not_allowed",
            Self::OptionsNotAllowed => "options_not_allowed",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}
