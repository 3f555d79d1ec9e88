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
    let runs: Option<i64> = usage_counters::table
        .find((org.as_str(), period.label()))
        .select(usage_counters::runs)
        .get_result(connection)
        .optional()?;
    Ok(Usage {
        sites: number("number of sites", sites)?,
        monthly_runs: number("number of runs", runs.unwrap_or_default())?,
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
