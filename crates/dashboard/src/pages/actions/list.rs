//! The list of action items, and choosing items for a handoff.

use std::collections::HashMap;

use askama::Template;
use domain::action::{ActionCursor, ActionItem, HandoffFormat, MAX_HANDOFF_ITEMS};
use domain::id::ActionId;
use domain::org::Member;
use domain::ports::{ListActionsError, NamedSite};
use domain::text::count;

use super::filter::{Choice, ListFilter};
use super::handoff;
use super::words::{self, Due, Mark};
use crate::failure::Failure;
use crate::form::Form;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::visit::Visit;

/// Items of a page.
const LIMIT: u32 = 50;

/// An item of the list.
struct Row {
    id: String,
    title: String,
    site: Option<String>,
    priority: Mark,
    status: &'static str,
    assignee: Option<String>,
    due: Option<Due>,
    /// How often and on how many pages; none for an item that a person made.
    found: Option<String>,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "pages/actions/list.html")]
struct List {
    layout: Layout,
    rows: Vec<Row>,
    statuses: Vec<Choice>,
    priorities: Vec<Choice>,
    sites: Vec<Choice>,
    members: Vec<Choice>,
    is_narrowed: bool,
    /// The query of this page, to come back to it.
    query: String,
    is_first_page: bool,
    first_page: String,
    next_page: Option<String>,
    formats: Vec<Choice>,
    most: usize,
    problem: Option<String>,
}

/// What the rows of a page need beside the items.
struct Names {
    sites: Vec<NamedSite>,
    members: Vec<Member>,
    occurrences: HashMap<ActionId, u64>,
}

pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, &visit.query, &[], None)?)
}

/// The list again, where the choice of items was not accepted. `query` is that of the list.
pub(super) fn refused(
    visit: &Visit,
    query: &str,
    chosen: &[String],
    problem: String,
) -> Result<Reply, Failure> {
    let query = Form::parse(query.as_bytes());
    Reply::invalid(&page(visit, &query, chosen, Some(problem))?)
}

fn page(
    visit: &Visit,
    query: &Form,
    chosen: &[String],
    problem: Option<String>,
) -> Result<List, Failure> {
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let filter = ListFilter::read(query)?;
    let cursor = query.given("cursor");
    let after = cursor.map(ActionCursor::decode).transpose();
    let not_ours = |_| {
        Failure::BadRequest("The link to this page of the list is invalid. Open the list again.")
    };
    let after = after.map_err(not_ours)?;
    let stored = filter.to_stored(visit.variant(), &*visit.state.ids);
    let page = stores.actions(org, &stored, after.as_ref(), LIMIT);
    let page = page.map_err(|error| match error {
        ListActionsError::SiteNotFound => Failure::NotFound,
        ListActionsError::Store(error) => error.into(),
    })?;
    let names = names(visit, &page.items)?;
    let rows = page.items.iter().map(|item| {
        let is_chosen = chosen.iter().any(|id| id == item.id.as_str());
        row(visit, item, &names, is_chosen)
    });
    let next = page.next.as_ref().map(ActionCursor::encode);
    Ok(List {
        layout: Layout::new(visit, "Action items", Section::Actions),
        rows: rows.collect(),
        statuses: filter.statuses(),
        priorities: filter.priorities(),
        sites: filter.sites(&names.sites),
        members: filter.members(&names.members),
        is_narrowed: filter.is_narrowed(),
        query: filter.query(cursor),
        is_first_page: cursor.is_none(),
        first_page: filter.path(None),
        next_page: next.map(|next| filter.path(Some(&next))),
        formats: handoff::formats(HandoffFormat::default()),
        most: MAX_HANDOFF_ITEMS,
        problem,
    })
}

fn names(visit: &Visit, items: &[ActionItem]) -> Result<Names, Failure> {
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
    let issues = stores.latest_issues(org, &ids)?.into_iter();
    Ok(Names {
        sites: stores.site_names(org)?,
        members: stores.members(org)?,
        occurrences: issues
            .map(|issue| (issue.action_id, issue.occurrences_total))
            .collect(),
    })
}

fn row(visit: &Visit, item: &ActionItem, names: &Names, is_chosen: bool) -> Row {
    let site = item.site_id.as_ref().and_then(|id| {
        let mut sites = names.sites.iter();
        sites.find(|site| site.id == *id)
    });
    let assignee = item.assignee.as_ref();
    let found = item.audit.as_ref().map(|audit| {
        let pages = count(audit.affected_pages, "page", "pages");
        match names.occurrences.get(&item.id) {
            Some(times) => format!("{} on {pages}", count(*times, "time", "times")),
            None => format!("on {pages}"),
        }
    });
    Row {
        id: item.id.to_string(),
        title: item.title.as_str().to_owned(),
        site: site.map(|site| site.name.clone()),
        priority: Mark::of_priority(item.priority),
        status: words::status(item.status),
        assignee: assignee
            .and_then(|id| words::member_name(&names.members, id))
            .map(str::to_owned),
        due: Due::new(item, visit.now().date_naive()),
        found,
        is_chosen,
    }
}
