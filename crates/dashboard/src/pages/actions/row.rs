//! An action item in the list and on the board.

use std::collections::{BTreeSet, HashMap};

use domain::action::ActionItem;
use domain::id::ActionId;
use domain::org::Member;
use domain::ports::NamedSite;
use domain::text::count;

use super::words::{self, Due, Mark};
use crate::failure::Failure;
use crate::visit::Visit;

/// An item of the list.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) site: Option<String>,
    pub(super) priority: Mark,
    pub(super) status: &'static str,
    pub(super) assignee: Option<String>,
    pub(super) due: Option<Due>,
    /// How often and on how many pages; none for an item that a person made.
    pub(super) found: Option<String>,
    pub(super) is_chosen: bool,
}

/// What the rows of a page need beside the items.
pub(super) struct Names {
    sites: Vec<NamedSite>,
    members: Vec<Member>,
    occurrences: HashMap<ActionId, u64>,
}

/// The rows of these items, with those of `chosen` chosen.
pub(super) fn rows(
    visit: &Visit,
    items: &[ActionItem],
    chosen: &[String],
) -> Result<Vec<Row>, Failure> {
    let names = Names::read(visit, items)?;
    let rows = items.iter().map(|item| {
        let is_chosen = chosen.iter().any(|id| id == item.id.as_str());
        Row::new(visit, item, &names, is_chosen)
    });
    Ok(rows.collect())
}

impl Names {
    /// The names in the rows of these items, and no others.
    pub(super) fn read(visit: &Visit, items: &[ActionItem]) -> Result<Self, Failure> {
        let (org, stores) = (visit.org()?, &visit.state.stores);
        let ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
        let sites: BTreeSet<_> = items
            .iter()
            .filter_map(|item| item.site_id.clone())
            .collect();
        let sites: Vec<_> = sites.into_iter().collect();
        let members: BTreeSet<_> = items
            .iter()
            .filter_map(|item| item.assignee.clone())
            .collect();
        let members: Vec<_> = members.into_iter().collect();
        let issues = stores.latest_issues(org, &ids)?.into_iter();
        Ok(Self {
            sites: stores.names_of_sites(org, &sites)?,
            members: stores.members_of(org, &members)?,
            occurrences: issues
                .map(|issue| (issue.action_id, issue.occurrences_total))
                .collect(),
        })
    }
}

impl Names {
    /// The name of the site of an item.
    pub(super) fn site(&self, item: &ActionItem) -> Option<&str> {
        let id = item.site_id.as_ref()?;
        let mut sites = self.sites.iter();
        sites
            .find(|site| site.id == *id)
            .map(|site| site.name.as_str())
    }

    /// The name of the assignee; none for somebody who is no member any more.
    pub(super) fn assignee(&self, item: &ActionItem) -> Option<&str> {
        words::member_name(&self.members, item.assignee.as_ref()?)
    }

    /// How often the latest audit found it.
    pub(super) fn occurrences(&self, item: &ActionItem) -> Option<u64> {
        self.occurrences.get(&item.id).copied()
    }
}

impl Row {
    fn new(visit: &Visit, item: &ActionItem, names: &Names, is_chosen: bool) -> Self {
        let found = item.audit.as_ref().map(|audit| {
            let pages = count(audit.affected_pages, "page", "pages");
            match names.occurrences(item) {
                Some(times) => format!("{} on {pages}", count(times, "time", "times")),
                None => format!("on {pages}"),
            }
        });
        Self {
            id: item.id.to_string(),
            title: item.title.as_str().to_owned(),
            site: names.site(item).map(str::to_owned),
            priority: Mark::of_priority(item.priority),
            status: words::status(item.status),
            assignee: names.assignee(item).map(str::to_owned),
            due: Due::new(item, visit.now().date_naive()),
            found,
            is_chosen,
        }
    }
}
