//! The list of the pages of a report.

use std::collections::HashSet;

use domain::id::{OrgId, ReportId};
use domain::ports::VisitPage;
use domain::report::{PageCursor, PageListing, PageOrder, PageSort};

use super::page_filter::Condition;
use super::source::{ListedIssue, Source};
use super::{page_orders, page_rows};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;

/// Returns a page of the page list of a report; `None` if the organization has no such report, or the report has no
/// issue that the list asks for.
pub(super) fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    listing: &PageListing,
    after: Option<PageCursor>,
    limit: u32,
) -> Result<Option<VisitPage>, StorageError> {
    let Some(source) = Source::of_report(connection, org, report)? else {
        return Ok(None);
    };
    let issue = match &listing.filter.issue {
        None => None,
        Some(id) => match ListedIssue::find(connection, org, report, id, listing.variant)? {
            None => return Ok(None),
            found => found,
        },
    };
    let condition = Condition {
        source: &source,
        filter: &listing.filter,
        issue: issue.map(|issue| issue.position),
    };
    let from = after.map_or(0, |cursor| cursor.place.saturating_add(1));
    let places = match listing.order.sort {
        PageSort::Crawl => condition.positions_from(connection, from, Some(limit))?,
        sort => {
            let matching = match listing.filter.is_empty() {
                true => None,
                false => Some(condition.positions_from(connection, 0, None)?),
            };
            let matching = matching.map(|found| found.into_iter().map(|place| place.position));
            let matching: Option<HashSet<u32>> = matching.map(Iterator::collect);
            let order = PageOrder {
                sort: sort.in_variant(listing.variant),
                ..listing.order
            };
            page_orders::walk(connection, &source, order, from, limit, matching.as_ref())?
        }
    };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = places.len() > limit;
    let shown = places.get(..limit.min(places.len())).unwrap_or_default();
    let next = shown.last().filter(|_| goes_on);
    Ok(Some(VisitPage {
        next: next.map(|last| PageCursor {
            order: listing.order,
            place: last.place,
        }),
        visits: page_rows::load(connection, &source, shown)?,
    }))
}
