//! Sites and their history.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::idempotency::{Idempotent, IdempotentWrite};
use domain::plan::PlanLimits;
use domain::ports::{
    CreateSiteError, HistoryEntry, HistoryPage, NamedSite, NewSite, SiteOverview, SiteRef,
    SiteStore, StoreError,
};
use domain::report::Variant;
use domain::run::RunCursor;
use domain::schedule::Schedule;
use domain::site::{SiteDefaults, SitePatch};

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{reports, runs, schedules, sites};
use crate::database::values::stored_time;
use crate::stores::actions;
use crate::stores::change_site;
use crate::stores::find;
use crate::stores::remove_runs;
use crate::stores::reports::measurement_of;
use crate::stores::rows::{RunRow, ScoresRow, SiteRow};
use crate::stores::schedules::ScheduleRow;
use crate::stores::{idempotency, newest, site_defaults, site_rows};

/// About how many rows of a removed site are deleted in one transaction.
const ROWS_A_STEP: u32 = 1_000;

impl SiteStore for Database {
    fn sites(&self, org: &OrgId, variant: Variant) -> Result<Vec<SiteOverview>, StoreError> {
        Ok(self.read(|connection| overviews(connection, org, None, variant))?)
    }

    fn names_of_sites(&self, org: &OrgId, sites: &[SiteId]) -> Result<Vec<NamedSite>, StoreError> {
        Ok(self.read(|connection| find::sites_of(connection, org, sites))?)
    }

    fn find_sites(
        &self,
        org: &OrgId,
        text: &str,
        limit: u32,
    ) -> Result<Vec<NamedSite>, StoreError> {
        Ok(self.read(|connection| find::sites(connection, org, text, limit))?)
    }

    fn site(
        &self,
        org: &OrgId,
        site: &SiteId,
        variant: Variant,
    ) -> Result<Option<SiteOverview>, StoreError> {
        Ok(self.read(|connection| Ok(overviews(connection, org, Some(site), variant)?.pop()))?)
    }

    fn create_site(
        &self,
        org: &OrgId,
        site: &NewSite,
        limits: PlanLimits,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<(), CreateSiteError> {
        self.write(|connection| change_site::create(connection, org, site, limits, now, by))?
    }

    fn create_site_once(
        &self,
        org: &OrgId,
        site: &NewSite,
        limits: PlanLimits,
        now: DateTime<Utc>,
        by: &Actor,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, CreateSiteError> {
        self.write(|connection| {
            idempotency::once(connection, org, Some(once), |connection| {
                change_site::create(connection, org, site, limits, now, by)
            })
        })?
    }

    fn patch_site(
        &self,
        org: &OrgId,
        site: &SiteId,
        patch: &SitePatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let key = self.secret();
        Ok(self
            .write(|connection| change_site::patch(connection, key, (org, site), patch, now, by))?)
    }

    fn delete_site(
        &self,
        org: &OrgId,
        site: &SiteId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        // Bulk data is removed first, in small transactions, so that other writers do not wait long.
        while !self
            .write(|connection| remove_runs::remove_ended(connection, org, site, ROWS_A_STEP))?
            .is_all
        {}
        Ok(self.write(|connection| change_site::delete(connection, org, site, now, by))?)
    }

    fn site_defaults(
        &self,
        org: &OrgId,
        site: &SiteRef<'_>,
    ) -> Result<Option<SiteDefaults>, StoreError> {
        let key = self.secret();
        Ok(self.read(|connection| site_defaults::load(connection, key, org, site))?)
    }

    fn history(
        &self,
        org: &OrgId,
        site: &SiteId,
        limit: u32,
    ) -> Result<Option<Vec<HistoryEntry>>, StoreError> {
        Ok(self.read(|connection| {
            if !site_rows::is_there(connection, org, site)? {
                return Ok(None);
            }
            history(connection, org, site, None, limit.into()).map(Some)
        })?)
    }

    fn history_page(
        &self,
        org: &OrgId,
        site: &SiteId,
        after: Option<&RunCursor>,
        limit: u32,
    ) -> Result<Option<HistoryPage>, StoreError> {
        let entries = self.read(|connection| {
            if !site_rows::is_there(connection, org, site)? {
                return Ok(None);
            }
            // One more tells whether the history goes on.
            history(connection, org, site, after, i64::from(limit) + 1).map(Some)
        })?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(entries.map(|mut entries| {
            let goes_on = entries.len() > limit;
            entries.truncate(limit);
            let last = entries.last().filter(|_| goes_on);
            HistoryPage {
                next: last.map(|entry| RunCursor::after(&entry.run)),
                entries,
            }
        }))
    }

    fn schedule(&self, org: &OrgId, site: &SiteId) -> Result<Option<Schedule>, StoreError> {
        Ok(self.read(|connection| {
            let found: Option<Option<ScheduleRow>> = sites::table
                .left_join(schedules::table.on(schedules::site_id.eq(sites::id)))
                .filter(sites::org_id.eq(org.as_str()))
                .filter(sites::id.eq(site.as_str()))
                .select(Option::<ScheduleRow>::as_select())
                .get_result(connection)
                .optional()?;
            found
                .map(|schedule| match schedule {
                    None => Ok(Schedule::none(site.clone())),
                    Some(schedule) => schedule.read(site),
                })
                .transpose()
        })?)
    }
}

/// Returns all sites of an organization, oldest first, or one of them.
fn overviews(
    connection: &mut AnyConnection,
    org: &OrgId,
    only: Option<&SiteId>,
    variant: Variant,
) -> Result<Vec<SiteOverview>, StorageError> {
    let mut query = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .order((sites::created_at, sites::id))
        .select(SiteRow::as_select())
        .into_boxed();
    if let Some(site) = only {
        query = query.filter(sites::id.eq(site.as_str()));
    }
    let sites: Vec<SiteRow> = query.load(connection)?;
    let ids: Vec<_> = sites.iter().map(|site| site.id.as_str()).collect();
    let mut runs = newest::newest_runs(connection, org, &ids)?;
    // Queried after the runs, so that a run shown as completed has its scores.
    let mut scores = newest::newest_scores(connection, org, &ids, 0)?;
    let mut open_actions = actions::open_by_site(connection, org, only, variant)?;
    sites
        .into_iter()
        .map(|site| {
            let run = runs.remove(&site.id);
            let scores = scores.remove(&site.id);
            Ok(SiteOverview {
                latest_run: run
                    .map(|(run, report_id)| run.read(report_id.as_deref()))
                    .transpose()?,
                latest_scores: scores.map(|(_, scores)| scores.read()).transpose()?,
                open_actions: open_actions.remove(&site.id).unwrap_or_default(),
                site: site.read()?,
            })
        })
        .collect()
}

/// A run, and of its report the id, the scores, the coverage and the URL of the start page.
type HistoryRow = (
    RunRow,
    Option<String>,
    Option<ScoresRow>,
    Option<String>,
    Option<String>,
);

fn history(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
    after: Option<&RunCursor>,
    limit: i64,
) -> Result<Vec<HistoryEntry>, StorageError> {
    let mut query = runs::table
        .left_join(reports::table.on(reports::run_id.eq(runs::id)))
        .filter(runs::org_id.eq(org.as_str()))
        .filter(runs::site_id.eq(site.as_str()))
        .filter(runs::hidden.eq(false))
        .order((runs::created_at.desc(), runs::id.desc()))
        .limit(limit)
        .select((
            RunRow::as_select(),
            reports::id.nullable(),
            Option::<ScoresRow>::as_select(),
            reports::coverage.nullable(),
            reports::url.nullable(),
        ))
        .into_boxed();
    if let Some(cursor) = after {
        let created_at = stored_time(cursor.created_at);
        let is_older = runs::created_at.lt(created_at).or(runs::created_at
            .eq(created_at)
            .and(runs::id.lt(cursor.id.as_str())));
        // The first condition is in the second; an index begins where it says.
        query = query.filter(runs::created_at.le(created_at).and(is_older));
    }
    let rows: Vec<HistoryRow> = query.load(connection)?;
    rows.into_iter()
        .map(|(run, report_id, scores, coverage, start)| {
            let lab = match coverage.zip(start) {
                Some((coverage, start)) => measurement_of(&coverage, &start)?,
                None => None,
            };
            Ok(HistoryEntry {
                run: run.read(report_id.as_deref())?,
                scores: scores.map(|scores| scores.read()).transpose()?,
                lab,
            })
        })
        .collect()
}
