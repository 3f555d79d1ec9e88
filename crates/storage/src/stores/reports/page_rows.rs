//! Rows of pages.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::ports::{Claim, NewPage};
use domain::report::{PageDetails, PageVisit};

use super::occurrences::ROWS_A_STATEMENT;
use super::page_filter::ListedPlace;
use super::page_scores;
use super::source::Source;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::pages;
use crate::database::values::{number, optional, storable, stored_count};

#[derive(Insertable)]
#[diesel(table_name = pages, treat_none_as_default_value = false)]
struct NewRow {
    run_id: String,
    epoch: i64,
    position: i64,
    url: String,
    status: Option<i64>,
    depth: Option<i64>,
    title: Option<String>,
    bytes: Option<i64>,
    audited: bool,
    issues: i64,
    issues_legacy: i64,
    scores: Option<String>,
    description: Option<String>,
    h1: Option<String>,
    canonical: Option<String>,
    indexable: Option<bool>,
    language: Option<String>,
    words: Option<i64>,
    transfer_bytes: Option<i64>,
    response_ms: Option<i64>,
    links_in: Option<i64>,
    links_out: Option<i64>,
}

impl NewRow {
    fn new(claim: &Claim, new: &NewPage) -> Self {
        let (visit, details) = (&new.visit, &new.visit.details);
        let text = |text: &Option<String>| text.as_deref().map(storable);
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            position: new.position.into(),
            url: storable(&visit.url),
            status: visit.status.map(i64::from),
            depth: visit.depth.map(i64::from),
            title: text(&visit.title),
            bytes: visit.bytes.map(stored_count),
            audited: visit.audited,
            issues: visit.issues.into(),
            issues_legacy: visit.issues_legacy.into(),
            scores: page_scores::to_json(&visit.scores),
            description: text(&details.description),
            h1: text(&details.h1),
            canonical: text(&details.canonical),
            indexable: details.indexable,
            language: text(&details.language),
            words: details.words.map(i64::from),
            transfer_bytes: details.transfer_bytes.map(stored_count),
            response_ms: details.response_ms.map(i64::from),
            links_in: details.links_in.map(i64::from),
            links_out: details.links_out.map(i64::from),
        }
    }
}

/// Stores a batch. Existing rows are kept: the worker writes the same batch again if it does not know whether
/// the first attempt succeeded.
pub(crate) fn insert(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewPage],
) -> Result<(), StorageError> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows: Vec<_> = part.iter().map(|new| NewRow::new(claim, new)).collect();
        on_either!(connection, inner => diesel::insert_into(pages::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = pages)]
struct PageRow {
    position: i64,
    url: String,
    status: Option<i64>,
    depth: Option<i64>,
    title: Option<String>,
    bytes: Option<i64>,
    audited: bool,
    issues: i64,
    issues_legacy: i64,
    scores: Option<String>,
    #[diesel(embed)]
    details: DetailsRow,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = pages)]
struct DetailsRow {
    description: Option<String>,
    h1: Option<String>,
    canonical: Option<String>,
    indexable: Option<bool>,
    language: Option<String>,
    words: Option<i64>,
    transfer_bytes: Option<i64>,
    response_ms: Option<i64>,
    links_in: Option<i64>,
    links_out: Option<i64>,
}

impl PageRow {
    fn read(self) -> Result<PageVisit, StorageError> {
        let count = |stored| number("number of issues", stored);
        Ok(PageVisit {
            url: self.url,
            status: optional("status", self.status)?,
            depth: optional("depth", self.depth)?,
            title: self.title,
            bytes: optional("number of bytes", self.bytes)?,
            audited: self.audited,
            leads_to: None,
            details: self.details.read()?,
            scores: page_scores::from_json(self.scores.as_deref())?,
            issues: count(self.issues)?,
            issues_legacy: count(self.issues_legacy)?,
        })
    }
}

impl DetailsRow {
    fn read(self) -> Result<PageDetails, StorageError> {
        Ok(PageDetails {
            description: self.description,
            h1: self.h1,
            canonical: self.canonical,
            indexable: self.indexable,
            language: self.language,
            words: optional("number of words", self.words)?,
            transfer_bytes: optional("number of bytes", self.transfer_bytes)?,
            response_ms: optional("number of milliseconds", self.response_ms)?,
            links_in: optional("number of links", self.links_in)?,
            links_out: optional("number of links", self.links_out)?,
        })
    }
}

/// Reads pages at their positions, in this order.
pub(super) fn load(
    connection: &mut AnyConnection,
    source: &Source,
    places: &[ListedPlace],
) -> Result<Vec<PageVisit>, StorageError> {
    let mut rows: HashMap<i64, PageRow> = HashMap::new();
    for part in places.chunks(ROWS_A_STATEMENT) {
        let positions: Vec<i64> = part.iter().map(|place| place.position.into()).collect();
        let found: Vec<PageRow> = pages::table
            .filter(pages::run_id.eq(&source.run_id))
            .filter(pages::epoch.eq(source.epoch))
            .filter(pages::position.eq_any(positions))
            .select(PageRow::as_select())
            .load(connection)?;
        rows.extend(found.into_iter().map(|row| (row.position, row)));
    }
    let in_order = places
        .iter()
        .filter_map(|place| rows.remove(&i64::from(place.position)));
    in_order.map(PageRow::read).collect()
}

/// Reads all pages of a run, each with its position, in the order of the crawl.
pub(super) fn all(
    connection: &mut AnyConnection,
    source: &Source,
) -> Result<Vec<(u32, PageVisit)>, StorageError> {
    let rows: Vec<PageRow> = pages::table
        .filter(pages::run_id.eq(&source.run_id))
        .filter(pages::epoch.eq(source.epoch))
        .order(pages::position)
        .select(PageRow::as_select())
        .load(connection)?;
    let rows = rows.into_iter();
    rows.map(|row| Ok((number("position", row.position)?, row.read()?)))
        .collect()
}

/// The page of this URL, the first if several have it.
pub(super) fn at(
    connection: &mut AnyConnection,
    source: &Source,
    url: &str,
) -> Result<Option<PageVisit>, StorageError> {
    let row: Option<PageRow> = pages::table
        .filter(pages::run_id.eq(&source.run_id))
        .filter(pages::epoch.eq(source.epoch))
        .filter(pages::url.eq(url))
        .order(pages::position)
        .limit(1)
        .select(PageRow::as_select())
        .first(connection)
        .optional()?;
    row.map(PageRow::read).transpose()
}

/// The URLs of the pages at these positions.
pub(super) fn urls(
    connection: &mut AnyConnection,
    source: &Source,
    positions: Vec<i64>,
) -> Result<HashMap<i64, String>, StorageError> {
    let found: Vec<(i64, String)> = pages::table
        .filter(pages::run_id.eq(&source.run_id))
        .filter(pages::epoch.eq(source.epoch))
        .filter(pages::position.eq_any(positions))
        .select((pages::position, pages::url))
        .load(connection)?;
    Ok(found.into_iter().collect())
}
