//! What the overview of all sites shows.

use std::collections::HashMap;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::id::{OrgId, ReportId};
use domain::ports::{OverviewStore, ScoredReport, SiteCard, SiteCardPage, SiteTotals, StoreError};
use domain::report::Variant;
use domain::site::SiteCursor;

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{reports, runs, schedules, sites};
use crate::database::values::{known, number, stored_time};
use crate::stores::actions;
use crate::stores::rows::{RunRow, ScoresRow, SiteRow};

diesel::alias!(runs as newest_runs: NewestRuns, reports as earlier_reports: EarlierReports);

/// A site, its latest run with that run's report, and when its next run is due.
type Row = (
    SiteRow,
    Option<RunRow>,
    Option<String>,
    Option<NaiveDateTime>,
);

impl OverviewStore for Database {
    fn site_cards(
        &self,
        org: &OrgId,
        variant: Variant,
        after: Option<&SiteCursor>,
        limit: u32,
    ) -> Result<SiteCardPage, StoreError> {
        Ok(self.read(|connection| {
            // One more tells whether the list goes on.
            let mut rows = rows(connection, org, after, i64::from(limit) + 1)?;
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let goes_on = rows.len() > limit;
            rows.truncate(limit);
            let cards = cards(connection, org, variant, rows)?;
            let last = cards.last().filter(|_| goes_on);
            Ok(SiteCardPage {
                next: last.map(|card| SiteCursor::after(&card.site)),
                cards,
            })
        })?)
    }

    fn site_totals(&self, org: &OrgId, variant: Variant) -> Result<SiteTotals, StoreError> {
        Ok(self.read(|connection| {
            let count: i64 = sites::table
                .filter(sites::org_id.eq(org.as_str()))
                .count()
                .get_result(connection)?;
            Ok(SiteTotals {
                sites: number("number of sites", count)?,
                by_score: by_score(connection, org, variant)?,
                open_critical: actions::open_critical(connection, org, variant)?,
            })
        })?)
    }
}

fn rows(
    connection: &mut AnyConnection,
    org: &OrgId,
    after: Option<&SiteCursor>,
    limit: i64,
) -> Result<Vec<Row>, StorageError> {
    let newest = newest_runs
        .filter(newest_runs.field(runs::org_id).eq(sites::org_id))
        .filter(newest_runs.field(runs::site_id).eq(sites::id))
        .filter(newest_runs.field(runs::hidden).eq(false))
        .order((
            newest_runs.field(runs::created_at).desc(),
            newest_runs.field(runs::id).desc(),
        ))
        .select(newest_runs.field(runs::id))
        .limit(1)
        .single_value();
    let mut query = sites::table
        .left_join(runs::table.on(runs::id.nullable().eq(newest)))
        .left_join(reports::table.on(reports::run_id.nullable().eq(runs::id.nullable())))
        .left_join(schedules::table.on(schedules::site_id.eq(sites::id)))
        .filter(sites::org_id.eq(org.as_str()))
        .order((sites::created_at, sites::id))
        .limit(limit)
        .select((
            SiteRow::as_select(),
            Option::<RunRow>::as_select(),
            reports::id.nullable(),
            schedules::next_run_at.nullable(),
        ))
        .into_boxed();
    if let Some(cursor) = after {
        let created_at = stored_time(cursor.created_at);
        let is_behind = sites::created_at.gt(created_at).or(sites::created_at
            .eq(created_at)
            .and(sites::id.gt(cursor.id.as_str())));
        query = query.filter(is_behind);
    }
    Ok(query.load(connection)?)
}

fn cards(
    connection: &mut AnyConnection,
    org: &OrgId,
    variant: Variant,
    rows: Vec<Row>,
) -> Result<Vec<SiteCard>, StorageError> {
    let ids: Vec<_> = rows.iter().map(|(site, ..)| site.id.as_str()).collect();
    // Asked for later, so that a run that shows as completed has its scores.
    let mut latest = scores(connection, org, &ids, 0)?;
    let mut previous = scores(connection, org, &ids, 1)?;
    let mut critical = actions::open_critical_by_site(connection, org, variant, &ids)?;
    rows.into_iter()
        .map(|(site, run, report_id, next_run_at)| {
            Ok(SiteCard {
                latest: latest.remove(&site.id),
                previous: previous.remove(&site.id),
                open_critical: critical.remove(&site.id).unwrap_or_default(),
                latest_run: run.map(|run| run.read(report_id.as_deref())).transpose()?,
                next_run_at: next_run_at.map(|at| at.and_utc()),
                site: site.read()?,
            })
        })
        .collect()
}

/// The report of each site before which there are `newer` ones, where there is one.
fn scores(
    connection: &mut AnyConnection,
    org: &OrgId,
    of: &[&str],
    newer: i64,
) -> Result<HashMap<String, ScoredReport>, StorageError> {
    let wanted = earlier_reports
        .filter(earlier_reports.field(reports::org_id).eq(sites::org_id))
        .filter(earlier_reports.field(reports::site_id).eq(sites::id))
        .order((
            earlier_reports.field(reports::created_at).desc(),
            earlier_reports.field(reports::run_id).desc(),
        ))
        .select(earlier_reports.field(reports::id))
        .limit(1)
        .offset(newer)
        .single_value();
    let rows: Vec<(String, String, ScoresRow)> = sites::table
        .inner_join(reports::table.on(reports::id.nullable().eq(wanted)))
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq_any(of))
        .select((sites::id, reports::id, ScoresRow::as_select()))
        .load(connection)?;
    rows.into_iter()
        .map(|(site, report, scores)| {
            let scored = ScoredReport {
                report_id: known("report", &report, ReportId::parse(&report))?,
                scores: scores.read()?,
            };
            Ok((site, scored))
        })
        .collect()
}

/// How many sites have which overall score in the report that was made last.
fn by_score(
    connection: &mut AnyConnection,
    org: &OrgId,
    variant: Variant,
) -> Result<Vec<(u8, u64)>, StorageError> {
    let newest = earlier_reports
        .filter(earlier_reports.field(reports::org_id).eq(sites::org_id))
        .filter(earlier_reports.field(reports::site_id).eq(sites::id))
        .order((
            earlier_reports.field(reports::created_at).desc(),
            earlier_reports.field(reports::run_id).desc(),
        ))
        .select(earlier_reports.field(reports::id))
        .limit(1)
        .single_value();
    let of_org = sites::table
        .inner_join(reports::table.on(reports::id.nullable().eq(newest)))
        .filter(sites::org_id.eq(org.as_str()));
    let rows: Vec<(i64, i64)> = match variant {
        Variant::Current => of_org
            .group_by(reports::overall_score)
            .order(reports::overall_score)
            .select((reports::overall_score, diesel::dsl::count_star()))
            .load(connection)?,
        Variant::Legacy => of_org
            .group_by(reports::overall_score_legacy)
            .order(reports::overall_score_legacy)
            .select((reports::overall_score_legacy, diesel::dsl::count_star()))
            .load(connection)?,
    };
    rows.into_iter()
        .map(|(score, sites)| Ok((number("score", score)?, number("number of sites", sites)?)))
        .collect()
}
