//! Rows of folders.

use diesel::prelude::*;
use domain::id::{OrgId, ReportId};
use domain::ports::Claim;
use domain::report::Folder;

use super::source::Source;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::folders;
use crate::database::values::{number, storable, stored_count};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = folders, treat_none_as_default_value = false)]
struct FolderRow {
    run_id: String,
    epoch: i64,
    position: i64,
    url: String,
    level: i64,
    pages: i64,
    failed: i64,
    bytes: i64,
    issues: i64,
    issues_legacy: i64,
}

/// Stores the folders of a run, at most [`MAX_FOLDERS`](domain::report::MAX_FOLDERS). Existing rows are kept: the worker
/// writes them again if it does not know whether the first attempt succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    all: &[Folder],
) -> Result<(), StorageError> {
    let rows: Vec<_> = (0_i64..)
        .zip(all)
        .map(|(position, folder)| FolderRow {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            position,
            url: storable(&folder.url),
            level: folder.level.into(),
            pages: stored_count(folder.pages),
            failed: stored_count(folder.failed),
            bytes: stored_count(folder.bytes),
            issues: stored_count(folder.issues),
            issues_legacy: stored_count(folder.issues_legacy),
        })
        .collect();
    on_either!(connection, inner => diesel::insert_into(folders::table)
        .values(&rows)
        .on_conflict_do_nothing()
        .execute(inner)?);
    Ok(())
}

/// Returns the folders of a report; `None` if the organization has no such report.
pub(super) fn load(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
) -> Result<Option<Vec<Folder>>, StorageError> {
    let Some(source) = Source::of_report(connection, org, report)? else {
        return Ok(None);
    };
    let rows: Vec<FolderRow> = folders::table
        .filter(folders::run_id.eq(&source.run_id))
        .filter(folders::epoch.eq(source.epoch))
        .order(folders::position)
        .select(FolderRow::as_select())
        .load(connection)?;
    let read = |row: FolderRow| {
        let count = |stored| number("count of a folder", stored);
        Ok(Folder {
            url: row.url,
            level: number("level of a folder", row.level)?,
            pages: count(row.pages)?,
            failed: count(row.failed)?,
            bytes: count(row.bytes)?,
            issues: count(row.issues)?,
            issues_legacy: count(row.issues_legacy)?,
        })
    };
    rows.into_iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map(Some)
}
