//! Plans: what an organization may use.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};

use crate::retention::RetentionChoice;

/// The plan of an organization that runs the service itself: no caps, counted as paid.
pub const SELF_HOSTED: &str = "self_hosted";

/// What a plan offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its name, by which organizations refer to it.
    pub name: String,
    /// Its caps.
    pub limits: PlanLimits,
    /// Whether it is paid for; the older variant of the interface serves paid plans alone.
    pub paid: bool,
    /// How long the things of its organizations are kept, where it says so.
    pub retention: RetentionChoice,
}

/// The limits of a plan; `None` means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanLimits {
    /// Sites at most.
    pub sites: Option<u64>,
    /// Runs started in a calendar month at most.
    pub monthly_runs: Option<u64>,
    /// Bytes stored of its runs at most. A run is started all the same; beyond it the oldest are removed.
    pub storage_bytes: Option<u64>,
    /// Pages of a run that a browser shows at most. A run is started all the same; its further pages are audited as they
    /// are served.
    pub rendered_pages_per_run: Option<u64>,
    /// Pages that a browser shows at most for the runs that were started in a calendar month. As for a run.
    pub monthly_rendered_pages: Option<u64>,
}

/// A cap that keeps a run, or a site, from being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitHit {
    /// The organization has as many sites as its plan allows.
    #[error("the plan's limit of {0} sites is reached")]
    Sites(u64),
    /// The organization has started as many runs this month as its plan allows.
    #[error("the plan's limit of {0} runs per month is reached")]
    MonthlyRuns(u64),
}

impl LimitHit {
    /// The reason on the wire.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Sites(_) => "site_limit_hit",
            Self::MonthlyRuns(_) => "monthly_run_limit_hit",
        }
    }
}

impl PlanLimits {
    /// Judges a run before it is started: first the sites, where it would create one, then the runs
    /// of the month.
    ///
    /// # Errors
    /// The cap that is reached.
    pub fn check(&self, usage: &Usage, creates_site: bool) -> Result<(), LimitHit> {
        if creates_site {
            self.judge_site(usage)?;
        }
        match self.monthly_runs {
            Some(runs) if usage.monthly_runs >= runs => Err(LimitHit::MonthlyRuns(runs)),
            _ => Ok(()),
        }
    }

    /// Judges a site before it is created.
    ///
    /// # Errors
    /// The cap that is reached.
    pub const fn judge_site(&self, usage: &Usage) -> Result<(), LimitHit> {
        match self.sites {
            Some(sites) if usage.sites >= sites => Err(LimitHit::Sites(sites)),
            _ => Ok(()),
        }
    }
}

/// The plans of the configuration, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plans(BTreeMap<String, Plan>);

impl Plans {
    /// These plans, with [`SELF_HOSTED`] added where it is not among them.
    #[must_use]
    pub fn new(plans: impl IntoIterator<Item = Plan>) -> Self {
        let mut all: BTreeMap<_, _> = plans
            .into_iter()
            .map(|plan| (plan.name.clone(), plan))
            .collect();
        all.entry(SELF_HOSTED.to_owned()).or_insert_with(|| Plan {
            name: SELF_HOSTED.to_owned(),
            limits: PlanLimits::default(),
            paid: true,
            retention: RetentionChoice::default(),
        });
        Self(all)
    }

    /// The plan of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Plan> {
        self.0.get(name)
    }

    /// All plans, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Plan> {
        self.0.values()
    }
}

/// The plans of a process, which an operator may change while it runs. Clones share them.
#[derive(Debug, Clone)]
pub struct SharedPlans(Arc<RwLock<Arc<Plans>>>);

impl SharedPlans {
    /// These plans, until others replace them.
    #[must_use]
    pub fn new(plans: Plans) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(plans))))
    }

    /// The plans as they are now.
    #[must_use]
    pub fn current(&self) -> Arc<Plans> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the plans for every clone.
    pub fn replace(&self, plans: Plans) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(plans);
    }
}

/// What an organization has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Its sites.
    pub sites: u64,
    /// The runs started in the period, less those that ended with `internal`.
    pub monthly_runs: u64,
    /// Bytes stored of its runs: what their reports, issues, occurrences and pages take.
    pub storage_bytes: u64,
    /// Audited pages of the runs started in the period that a browser showed, with those that runs under way have reserved.
    pub monthly_rendered_pages: u64,
}

/// A calendar month in UTC, the period of the run cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Period {
    first_day: NaiveDate,
}

impl Period {
    /// The month that holds a time.
    #[must_use]
    pub fn containing(time: DateTime<Utc>) -> Self {
        let day = time.date_naive();
        Self {
            first_day: day.with_day(1).unwrap_or(day),
        }
    }

    /// Its first moment.
    #[must_use]
    pub fn start(self) -> DateTime<Utc> {
        self.first_day.and_time(NaiveTime::MIN).and_utc()
    }

    /// The first moment after it.
    #[must_use]
    pub fn end(self) -> DateTime<Utc> {
        (self.first_day + chrono::Months::new(1))
            .and_time(NaiveTime::MIN)
            .and_utc()
    }

    /// Its name, `2026-11`.
    #[must_use]
    pub fn label(self) -> String {
        self.first_day.format("%Y-%m").to_string()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use rstest::rstest;

    use super::*;

    fn limits(sites: Option<u64>, monthly_runs: Option<u64>) -> PlanLimits {
        PlanLimits {
            sites,
            monthly_runs,
            storage_bytes: Some(1),
            rendered_pages_per_run: Some(0),
            monthly_rendered_pages: Some(0),
        }
    }

    #[rstest]
    #[case::no_caps(limits(None, None), true, Ok(()))]
    #[case::below_both(limits(Some(4), Some(8)), true, Ok(()))]
    #[case::sites_are_full(limits(Some(3), Some(8)), true, Err(LimitHit::Sites(3)))]
    #[case::no_site_is_created(limits(Some(3), Some(8)), false, Ok(()))]
    #[case::runs_are_used_up(limits(Some(4), Some(7)), true, Err(LimitHit::MonthlyRuns(7)))]
    #[case::sites_come_first(limits(Some(3), Some(7)), true, Err(LimitHit::Sites(3)))]
    #[case::nothing_is_allowed(limits(Some(0), Some(0)), false, Err(LimitHit::MonthlyRuns(0)))]
    fn caps(
        #[case] limits: PlanLimits,
        #[case] creates_site: bool,
        #[case] expected: Result<(), LimitHit>,
    ) {
        let usage = Usage {
            sites: 3,
            monthly_runs: 7,
            // Neither ever keeps a run from being started.
            storage_bytes: 1_000,
            monthly_rendered_pages: 1_000,
        };
        assert_eq!(limits.check(&usage, creates_site), expected);
    }

    #[test]
    fn a_period_is_the_calendar_month() {
        let last_moment = Utc.with_ymd_and_hms(2026, 12, 31, 23, 59, 59).unwrap();
        let period = Period::containing(last_moment);
        assert_eq!(period.start().to_rfc3339(), "2026-12-01T00:00:00+00:00");
        assert_eq!(period.end().to_rfc3339(), "2027-01-01T00:00:00+00:00");
        assert_eq!(period.label(), "2026-12");
        assert_ne!(Period::containing(period.end()), period);
    }

    #[test]
    fn self_hosted_is_always_there_and_can_be_changed() {
        assert!(Plans::new([]).get(SELF_HOSTED).unwrap().paid);
        let own = Plan {
            name: SELF_HOSTED.to_owned(),
            limits: limits(Some(1), None),
            paid: false,
            retention: RetentionChoice::default(),
        };
        assert_eq!(Plans::new([own.clone()]).get(SELF_HOSTED), Some(&own));
    }
}
