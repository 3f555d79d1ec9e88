//! The list of action items, the board beside it, and choosing items.

use askama::Template;
use domain::action::{
    ActionCursor, ActionFilter, ActionStatus, HandoffFormat, MAX_HANDOFF_ITEMS, Priority,
};
use domain::ports::{ActionPage, ListActionsError};
use domain::text::{count, grouped};

use super::filter::{Choice, ListFilter, View};
use super::finder::{self, Finder, OFFERED};
use super::row::{Row, rows};
use super::words::{self, Mark};
use super::{chosen, handoff};
use crate::failure::Failure;
use crate::form::Form;
use crate::layout::{Layout, Section};
use crate::pages::list_file::MAX_ROWS;
use crate::reply::Reply;
use crate::visit::Visit;

const FILE_PATH: &str = "/actions.csv";
/// Items of a page of the list.
pub(super) const LIMIT: u32 = 50;
/// Items of a column of the board.
pub(super) const COLUMN: u32 = 10;

#[derive(Template)]
#[template(path = "pages/actions/list.html")]
struct Page {
    layout: Layout,
    view: View,
    /// The items of the list; empty on the board.
    rows: Vec<Row>,
    /// The columns of the board; empty in the list.
    columns: Vec<Column>,
    statuses: Vec<Choice>,
    priorities: Vec<Choice>,
    sites: Finder,
    members: Finder,
    is_narrowed: bool,
    /// The query of this page, to come back to it.
    query: String,
    is_first_page: bool,
    first_page: String,
    next_page: Option<String>,
    /// The address of the file with all items that match.
    file: String,
    most_in_file: String,
    /// The addresses of the two views.
    list_path: String,
    board_path: String,
    formats: Vec<Choice>,
    new_statuses: Vec<(&'static str, &'static str)>,
    new_priorities: Vec<(&'static str, &'static str)>,
    most: usize,
    most_changed: usize,
    offered: usize,
    /// What was changed just now.
    done: Option<String>,
    problem: Option<String>,
}

/// The items of a status.
struct Column {
    name: &'static str,
    label: &'static str,
    rows: Vec<Row>,
    /// The list of all of them, where there are more.
    more: Option<String>,
}

impl Page {
    /// Whether any item is shown.
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.columns.iter().all(|column| column.rows.is_empty())
    }

    fn is_board(&self) -> bool {
        self.view == View::Board
    }
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

/// The address of the list with this query, which a form carried; the bare list where the query is invalid.
pub(super) fn path(query: &str) -> String {
    let query = Form::parse(query.as_bytes());
    ListFilter::read(&query).map_or_else(
        |_| "/actions".to_owned(),
        |filter| filter.path(query.given("cursor")),
    )
}

fn page(
    visit: &Visit,
    query: &Form,
    chosen: &[String],
    problem: Option<String>,
) -> Result<Page, Failure> {
    let filter = ListFilter::read(query)?;
    let (sites, site) = finder::sites(visit, query, &filter)?;
    let (members, member) = finder::members(visit, query, &filter)?;
    let filter = filter.or(site, member);
    let cursor = query
        .given("cursor")
        .filter(|_| filter.view() == View::List);
    let (page, columns) = match filter.view() {
        View::List => (items(visit, &filter, cursor)?, Vec::new()),
        View::Board => (
            ActionPage {
                items: Vec::new(),
                next: None,
            },
            board(visit, &filter, chosen)?,
        ),
    };
    let next = page.next.as_ref().map(ActionCursor::encode);
    let changed: u64 = query.text("changed").parse().unwrap_or(0);
    Ok(Page {
        layout: Layout::new(visit, "Action items", Section::Actions),
        view: filter.view(),
        rows: rows(visit, &page.items, chosen)?,
        columns,
        statuses: filter.statuses(),
        priorities: filter.priorities(),
        sites,
        members,
        is_narrowed: filter.is_narrowed(),
        query: filter.query(cursor),
        is_first_page: cursor.is_none(),
        first_page: filter.path(None),
        next_page: next.map(|next| filter.path(Some(&next))),
        file: filter.address(FILE_PATH, None),
        most_in_file: grouped(u64::try_from(MAX_ROWS).unwrap_or_default()),
        list_path: filter.in_view(View::List).path(None),
        board_path: filter.in_view(View::Board).path(None),
        formats: handoff::formats(HandoffFormat::default()),
        new_statuses: ActionStatus::ALL
            .map(|status| (status.as_str(), words::status(status)))
            .into(),
        new_priorities: Priority::ALL
            .map(|priority| (priority.as_str(), Mark::of_priority(priority).word))
            .into(),
        most: MAX_HANDOFF_ITEMS,
        most_changed: chosen::MOST,
        offered: OFFERED,
        done: (changed > 0).then(|| {
            let items = count(changed, "item was", "items were");
            format!("{items} changed.")
        }),
        problem,
    })
}

/// A page of the list.
fn items(visit: &Visit, filter: &ListFilter, cursor: Option<&str>) -> Result<ActionPage, Failure> {
    let after = cursor.map(ActionCursor::decode).transpose();
    let not_ours = |_| {
        Failure::BadRequest("The link to this page of the list is invalid. Open the list again.")
    };
    let after = after.map_err(not_ours)?;
    let stored = filter.to_stored(visit.variant(), &*visit.state.ids);
    read(visit, &stored, after.as_ref(), LIMIT)
}

/// The columns of the board, each with its most urgent items.
fn board(visit: &Visit, filter: &ListFilter, chosen: &[String]) -> Result<Vec<Column>, Failure> {
    let stored = filter.to_stored(visit.variant(), &*visit.state.ids);
    let columns = ActionStatus::ALL.into_iter().map(|status| {
        let of_status = ActionFilter {
            statuses: [status].into(),
            ..stored.clone()
        };
        let page = read(visit, &of_status, None, COLUMN)?;
        Ok(Column {
            name: status.as_str(),
            label: words::status(status),
            rows: rows(visit, &page.items, chosen)?,
            more: page.next.map(|_| filter.of_status(status).path(None)),
        })
    });
    columns.collect()
}

pub(super) fn read(
    visit: &Visit,
    filter: &ActionFilter,
    after: Option<&ActionCursor>,
    limit: u32,
) -> Result<ActionPage, Failure> {
    let page = (visit.state.stores).actions(visit.org()?, filter, after, limit);
    page.map_err(|error| match error {
        ListActionsError::SiteNotFound => Failure::NotFound,
        ListActionsError::Store(error) => error.into(),
    })
}
