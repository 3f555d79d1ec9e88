//! The action items that match the filter, as a file.

use domain::action::{ActionCursor, ActionItem};

use super::filter::ListFilter;
use super::finder;
use super::list::read;
use super::row::Names;
use crate::failure::Failure;
use crate::format::Time;
use crate::pages::list_file::{READ_AT_ONCE, csv, first_rows};
use crate::reply::Reply;
use crate::visit::Visit;

/// The columns, named as in the API.
const COLUMNS: [&str; 12] = [
    "actionId",
    "title",
    "status",
    "priority",
    "site",
    "assignee",
    "dueDate",
    "checkId",
    "affectedPages",
    "occurrences",
    "createdAt",
    "updatedAt",
];

/// The items of the list, most urgent first.
pub(super) fn save(visit: &Visit) -> Result<Reply, Failure> {
    let filter = ListFilter::read(&visit.query)?;
    let (_, site) = finder::sites(visit, &visit.query, &filter)?;
    let (_, member) = finder::members(visit, &visit.query, &filter)?;
    let stored = filter
        .or(site, member)
        .to_stored(visit.variant(), &*visit.state.ids);
    let rows = first_rows(visit, |after: Option<ActionCursor>| {
        let page = read(visit, &stored, after.as_ref(), READ_AT_ONCE)?;
        let names = Names::read(visit, &page.items)?;
        let rows = page.items.iter().map(|item| cells(item, &names));
        Ok((rows.collect(), page.next))
    })?;
    csv(visit, "action-items", COLUMNS, rows)
}

fn cells(item: &ActionItem, names: &Names) -> [String; 12] {
    let audit = item.audit.as_ref();
    let text = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    [
        item.id.to_string(),
        item.title.as_str().to_owned(),
        item.status.as_str().to_owned(),
        item.priority.as_str().to_owned(),
        names.site(item).unwrap_or_default().to_owned(),
        names.assignee(item).unwrap_or_default().to_owned(),
        item.due_date
            .map_or_else(String::new, |date| date.to_string()),
        audit.map_or_else(String::new, |audit| audit.check_id.clone()),
        text(audit.map(|audit| audit.affected_pages)),
        text(names.occurrences(item)),
        Time::new(item.created_at).iso,
        Time::new(item.updated_at).iso,
    ]
}
