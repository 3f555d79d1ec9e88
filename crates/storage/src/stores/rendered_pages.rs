//! Rendered pages of runs: reserved when an attempt begins, counted when the run ends.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::plan::{Period, Plans};
use domain::ports::Claim;
use domain::render_allowance::RenderAllowance;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{organizations, runs};
use crate::database::values::{number, stored_count};
use crate::stores::usage;

/// What is stored about the rendered pages of a run.
#[derive(Queryable, Selectable)]
#[diesel(table_name = runs)]
struct RenderingRow {
    org_id: String,
    created_at: NaiveDateTime,
    pages_rendered: i64,
    reserved_pages: Option<i64>,
}

impl RenderingRow {
    fn load(connection: &mut AnyConnection, run: &str) -> Result<Self, StorageError> {
        Ok(runs::table
            .find(run)
            .select(Self::as_select())
            .get_result(connection)?)
    }

    /// The month in which the run was started, whenever it ends.
    fn period(&self) -> Period {
        Period::containing(self.created_at.and_utc())
    }
}

/// Reserves rendered pages for a run whose job is locked, instead of those of an earlier attempt.
pub(crate) fn reserve(
    connection: &mut AnyConnection,
    claim: &Claim,
    plans: &Plans,
) -> Result<Option<RenderAllowance>, StorageError> {
    let name: String = organizations::table
        .find(claim.org_id.as_str())
        .select(organizations::plan)
        .get_result(connection)?;
    let plan = plans.get(&name).ok_or_else(|| {
        let org = &claim.org_id;
        StorageError::Failed(format!(
            "the organization {org} is on the plan `{name}`, which is not configured"
        ))
    })?;
    let row = RenderingRow::load(connection, claim.run_id.as_str())?;
    let org = claim.org_id.as_str();
    let before = row.reserved_pages.unwrap_or_default();
    let used = usage::lock_rendered_pages(connection, org, row.period())?.saturating_sub(before);
    let used = number("number of pages", used)?;
    let share = plan.limits.render_share(used, claim.options.max_pages);
    let reserved = share.reserved.map(stored_count);
    let more = reserved.unwrap_or_default().saturating_sub(before);
    usage::add_rendered_pages(connection, org, row.period(), more)?;
    diesel::update(runs::table.find(claim.run_id.as_str()))
        .set(runs::reserved_pages.eq(reserved))
        .execute(connection)?;
    Ok(share.allowance)
}

/// Whether the pages of a run that has ended are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Those that a browser showed, as far as the progress of the run tells.
    Rendered,
    /// None, because the run failed through a fault of ours.
    Nothing,
}

/// Counts the pages of a run that has ended, and gives back what it reserved beyond them.
///
/// This locks a counter of the organization, so it comes after everything in its transaction that refers to the organization.
pub(crate) fn settle(
    connection: &mut AnyConnection,
    run: &str,
    counts: Counts,
) -> Result<(), StorageError> {
    let row = RenderingRow::load(connection, run)?;
    let rendered = match counts {
        Counts::Rendered => row.pages_rendered,
        Counts::Nothing => 0,
    };
    let more = rendered.saturating_sub(row.reserved_pages.unwrap_or_default());
    if more != 0 {
        usage::add_rendered_pages(connection, &row.org_id, row.period(), more)?;
    }
    if row.reserved_pages.is_some() {
        diesel::update(runs::table.find(run))
            .set(runs::reserved_pages.eq(None::<i64>))
            .execute(connection)?;
    }
    Ok(())
}
