//! Plan usage of organizations.

use diesel::prelude::*;
use domain::id::OrgId;
use domain::plan::{Period, Usage};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{sites, usage_counters};
use crate::database::values::number;
use crate::stores::stored_bytes;

pub(crate) fn load(
    connection: &mut AnyConnection,
    org: &OrgId,
    period: Period,
) -> Result<Usage, StorageError> {
    let sites: i64 = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .count()
        .get_result(connection)?;
    let counted: Option<(i64, i64)> = usage_counters::table
        .find((org.as_str(), period.label()))
        .select((usage_counters::runs, usage_counters::rendered_pages))
        .get_result(connection)
        .optional()?;
    let (runs, rendered_pages) = counted.unwrap_or_default();
    Ok(Usage {
        sites: number("number of sites", sites)?,
        monthly_runs: number("number of runs", runs)?,
        monthly_rendered_pages: number("number of pages", rendered_pages)?,
        storage_bytes: stored_bytes::load(connection, org)?,
    })
}

/// Counts a run. The caller must have locked the row of the organization.
pub(crate) fn add_run(
    connection: &mut AnyConnection,
    org: &OrgId,
    period: Period,
) -> Result<(), StorageError> {
    let counted = diesel::update(usage_counters::table.find((org.as_str(), period.label())))
        .set(usage_counters::runs.eq(usage_counters::runs + 1))
        .execute(connection)?;
    if counted == 0 {
        diesel::insert_into(usage_counters::table)
            .values((
                usage_counters::org_id.eq(org.as_str()),
                usage_counters::period.eq(period.label()),
                usage_counters::runs.eq(1),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Removes a run from the count. Takes the stored id of the organization, so it also works for a run whose row
/// cannot be read.
pub(crate) fn take_run_back(
    connection: &mut AnyConnection,
    org: &str,
    period: Period,
) -> Result<(), StorageError> {
    diesel::update(usage_counters::table.find((org, period.label())))
        .filter(usage_counters::runs.gt(0))
        .set(usage_counters::runs.eq(usage_counters::runs - 1))
        .execute(connection)?;
    Ok(())
}

/// The rendered pages of a period, with those that runs under way have reserved. Until the transaction ends, only it changes
/// their number.
pub(crate) fn lock_rendered_pages(
    connection: &mut AnyConnection,
    org: &str,
    period: Period,
) -> Result<i64, StorageError> {
    let counter = || usage_counters::table.find((org, period.label()));
    // An update locks the row on both databases.
    let locked = diesel::update(counter())
        .set(usage_counters::rendered_pages.eq(usage_counters::rendered_pages))
        .execute(connection)?;
    if locked == 0 {
        diesel::insert_into(usage_counters::table)
            .values((
                usage_counters::org_id.eq(org),
                usage_counters::period.eq(period.label()),
                usage_counters::runs.eq(0),
                usage_counters::rendered_pages.eq(0),
            ))
            .execute(connection)?;
    }
    Ok(counter()
        .select(usage_counters::rendered_pages)
        .get_result(connection)?)
}

/// Adds to the rendered pages of a period, or takes from them if `pages` is negative.
pub(crate) fn add_rendered_pages(
    connection: &mut AnyConnection,
    org: &str,
    period: Period,
    pages: i64,
) -> Result<(), StorageError> {
    let used = lock_rendered_pages(connection, org, period)?;
    diesel::update(usage_counters::table.find((org, period.label())))
        .set(usage_counters::rendered_pages.eq(used.saturating_add(pages).max(0)))
        .execute(connection)?;
    Ok(())
}
