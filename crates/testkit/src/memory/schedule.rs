//! Schedules that are set, and their runs.

use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::event::EventFacts;
use domain::id::{OrgId, SiteId};
use domain::ports::{NewRun, ScheduleOutcome, ScheduleStore, StartRunError, StoreError};
use domain::schedule::{DueSchedule, Schedule, ScheduleChange, SkipReason};

use super::MemoryStores;
use super::state::State;

impl State {
    fn set_schedule(
        &mut self,
        org: &OrgId,
        site: &SiteId,
        change: &ScheduleChange,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Option<Schedule> {
        self.site(org, site)?;
        let before = self.schedules.get(site).cloned();
        let before = before.unwrap_or_else(|| Schedule::none(site.clone()));
        let mut schedule = before.clone();
        schedule.change(change, next_run_at);
        self.schedules.insert(site.clone(), schedule.clone());
        if schedule.differs_in_settings(&before) {
            let what = (site.as_str(), schedule.in_words());
            self.note(org, now, by, "schedule.changed", what);
        }
        Some(schedule)
    }

    fn due_schedules(&self, now: DateTime<Utc>, limit: u32) -> Vec<DueSchedule> {
        let mut due = self.enabled_schedules();
        due.retain(|schedule| schedule.due_at <= now);
        due.sort_by_key(|due| (due.due_at, due.site_id.clone()));
        due.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        due
    }

    fn enabled_schedules(&self) -> Vec<DueSchedule> {
        let all = self.schedules.values().filter_map(|schedule| {
            let mut sites = self.sites.iter();
            let site = sites.find(|site| site.id == schedule.site_id)?;
            schedule.enabled.then_some(DueSchedule {
                org_id: site.org_id.clone(),
                plan: self.org(&site.org_id)?.plan.clone(),
                site_id: site.id.clone(),
                url: site.url.clone(),
                frequency: schedule.frequency.clone()?,
                timezone: schedule.timezone.clone()?,
                due_at: schedule.next_run_at?,
            })
        });
        all.collect()
    }

    fn start_scheduled(
        &mut self,
        due: &DueSchedule,
        run: Result<&NewRun, SkipReason>,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<ScheduleOutcome, StoreError> {
        let (org, site) = (&due.org_id, &due.site_id);
        if self.site(org, site).is_none() {
            return Ok(ScheduleOutcome::NotDue);
        }
        let is_due = |known: &Schedule| known.enabled && known.next_run_at == Some(due.due_at);
        if !self.schedules.get(site).is_some_and(is_due) {
            return Ok(ScheduleOutcome::NotDue);
        }
        let under_way =
            (self.runs.values()).any(|run| run.site_id == *site && !run.state.status().is_final());
        let started = match run {
            Err(reason) => Err(reason),
            Ok(_) if under_way => Err(SkipReason::RunUnderWay),
            Ok(run) => match self.start_run(org, run) {
                Ok(started) => Ok(started),
                Err(StartRunError::LimitHit(_)) => Err(SkipReason::MonthlyRunLimitHit),
                Err(StartRunError::Store(error)) => return Err(error),
                Err(error) => return Err(StoreError::Failed(error.to_string())),
            },
        };
        if let Some(schedule) = self.schedules.get_mut(site) {
            schedule.next_run_at = next_run_at;
            if let Ok(started) = &started {
                schedule.last_run_at = Some(now);
                schedule.last_run_id = Some(started.run_id.clone());
            }
        }
        let told = match &started {
            Ok(_) => self.told_skips.remove(site),
            Err(reason) => self.told_skips.insert(site.clone(), *reason),
        };
        Ok(match started {
            Ok(started) => ScheduleOutcome::Started(started),
            Err(reason) if told == Some(reason) => ScheduleOutcome::Skipped {
                reason,
                is_new: false,
            },
            Err(reason) => {
                let what = (site.as_str(), reason.as_str().to_owned());
                self.note(org, now, &Actor::System, "schedule.skipped", what);
                let facts = EventFacts::ScheduleSkipped {
                    site_id: site.clone(),
                    url: due.url.clone(),
                    reason,
                    due_at: due.due_at,
                    next_run_at,
                };
                self.tell(org, now, facts);
                ScheduleOutcome::Skipped {
                    reason,
                    is_new: true,
                }
            }
        })
    }
}

impl ScheduleStore for MemoryStores {
    fn set_schedule(
        &self,
        org: &OrgId,
        site: &SiteId,
        change: &ScheduleChange,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Schedule>, StoreError> {
        let mut state = self.open()?;
        Ok(state.set_schedule(org, site, change, next_run_at, now, by))
    }

    fn due_schedules(
        &self,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<DueSchedule>, StoreError> {
        Ok(self.open()?.due_schedules(now, limit))
    }

    fn enabled_schedules(
        &self,
        after: Option<&SiteId>,
        limit: u32,
    ) -> Result<Vec<DueSchedule>, StoreError> {
        let mut all = self.open()?.enabled_schedules();
        all.sort_by_key(|schedule| schedule.site_id.clone());
        all.retain(|schedule| after.is_none_or(|after| schedule.site_id > *after));
        all.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(all)
    }

    fn bring_forward(
        &self,
        schedule: &DueSchedule,
        next_run_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        let known = state.schedules.get_mut(&schedule.site_id);
        let known =
            known.filter(|known| known.enabled && known.next_run_at == Some(schedule.due_at));
        let is_known = known.is_some();
        if let Some(known) = known {
            known.next_run_at = Some(next_run_at);
        }
        Ok(is_known)
    }

    fn start_scheduled(
        &self,
        due: &DueSchedule,
        run: Result<&NewRun, SkipReason>,
        next_run_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<ScheduleOutcome, StoreError> {
        self.open()?.start_scheduled(due, run, next_run_at, now)
    }
}
