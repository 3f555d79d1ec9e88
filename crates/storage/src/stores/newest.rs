//! The newest runs and reports of sites.
//!
//! The ids are looked up site by site, and the rows by id. In one query with a join, PostgreSQL reads all runs of all
//! organizations to find those few.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::id::OrgId;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{reports, runs, sites};
use crate::stores::rows::{RunRow, ScoresRow};

/// Sites that are looked up in one query; a query of SQLite takes a limited number of parameters.
const SITES_A_QUERY: usize = 500;

/// Returns the newest visible run of each of the sites, with the id of its report, by site.
pub(crate) fn newest_runs(
    connection: &mut AnyConnection,
    org: &OrgId,
    of: &[&str],
) -> Result<HashMap<String, (RunRow, Option<String>)>, StorageError> {
    let mut newest = HashMap::new();
    for some in of.chunks(SITES_A_QUERY) {
        let ids = newest_run_ids(connection, org, some)?;
        let rows: Vec<(String, RunRow, Option<String>)> = runs::table
            .left_join(reports::table.on(reports::run_id.eq(runs::id)))
            .filter(runs::org_id.eq(org.as_str()))
            .filter(runs::id.eq_any(ids))
            .select((runs::site_id, RunRow::as_select(), reports::id.nullable()))
            .load(connection)?;
        newest.extend(
            rows.into_iter()
                .map(|(site, run, report)| (site, (run, report))),
        );
    }
    Ok(newest)
}

fn newest_run_ids(
    connection: &mut AnyConnection,
    org: &OrgId,
    of: &[&str],
) -> Result<Vec<String>, StorageError> {
    let newest = runs::table
        .filter(runs::org_id.eq(sites::org_id))
        .filter(runs::site_id.eq(sites::id))
        .filter(runs::hidden.eq(false))
        .order((runs::created_at.desc(), runs::id.desc()))
        .select(runs::id)
        .limit(1)
        .single_value();
    let ids: Vec<Option<String>> = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq_any(of))
        .select(newest)
        .load(connection)?;
    Ok(ids.into_iter().flatten().collect())
}

/// Returns, for each of the sites that has one, the report before which there are `newer` ones: its id and scores, by
/// site.
pub(crate) fn newest_scores(
    connection: &mut AnyConnection,
    org: &OrgId,
    of: &[&str],
    newer: i64,
) -> Result<HashMap<String, (String, ScoresRow)>, StorageError> {
    let mut newest = HashMap::new();
    for some in of.chunks(SITES_A_QUERY) {
        let ids = newest_report_ids(connection, org, some, newer)?;
        let rows: Vec<(String, String, ScoresRow)> = reports::table
            .filter(reports::org_id.eq(org.as_str()))
            .filter(reports::id.eq_any(ids))
            .select((reports::site_id, reports::id, ScoresRow::as_select()))
            .load(connection)?;
        newest.extend(
            rows.into_iter()
                .map(|(site, id, scores)| (site, (id, scores))),
        );
    }
    Ok(newest)
}

fn newest_report_ids(
    connection: &mut AnyConnection,
    org: &OrgId,
    of: &[&str],
    newer: i64,
) -> Result<Vec<String>, StorageError> {
    let newest = reports::table
        .filter(reports::org_id.eq(sites::org_id))
        .filter(reports::site_id.eq(sites::id))
        .order((reports::created_at.desc(), reports::run_id.desc()))
        .select(reports::id)
        .limit(1)
        .offset(newer)
        .single_value();
    let ids: Vec<Option<String>> = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq_any(of))
        .select(newest)
        .load(connection)?;
    Ok(ids.into_iter().flatten().collect())
}
