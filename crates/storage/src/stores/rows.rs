//! Row types that several stores use, and their conversion to domain types.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::FailureCode;
use domain::id::{OrgId, ReportId, RunId, SiteId};
use domain::org::Organization;
use domain::report::Scores;
use domain::run::{Run, RunError, RunPhase, RunProgress, RunState, RunStatus, Trigger};
use domain::site::{Site, SiteHost};

use crate::database::error::StorageError;
use crate::database::schema::{organizations, reports, runs, sites};
use crate::database::values::{known, number};
use crate::stores::options::options_from_json;

#[derive(Queryable, Selectable)]
#[diesel(table_name = organizations)]
pub(crate) struct OrgRow {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) plan: String,
    pub(crate) created_at: NaiveDateTime,
    pub(crate) requires_second_factor: bool,
}

impl OrgRow {
    pub(crate) fn read(self) -> Result<Organization, StorageError> {
        Ok(Organization {
            id: known("organization", &self.id, OrgId::parse(&self.id))?,
            name: self.name,
            plan: self.plan,
            created_at: self.created_at.and_utc(),
            requires_second_factor: self.requires_second_factor,
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sites)]
pub(crate) struct SiteRow {
    pub(crate) id: String,
    pub(crate) org_id: String,
    pub(crate) host: String,
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) created_at: NaiveDateTime,
}

impl SiteRow {
    pub(crate) fn read(self) -> Result<Site, StorageError> {
        Ok(Site {
            id: known("site", &self.id, SiteId::parse(&self.id))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            host: SiteHost::stored(self.host),
            url: self.url,
            name: self.name,
            created_at: self.created_at.and_utc(),
        })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = runs)]
pub(crate) struct RunRow {
    id: String,
    org_id: String,
    site_id: String,
    url: String,
    trigger_kind: String,
    options: String,
    status: String,
    phase: String,
    pages_discovered: i64,
    pages_fetched: i64,
    pages_audited: i64,
    pages_rendered: i64,
    pages_measured: Option<i64>,
    seconds_left: Option<i64>,
    percent: i64,
    created_at: NaiveDateTime,
    started_at: Option<NaiveDateTime>,
    finished_at: Option<NaiveDateTime>,
    error_code: Option<String>,
    error_message: Option<String>,
}

impl RunRow {
    /// Converts the row to a run; `report_id` is the id of its report, if there is one.
    pub(crate) fn read(self, report_id: Option<&str>) -> Result<Run, StorageError> {
        let state = self.state(report_id)?;
        let progress = RunProgress {
            phase: known("phase", &self.phase, RunPhase::named(&self.phase))?,
            pages_discovered: number("number of pages", self.pages_discovered)?,
            pages_fetched: number("number of pages", self.pages_fetched)?,
            pages_audited: number("number of pages", self.pages_audited)?,
            pages_rendered: number("number of pages", self.pages_rendered)?,
            pages_measured: (self.pages_measured)
                .map(|pages| number("number of pages", pages))
                .transpose()?,
            seconds_left: (self.seconds_left)
                .map(|seconds| number("number of seconds", seconds))
                .transpose()?,
            percent: number("percentage", self.percent)?,
        };
        let trigger = Trigger::named(&self.trigger_kind);
        Ok(Run {
            id: known("run", &self.id, RunId::parse(&self.id))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            site_id: known("site", &self.site_id, SiteId::parse(&self.site_id))?,
            trigger: known("trigger", &self.trigger_kind, trigger)?,
            options: options_from_json(&self.options)?,
            progress,
            state,
            created_at: self.created_at.and_utc(),
            url: self.url,
        })
    }

    fn state(&self, report_id: Option<&str>) -> Result<RunState, StorageError> {
        let status = known("status", &self.status, RunStatus::named(&self.status))?;
        let started_at = self.started_at.map(|time| time.and_utc());
        let finished_at = self.finished_at.map(|time| time.and_utc());
        let state = match (status, started_at, finished_at) {
            (RunStatus::Queued, ..) => Some(RunState::Queued),
            (RunStatus::Running, Some(started_at), _) => Some(RunState::Running { started_at }),
            (RunStatus::Completed, Some(started_at), Some(finished_at)) => report_id
                .and_then(ReportId::parse)
                .map(|report_id| RunState::Completed {
                    started_at,
                    finished_at,
                    report_id,
                }),
            (RunStatus::Failed, Some(started_at), Some(finished_at)) => {
                self.error().map(|error| RunState::Failed {
                    started_at,
                    finished_at,
                    error,
                })
            }
            (RunStatus::Cancelled, started_at, Some(finished_at)) => Some(RunState::Cancelled {
                started_at,
                finished_at,
            }),
            _ => None,
        };
        let what = "status without what belongs to it";
        known(what, &self.status, state)
    }

    fn error(&self) -> Option<RunError> {
        Some(RunError {
            code: FailureCode::named(self.error_code.as_deref()?)?,
            message: self.error_message.clone()?,
        })
    }
}

/// The scores of a report.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = reports)]
pub(crate) struct ScoresRow {
    pub(crate) overall_score: i64,
    pub(crate) overall_score_legacy: i64,
    pub(crate) performance: i64,
    pub(crate) accessibility: i64,
    pub(crate) seo: i64,
    pub(crate) security: i64,
    pub(crate) content: i64,
    pub(crate) ai_readiness: i64,
    pub(crate) scoring_version: i64,
}

impl ScoresRow {
    pub(crate) fn new(scores: &Scores) -> Self {
        let [
            performance,
            accessibility,
            seo,
            security,
            content,
            ai_readiness,
        ] = scores.subscores.map(i64::from);
        Self {
            overall_score: scores.overall.into(),
            overall_score_legacy: scores.overall_legacy.into(),
            performance,
            accessibility,
            seo,
            security,
            content,
            ai_readiness,
            scoring_version: scores.version.into(),
        }
    }

    pub(crate) fn read(&self) -> Result<Scores, StorageError> {
        let score = |stored| number("score", stored);
        Ok(Scores {
            version: number("version of the scoring model", self.scoring_version)?,
            overall: score(self.overall_score)?,
            overall_legacy: score(self.overall_score_legacy)?,
            subscores: [
                score(self.performance)?,
                score(self.accessibility)?,
                score(self.seo)?,
                score(self.security)?,
                score(self.content)?,
                score(self.ai_readiness)?,
            ],
        })
    }
}
