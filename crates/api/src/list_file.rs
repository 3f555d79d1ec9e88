//! Lists of a report as one file.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use api_types::report::{ListFormat, ReportFormat};
use domain::id::ReportId;
use domain::ports::StoreError;
use report::export::{ExportError, ListTable, write_all};

use crate::endpoint::{Call, Content, Lane, Reply};
use crate::input::{Cursor, InvalidFields, PageSize};
use httpkit::problem::{FieldCode, Problem};

/// Entries that are read at once for a file. A filter of pages is evaluated once for each of these parts.
const ENTRIES_AT_ONCE: u32 = 5_000;

/// The part of a list that a request asks for.
#[derive(Clone, Copy)]
pub(crate) enum Extent<C> {
    /// A page of at most `limit` entries, after a cursor.
    Page { after: Option<C>, limit: u32 },
    /// All entries, as a CSV file.
    File,
}

impl<C> Extent<C> {
    /// Reads the parameters `format`, `limit` and `cursor`. A file has no pages; `None` if a parameter is invalid.
    pub(crate) fn read(
        format: Option<ListFormat>,
        (limit, cursor): (Option<PageSize>, Option<&Cursor>),
        decode: impl FnOnce(&str) -> Option<C>,
        invalid: &mut InvalidFields,
    ) -> Option<Self> {
        let Some(ListFormat::Csv) = format else {
            let after = cursor.map(|cursor| cursor.decode(decode)).transpose();
            return Some(Self::Page {
                after: invalid.check(after)?.flatten(),
                limit: limit.unwrap_or_default().get(),
            });
        };
        let given = [("limit", limit.is_some()), ("cursor", cursor.is_some())];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        for (name, _) in given.clone() {
            let message = "Must be absent with `format=csv`: the file has all entries.";
            invalid.add(Problem::coded(FieldCode::NotAllowed, name, message));
        }
        (given.count() == 0).then_some(Self::File)
    }
}

/// The response with a page of a list of a report, as `page` writes it, or with the whole list as a file, for example
/// `pages-rep_01….csv`. `read` returns the entries after a cursor, at most a number of them.
///
/// # Errors
/// `not_found` if there is no such list, and the errors of `read` and `page`. A file stops if the client no longer waits.
pub(crate) fn respond<T: ListTable>(
    call: &Call,
    (list, report): (&str, &ReportId),
    extent: Extent<T::Cursor>,
    read: impl Fn(Option<T::Cursor>, u32) -> Result<Option<T::Part>, StoreError>,
    page: impl FnOnce(&T::Part) -> Result<Reply, Problem>,
    table: impl FnOnce() -> Result<T, ExportError>,
) -> Result<Reply, Problem> {
    let found = |after, limit| read(after, limit)?.ok_or_else(Problem::not_found);
    if let Extent::Page { after, limit } = extent {
        return page(&found(after, limit)?);
    }
    let table = table().map_err(|error| failed(&error))?;
    let bytes = write_all(table, failed, |after| {
        call.abandoned.check()?;
        found(after, ENTRIES_AT_ONCE)
    })?;
    csv(list, report, bytes)
}

/// The error of a table that cannot be written.
fn failed(error: &ExportError) -> Problem {
    Problem::internal(error.to_string())
}

/// The response with a list as a CSV file.
fn csv(list: &str, report: &ReportId, bytes: Vec<u8>) -> Result<Reply, Problem> {
    let saved_as = format!("attachment; filename=\"{list}-{report}.csv\"");
    let saved_as = HeaderValue::from_str(&saved_as);
    let saved_as = saved_as.map_err(|error| Problem::internal(error.to_string()))?;
    Ok(Reply {
        status: StatusCode::OK,
        headers: vec![(header::CONTENT_DISPOSITION, saved_as)],
        content: Content::File {
            media_type: ReportFormat::Csv.media_type(),
            bytes,
        },
    })
}

/// The cost class of a query of a list. Because names and values can be percent-encoded in many ways, every query that
/// may ask for a file counts as an export.
pub(crate) fn lane(query: &str) -> Lane {
    match query.contains(['%', '+']) || query.contains("format") {
        true => Lane::Export,
        false => Lane::Read,
    }
}
