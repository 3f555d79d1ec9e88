//! What the operator of an installation sees of all its organizations.

use diesel::dsl::count_star;
use diesel::prelude::*;
use domain::id::OrgId;
use domain::ports::{JobKind, OperatorStore, OrgPage, StoreError, WorkerLoad};

use crate::database::Database;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, organizations};
use crate::database::values::{known, number};
use crate::stores::rows::OrgRow;

impl OperatorStore for Database {
    fn org_page(&self, after: Option<&OrgId>, limit: u32) -> Result<OrgPage, StoreError> {
        Ok(self.read(|connection| org_page(connection, after, limit))?)
    }

    fn worker_loads(&self, limit: u32) -> Result<Vec<WorkerLoad>, StoreError> {
        Ok(self.read(|connection| worker_loads(connection, limit))?)
    }
}

fn org_page(
    connection: &mut AnyConnection,
    after: Option<&OrgId>,
    limit: u32,
) -> Result<OrgPage, StorageError> {
    // No id sorts before the empty text.
    let behind = after.map_or("", OrgId::as_str);
    let mut rows: Vec<OrgRow> = organizations::table
        .filter(organizations::id.gt(behind))
        .order(organizations::id)
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select(OrgRow::as_select())
        .load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let organizations = rows.into_iter().map(OrgRow::read);
    let organizations: Vec<_> = organizations.collect::<Result<_, _>>()?;
    Ok(OrgPage {
        next: organizations
            .last()
            .filter(|_| goes_on)
            .map(|org| org.id.clone()),
        organizations,
    })
}

/// Rows of jobs exist only while there is work.
fn worker_loads(
    connection: &mut AnyConnection,
    limit: u32,
) -> Result<Vec<WorkerLoad>, StorageError> {
    let rows: Vec<(Option<String>, String, i64)> = jobs::table
        .filter(jobs::lease_process.is_not_null())
        .group_by((jobs::lease_process, jobs::kind))
        .order((jobs::lease_process, jobs::kind))
        .limit(limit.into())
        .select((jobs::lease_process, jobs::kind, count_star()))
        .load(connection)?;
    let loads = rows.into_iter().map(|(process, kind, jobs)| {
        Ok(WorkerLoad {
            process: process.unwrap_or_default(),
            kind: known("kind of job", &kind, JobKind::named(&kind))?,
            jobs: number("number of jobs", jobs)?,
        })
    });
    loads.collect()
}
