//! Orders of the pages of a report.

use std::collections::HashSet;
use std::ops::Range;

use diesel::prelude::*;
use domain::ports::{Claim, NewPageOrder, PAGE_ORDER_PART};
use domain::report::{PageOrder, PageSort, SortedPages};

use super::page_filter::ListedPlace;
use super::page_rows;
use super::source::Source;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::page_orders;
use crate::database::values::{from_json, number, to_json};

/// The parts of an order that are read at once for a filter: 25,000 pages.
const PARTS_OF_FILTERED: u32 = 50;

#[derive(Insertable)]
#[diesel(table_name = page_orders, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    sort: &'static str,
    part: i64,
    known: i64,
    positions: String,
}

/// Stores a batch. Existing rows are kept: the worker writes the same batch again if it does not know whether
/// the first attempt succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewPageOrder],
) -> Result<(), StorageError> {
    let rows = batch.iter().map(|new| {
        Ok(NewRow {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            sort: new.sort.as_str(),
            part: new.part.into(),
            known: new.known.into(),
            positions: to_json(&new.positions)?,
        })
    });
    let rows: Vec<_> = rows.collect::<Result<_, StorageError>>()?;
    on_either!(connection, inner => diesel::insert_into(page_orders::table)
        .values(&rows)
        .on_conflict_do_nothing()
        .execute(inner)?);
    Ok(())
}

/// Removes orders of a run, one after the other, and returns how many rows, about `most`; fewer means that none are
/// left.
pub(super) fn remove_some(
    connection: &mut AnyConnection,
    run_id: &str,
    most: i64,
) -> Result<i64, StorageError> {
    let mut gone = 0;
    while gone < most {
        let next: Option<(i64, String)> = page_orders::table
            .filter(page_orders::run_id.eq(run_id))
            .order((page_orders::epoch, page_orders::sort))
            .limit(1)
            .select((page_orders::epoch, page_orders::sort))
            .first(connection)
            .optional()?;
        let Some((epoch, sort)) = next else {
            break;
        };
        let removed = diesel::delete(page_orders::table)
            .filter(page_orders::run_id.eq(run_id))
            .filter(page_orders::epoch.eq(epoch))
            .filter(page_orders::sort.eq(sort))
            .execute(connection)?;
        gone += i64::try_from(removed).unwrap_or(i64::MAX);
    }
    Ok(gone)
}

/// An order that is read part by part.
enum Order {
    Stored {
        known: u32,
        /// The first of the parts that were read last.
        part: u32,
        positions: Vec<u32>,
        /// How many parts are read at once.
        at_once: u32,
    },
    /// Sorted now, for a report that was stored without orders.
    Sorted(SortedPages),
}

impl Order {
    fn open(
        connection: &mut AnyConnection,
        source: &Source,
        sort: PageSort,
        at_once: u32,
    ) -> Result<Self, StorageError> {
        if let Some((known, positions)) = parts(connection, source, sort, 0..at_once)? {
            return Ok(Self::Stored {
                known,
                part: 0,
                positions,
                at_once,
            });
        }
        let all = page_rows::all(connection, source)?;
        let all: Vec<_> = all.iter().map(|(place, visit)| (*place, visit)).collect();
        Ok(Self::Sorted(SortedPages::new(sort, &all)))
    }

    const fn known(&self) -> u32 {
        match self {
            Self::Stored { known, .. } => *known,
            Self::Sorted(sorted) => sorted.known,
        }
    }

    /// The page at this place of the order; `None` behind its end.
    fn position(
        &mut self,
        connection: &mut AnyConnection,
        source: &Source,
        sort: PageSort,
        index: u32,
    ) -> Result<Option<u32>, StorageError> {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let (positions, index) = match self {
            Self::Sorted(sorted) => (&sorted.positions, index),
            Self::Stored {
                part,
                positions,
                at_once,
                ..
            } => {
                let wanted = u32::try_from(index / PAGE_ORDER_PART).unwrap_or(u32::MAX);
                if !(*part..part.saturating_add(*at_once)).contains(&wanted) {
                    // A list in descending order goes from the last part to the first.
                    let first = wanted - wanted % *at_once;
                    let range = first..first.saturating_add(*at_once);
                    let found = parts(connection, source, sort, range)?;
                    *positions = found.map(|(_, positions)| positions).unwrap_or_default();
                    *part = first;
                }
                let first = usize::try_from(*part).unwrap_or(usize::MAX);
                (
                    &*positions,
                    index - first.saturating_mul(PAGE_ORDER_PART).min(index),
                )
            }
        };
        Ok(positions.get(index).copied())
    }
}

/// Parts of a stored order, one after the other, with the number of pages of the whole order that have a value. None if
/// none of them is stored.
fn parts(
    connection: &mut AnyConnection,
    source: &Source,
    sort: PageSort,
    parts: Range<u32>,
) -> Result<Option<(u32, Vec<u32>)>, StorageError> {
    let found: Vec<(i64, String)> = page_orders::table
        .filter(page_orders::run_id.eq(&source.run_id))
        .filter(page_orders::epoch.eq(source.epoch))
        .filter(page_orders::sort.eq(sort.as_str()))
        .filter(page_orders::part.ge(i64::from(parts.start)))
        .filter(page_orders::part.lt(i64::from(parts.end)))
        .order(page_orders::part)
        .select((page_orders::known, page_orders::positions))
        .load(connection)?;
    let Some((known, _)) = found.first() else {
        return Ok(None);
    };
    let known = number("number of pages", *known)?;
    let mut positions = Vec::new();
    for (_, part) in &found {
        positions.extend(from_json::<Vec<u32>>("order of pages", part)?);
    }
    Ok(Some((known, positions)))
}

/// The pages of an order, or those of them at the matching positions, from a place on; at most one more than `limit`,
/// which shows whether there is a next page.
pub(super) fn walk(
    connection: &mut AnyConnection,
    source: &Source,
    order: PageOrder,
    from: u32,
    limit: u32,
    matching: Option<&HashSet<u32>>,
) -> Result<Vec<ListedPlace>, StorageError> {
    // A filter may match few pages, so that much of the order is read.
    let at_once = if matching.is_some() {
        PARTS_OF_FILTERED
    } else {
        1
    };
    let mut sorted = Order::open(connection, source, order.sort, at_once)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut places = Vec::new();
    for place in from..=u32::MAX {
        let index = order.index(place, sorted.known());
        let Some(position) = sorted.position(connection, source, order.sort, index)? else {
            break;
        };
        if matching.is_none_or(|matching| matching.contains(&position)) {
            places.push(ListedPlace { place, position });
        }
        if places.len() > limit {
            break;
        }
    }
    Ok(places)
}
