//! What the overview of all sites shows.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::id::{OrgId, ReportId};
use domain::ports::{OverviewStore, ScoredReport, SiteCard, SiteCardPage, SiteTotals, StoreError};
use domain::report::Variant;
use domain::site::SiteCursor;

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{reports, schedules, sites};
use crate::database::values::{known, number, stored_time};
use crate::stores::rows::{ScoresRow, SiteRow};
use crate::stores::{actions, newest};

/// A site, and when its next run is due.
type Row = (SiteRow, Option<NaiveDateTime>);

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
    let mut query = sites::table
        .left_join(schedules::table.on(schedules::site_id.eq(sites::id)))
        .filter(sites::org_id.eq(org.as_str()))
        .order((sites::created_at, sites::id))
        .limit(limit)
        .select((SiteRow::as_select(), schedules::next_run_at.nullable()))
        .into_boxed();
    if let Some(cursor) = after {
        let created_at = stored_time(cursor.created_at);
        let is_behind = sites::created_at.gt(created_at).or(sites::created_at
            .eq(created_at)
            .and(sites::id.gt(cursor.id.as_str())));
        // The first condition is in the second; an index begins where it says.
        query = query.filter(sites::created_at.ge(created_at).and(is_behind));
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
    let mut runs = newest::newest_runs(connection, org, &ids)?;
    // Queried after the runs, so that a run shown as completed has its scores.
    let mut latest = newest::newest_scores(connection, org, &ids, 0)?;
    let mut previous = newest::newest_scores(connection, org, &ids, 1)?;
    let mut critical = actions::open_critical_by_site(connection, org, variant, &ids)?;
    rows.into_iter()
        .map(|(site, next_run_at)| {
            let run = runs.remove(&site.id);
            Ok(SiteCard {
                latest: latest.remove(&site.id).map(scored).transpose()?,
                previous: previous.remove(&site.id).map(scored).transpose()?,
                open_critical: critical.remove(&site.id).unwrap_or_default(),
                latest_run: run
                    .map(|(run, report_id)| run.read(report_id.as_deref()))
                    .transpose()?,
                next_run_at: next_run_at.map(|at| at.and_utc()),
                site: site.read()?,
            })
        })
        .collect()
}

fn scored((report, scores): (String, ScoresRow)) -> Result<ScoredReport, StorageError> {
    Ok(ScoredReport {
        report_id: known("report", &report, ReportId::parse(&report))?,
        scores: scores.read()?,
    })
}

/// How many sites have which overall score in the report that was made last.
fn by_score(
    connection: &mut AnyConnection,
    org: &OrgId,
    variant: Variant,
) -> Result<Vec<(u8, u64)>, StorageError> {
    let newest = reports::table
        .filter(reports::org_id.eq(sites::org_id))
        .filter(reports::site_id.eq(sites::id))
        .order((reports::created_at.desc(), reports::run_id.desc()))
        .limit(1);
    let of_org = sites::table.filter(sites::org_id.eq(org.as_str()));
    // A join would lead PostgreSQL to read all reports.
    let scores: Vec<Option<i64>> = match variant {
        Variant::Current => of_org
            .select(newest.select(reports::overall_score).single_value())
            .load(connection)?,
        Variant::Legacy => of_org
            .select(newest.select(reports::overall_score_legacy).single_value())
            .load(connection)?,
    };
    let mut by_score = BTreeMap::new();
    for score in scores.into_iter().flatten() {
        *by_score.entry(number("score", score)?).or_insert(0) += 1;
    }
    Ok(by_score.into_iter().collect())
}
