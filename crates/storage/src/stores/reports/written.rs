//! Data that a run writes before it completes: causes, occurrences, pages with their orders, and links.

use diesel::prelude::*;
use domain::ports::Claim;

use super::{occurrences, page_orders};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{
    causes, folders, link_targets, occurrences as occurrence_rows, page_orders as order_rows,
    pages, redirect_chains,
};

/// Removes about so many rows of a run from a table keyed by run, epoch and position.
macro_rules! remove_positioned {
    ($connection:expr, $table:ident, $run_id:expr, $most:expr) => {{
        let of_run = $table::table.filter($table::run_id.eq($run_id));
        let last: Option<(i64, i64)> = of_run
            .order(($table::epoch, $table::position))
            .offset($most.max(1) - 1)
            .limit(1)
            .select(($table::epoch, $table::position))
            .first($connection)
            .optional()?;
        let removed = match last {
            None => diesel::delete(of_run).execute($connection)?,
            Some((epoch, position)) => {
                let in_epoch = $table::epoch.eq(epoch).and($table::position.le(position));
                diesel::delete(of_run)
                    .filter($table::epoch.lt(epoch).or(in_epoch))
                    .execute($connection)?
            }
        };
        i64::try_from(removed).unwrap_or(i64::MAX)
    }};
}

/// Removes the rows of workers that lost their claim. The claim must be held.
pub(crate) fn remove_earlier_epochs(
    connection: &mut AnyConnection,
    claim: &Claim,
) -> Result<(), StorageError> {
    let (run, epoch) = (claim.run_id.as_str(), i64::from(claim.epoch));
    diesel::delete(occurrence_rows::table)
        .filter(occurrence_rows::run_id.eq(run))
        .filter(occurrence_rows::epoch.lt(epoch))
        .execute(connection)?;
    diesel::delete(causes::table)
        .filter(causes::run_id.eq(run))
        .filter(causes::epoch.lt(epoch))
        .execute(connection)?;
    diesel::delete(pages::table)
        .filter(pages::run_id.eq(run))
        .filter(pages::epoch.lt(epoch))
        .execute(connection)?;
    diesel::delete(order_rows::table)
        .filter(order_rows::run_id.eq(run))
        .filter(order_rows::epoch.lt(epoch))
        .execute(connection)?;
    diesel::delete(link_targets::table)
        .filter(link_targets::run_id.eq(run))
        .filter(link_targets::epoch.lt(epoch))
        .execute(connection)?;
    diesel::delete(redirect_chains::table)
        .filter(redirect_chains::run_id.eq(run))
        .filter(redirect_chains::epoch.lt(epoch))
        .execute(connection)?;
    diesel::delete(folders::table)
        .filter(folders::run_id.eq(run))
        .filter(folders::epoch.lt(epoch))
        .execute(connection)?;
    Ok(())
}

/// Removes all rows of a run.
pub(crate) fn remove_all(connection: &mut AnyConnection, run_id: &str) -> Result<(), StorageError> {
    // Table by table, so that no statement takes long.
    diesel::delete(occurrence_rows::table.filter(occurrence_rows::run_id.eq(run_id)))
        .execute(connection)?;
    diesel::delete(causes::table.filter(causes::run_id.eq(run_id))).execute(connection)?;
    diesel::delete(pages::table.filter(pages::run_id.eq(run_id))).execute(connection)?;
    diesel::delete(order_rows::table.filter(order_rows::run_id.eq(run_id))).execute(connection)?;
    diesel::delete(link_targets::table.filter(link_targets::run_id.eq(run_id)))
        .execute(connection)?;
    diesel::delete(redirect_chains::table.filter(redirect_chains::run_id.eq(run_id)))
        .execute(connection)?;
    diesel::delete(folders::table.filter(folders::run_id.eq(run_id))).execute(connection)?;
    Ok(())
}

/// Removes about `most` rows of a run, and returns how many; fewer than `most` means that none are left.
pub(crate) fn remove_some(
    connection: &mut AnyConnection,
    run_id: &str,
    most: i64,
) -> Result<i64, StorageError> {
    let mut gone = occurrences::remove_some(connection, run_id, most)?;
    if gone < most {
        gone += remove_positioned!(connection, causes, run_id, (most - gone));
    }
    if gone < most {
        gone += remove_positioned!(connection, pages, run_id, (most - gone));
    }
    if gone < most {
        gone += page_orders::remove_some(connection, run_id, most - gone)?;
    }
    if gone < most {
        gone += remove_positioned!(connection, link_targets, run_id, (most - gone));
    }
    if gone < most {
        gone += remove_positioned!(connection, redirect_chains, run_id, (most - gone));
    }
    if gone < most {
        gone += remove_positioned!(connection, folders, run_id, (most - gone));
    }
    Ok(gone)
}
