//! Storage accounting: how many bytes runs use in the database.
//!
//! Each run stores its size, computed when it completes, and each organization the sum, updated in the same
//! transaction. So no request has to compute it.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use domain::id::OrgId;
use domain::ports::Claim;

use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{org_storage, runs};
use crate::database::values::number;

/// Sums the bytes of the texts of a run, plus 150 for each row for numbers, keys and indexes. $1 is the run, $2
/// the epoch whose rows are kept.
const COUNT: &str = "
SELECT CAST(
    (SELECT coalesce(sum(150 + octet_length(url) + coalesce(octet_length(selector), 0)
                         + coalesce(octet_length(snippet), 0) + octet_length(message)), 0)
     FROM occurrences WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(url) + coalesce(octet_length(title), 0)
                         + coalesce(octet_length(description), 0) + coalesce(octet_length(h1), 0)
                         + coalesce(octet_length(canonical), 0)
                         + coalesce(octet_length(language), 0)), 0)
     FROM pages WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(positions)), 0)
     FROM page_orders WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(url) + coalesce(octet_length(reason), 0)
                         + coalesce(octet_length(leads_to), 0)), 0)
     FROM link_targets WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(hops)), 0)
     FROM redirect_chains WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(url)), 0)
     FROM folders WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(cause) + octet_length(message)), 0)
     FROM causes WHERE run_id = $1 AND epoch = $2)
  + (SELECT coalesce(sum(150 + octet_length(issues.title)
                         + octet_length(issues.description) + octet_length(issues.why)
                         + octet_length(issues.recommendation) + octet_length(issues.sources)), 0)
     FROM issues JOIN reports ON reports.id = issues.report_id WHERE reports.run_id = $1)
  + (SELECT coalesce(sum(150 + octet_length(coverage) + octet_length(unjudged)
                         + octet_length(summaries) + octet_length(summaries_legacy)), 0)
     FROM reports WHERE run_id = $1)
AS BIGINT) AS bytes";

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// Adds the size of a run that completes.
pub(crate) fn count(connection: &mut AnyConnection, claim: &Claim) -> Result<(), StorageError> {
    let asked = diesel::sql_query(COUNT)
        .bind::<Text, _>(claim.run_id.as_str())
        .bind::<BigInt, _>(i64::from(claim.epoch));
    let counted: Counted = on_either!(connection, inner => asked.get_result(inner))?;
    diesel::update(runs::table.find(claim.run_id.as_str()))
        .set(runs::stored_bytes.eq(counted.bytes))
        .execute(connection)?;
    let org = claim.org_id.as_str();
    let added = diesel::update(org_storage::table.find(org))
        .set(org_storage::bytes.eq(org_storage::bytes + counted.bytes))
        .execute(connection)?;
    if added == 0 {
        // Another process may insert the row first.
        on_either!(connection, inner => diesel::insert_into(org_storage::table)
            .values((org_storage::org_id.eq(org), org_storage::bytes.eq(0)))
            .on_conflict_do_nothing()
            .execute(inner)?);
        diesel::update(org_storage::table.find(org))
            .set(org_storage::bytes.eq(org_storage::bytes + counted.bytes))
            .execute(connection)?;
    }
    Ok(())
}

/// Subtracts the size of a run.
pub(crate) fn uncount(connection: &mut AnyConnection, run: &str) -> Result<(), StorageError> {
    let found: Option<(String, i64)> = runs::table
        .find(run)
        .select((runs::org_id, runs::stored_bytes))
        .get_result(connection)
        .optional()?;
    let Some((org, bytes)) = found.filter(|(_, bytes)| *bytes != 0) else {
        return Ok(());
    };
    // If several processes remove the run at once, only one subtracts it from the sum.
    let taken = diesel::update(runs::table.find(run))
        .filter(runs::stored_bytes.eq(bytes))
        .set(runs::stored_bytes.eq(0))
        .execute(connection)?;
    if taken == 0 {
        return Ok(());
    }
    diesel::update(org_storage::table.find(org))
        .set(org_storage::bytes.eq(org_storage::bytes - bytes))
        .execute(connection)?;
    Ok(())
}

/// Returns how many bytes the runs of an organization use.
pub(crate) fn load(connection: &mut AnyConnection, org: &OrgId) -> Result<u64, StorageError> {
    let bytes: Option<i64> = org_storage::table
        .find(org.as_str())
        .select(org_storage::bytes)
        .get_result(connection)
        .optional()?;
    number("number of bytes", bytes.unwrap_or_default())
}
