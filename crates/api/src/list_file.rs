//! Lists of a report as one file.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use api_types::report::{ListFormat, ReportFormat};
use domain::id::ReportId;
use report::export::ExportError;

use crate::endpoint::{Call, Content, Lane, Reply};
use crate::input::{Cursor, PageSize};
use httpkit::problem::Problem;

/// Entries that are read at once for a file. A filter of pages is evaluated once for each of these parts.
pub(crate) const ENTRIES_AT_ONCE: u32 = 5_000;

/// The part of a list that a request asks for.
pub(crate) enum Extent<C> {
    /// A page of at most `limit` entries, after a cursor.
    Page { after: Option<C>, limit: u32 },
    /// All entries, as a CSV file.
    File,
}

impl<C> Extent<C> {
    /// Reads the parameters `format`, `limit` and `cursor`.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter: a file has no pages.
    pub(crate) fn read(
        format: Option<ListFormat>,
        limit: Option<PageSize>,
        cursor: Option<&Cursor>,
        decode: impl FnOnce(&str) -> Option<C>,
    ) -> Result<Self, Problem> {
        let Some(ListFormat::Csv) = format else {
            let after = cursor.map(|cursor| cursor.decode(decode)).transpose()?;
            return Ok(Self::Page {
                after: after.flatten(),
                limit: limit.unwrap_or_default().get(),
            });
        };
        let given = [("limit", limit.is_some()), ("cursor", cursor.is_some())];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(Self::File),
            Some((name, _)) => {
                let needed = "Must be absent with `format=csv`: the file has all entries.";
                Err(Problem::field(*name, needed))
            }
        }
    }
}

/// Reads a whole list, page by page, and hands each page to `write`. `read` answers a page and the cursor of the next
/// one.
///
/// # Errors
/// `not_found` if there is no such list, and the errors of `read` and `write`. Stops if the client no longer waits.
pub(crate) fn for_each_page<C: Copy, P>(
    call: &Call,
    read: impl Fn(Option<C>) -> Result<Option<(P, Option<C>)>, Problem>,
    mut write: impl FnMut(P) -> Result<(), ExportError>,
) -> Result<(), Problem> {
    let mut after = None;
    loop {
        call.abandoned.check()?;
        let (page, next) = read(after)?.ok_or_else(Problem::not_found)?;
        write(page).map_err(|error| failed(&error))?;
        if next.is_none() {
            return Ok(());
        }
        after = next;
    }
}

/// The error of a table that cannot be written.
pub(crate) fn failed(error: &ExportError) -> Problem {
    Problem::internal(error.to_string())
}

/// The response with a list as a CSV file, `pages-rep_01….csv` for example.
pub(crate) fn csv(list: &str, report: &ReportId, bytes: Vec<u8>) -> Result<Reply, Problem> {
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
