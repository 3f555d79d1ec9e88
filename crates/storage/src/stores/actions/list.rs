//! Lists of action items, and counts of open ones.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::action::{ActionCursor, ActionFilter, ActionStatus, Priority};
use domain::id::{OrgId, SiteId};
use domain::ports::ActionPage;
use domain::report::Variant;

use super::rows::ActionRow;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{action_briefs, actions};
use crate::database::values::{number, stored_time};

/// The dimensions whose items a variant shows.
fn shown(variant: Variant) -> Vec<&'static str> {
    let dimensions = variant.dimensions().iter();
    dimensions.map(|dimension| dimension.as_str()).collect()
}

/// The statuses of items that are open or in progress.
fn open() -> Vec<&'static str> {
    ActionStatus::ALL
        .into_iter()
        .filter(|status| !status.is_resolved())
        .map(ActionStatus::as_str)
        .collect()
}

pub(super) fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    filter: &ActionFilter,
    after: Option<&ActionCursor>,
    limit: u32,
) -> Result<ActionPage, StorageError> {
    let is_shown = actions::dimension
        .is_null()
        .or(actions::dimension.eq_any(shown(filter.variant)));
    let mut query = actions::table
        .left_join(action_briefs::table.on(action_briefs::action_id.eq(actions::id)))
        .filter(actions::org_id.eq(org.as_str()))
        .filter(is_shown)
        .order((actions::priority, actions::created_at.desc(), actions::id))
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select((ActionRow::as_select(), action_briefs::status.nullable()))
        .into_boxed();
    if !filter.statuses.is_empty() {
        let names: Vec<_> = filter.statuses.iter().map(|known| known.as_str()).collect();
        query = query.filter(actions::status.eq_any(names));
    }
    if !filter.priorities.is_empty() {
        let ranks: Vec<i64> = filter
            .priorities
            .iter()
            .map(|known| known.rank().into())
            .collect();
        query = query.filter(actions::priority.eq_any(ranks));
    }
    if let Some(site) = &filter.site {
        query = query.filter(actions::site_id.eq(site.as_str()));
    }
    if let Some(assignee) = &filter.assignee {
        query = query.filter(actions::assignee_id.eq(assignee.as_str()));
    }
    if let Some(cursor) = after {
        let rank = i64::from(cursor.priority.rank());
        let created_at = stored_time(cursor.created_at);
        let is_older = actions::created_at.lt(created_at).or(actions::created_at
            .eq(created_at)
            .and(actions::id.gt(cursor.id.as_str())));
        let is_behind = actions::priority
            .gt(rank)
            .or(actions::priority.eq(rank).and(is_older));
        // Implied by the second condition; it bounds the index range scan.
        query = query.filter(actions::priority.ge(rank).and(is_behind));
    }
    let rows: Vec<(ActionRow, Option<String>)> = query.load(connection)?;
    let mut items = rows
        .into_iter()
        .map(|(row, brief)| row.read(brief.as_deref()))
        .collect::<Result<Vec<_>, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = items.len() > limit;
    items.truncate(limit);
    let last = items.last().filter(|_| goes_on);
    Ok(ActionPage {
        next: last.map(ActionCursor::after),
        items,
    })
}

/// How many items that a variant shows are open or in progress, by site, or for one site alone; nothing for a site
/// without any.
pub(crate) fn open_by_site(
    connection: &mut AnyConnection,
    org: &OrgId,
    only: Option<&SiteId>,
    variant: Variant,
) -> Result<HashMap<String, u64>, StorageError> {
    let counts = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::site_id.is_not_null())
        .filter(actions::status.eq_any(open()))
        .filter(
            actions::dimension
                .is_null()
                .or(actions::dimension.eq_any(shown(variant))),
        )
        .group_by(actions::site_id)
        .select((
            actions::site_id.assume_not_null(),
            diesel::dsl::count_star(),
        ));
    let rows: Vec<(String, i64)> = match only {
        Some(site) => counts
            .filter(actions::site_id.eq(site.as_str()))
            .load(connection)?,
        None => counts.load(connection)?,
    };
    rows.into_iter()
        .map(|(site, count)| Ok((site, number("number of items", count)?)))
        .collect()
}

/// How many items of priority `critical` that a variant shows are open or in progress, by site, for these sites;
/// nothing for a site without any.
pub(crate) fn open_critical_by_site(
    connection: &mut AnyConnection,
    org: &OrgId,
    variant: Variant,
    sites: &[&str],
) -> Result<HashMap<String, u64>, StorageError> {
    let rows: Vec<(String, i64)> = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::priority.eq(i64::from(Priority::Critical.rank())))
        .filter(actions::site_id.eq_any(sites))
        .filter(actions::status.eq_any(open()))
        .filter(
            actions::dimension
                .is_null()
                .or(actions::dimension.eq_any(shown(variant))),
        )
        .group_by(actions::site_id)
        .select((
            actions::site_id.assume_not_null(),
            diesel::dsl::count_star(),
        ))
        .load(connection)?;
    rows.into_iter()
        .map(|(site, count)| Ok((site, number("number of items", count)?)))
        .collect()
}

/// How many items of priority `critical` that a variant shows are open or in progress, of any site.
pub(crate) fn open_critical(
    connection: &mut AnyConnection,
    org: &OrgId,
    variant: Variant,
) -> Result<u64, StorageError> {
    let count: i64 = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::priority.eq(i64::from(Priority::Critical.rank())))
        .filter(actions::site_id.is_not_null())
        .filter(actions::status.eq_any(open()))
        .filter(
            actions::dimension
                .is_null()
                .or(actions::dimension.eq_any(shown(variant))),
        )
        .count()
        .get_result(connection)?;
    number("number of items", count)
}
