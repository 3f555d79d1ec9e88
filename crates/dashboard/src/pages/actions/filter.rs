//! Which action items the list shows, as its address says it.

use std::collections::BTreeSet;

use domain::action::{ActionFilter, ActionStatus, Priority};
use domain::id::{MemberId, SiteId};
use domain::ports::IdSource;
use domain::report::Variant;
use url::form_urlencoded::Serializer;

use super::words::{self, Mark};
use crate::failure::Failure;
use crate::form::Form;

/// The statuses that the list shows where its address names none.
const UNRESOLVED: [ActionStatus; 2] = [ActionStatus::Open, ActionStatus::InProgress];

/// A choice of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

/// How the items are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum View {
    /// One list, most urgent first.
    #[default]
    List,
    /// A column for each status.
    Board,
}

/// The name of the board in addresses.
const BOARD: &str = "board";

/// The filter of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListFilter {
    /// Never empty.
    statuses: BTreeSet<ActionStatus>,
    /// Empty for all.
    priorities: BTreeSet<Priority>,
    site: Option<SiteId>,
    /// An id of a member, or any other text: that of nobody.
    assignee: Option<String>,
    view: View,
}

impl ListFilter {
    /// The filter of a query: `status` and `priority`, repeated or comma-separated, `siteId` and `assigneeId`, as in the
    /// API.
    ///
    /// # Errors
    /// Where a status or a priority is unknown. A text that is no id of a site is not found.
    pub(super) fn read(query: &Form) -> Result<Self, Failure> {
        let statuses = query.all("status").map(ActionFilter::parse_statuses);
        let statuses: Result<Vec<_>, _> = statuses.collect();
        let unknown = |_| {
            Failure::BadRequest(
                "The filter in the URL has an unknown status. Choose one in the form.",
            )
        };
        let mut statuses: BTreeSet<_> = statuses.map_err(unknown)?.into_iter().flatten().collect();
        if statuses.is_empty() {
            statuses.extend(UNRESOLVED);
        }
        let priorities = query.all("priority").map(ActionFilter::parse_priorities);
        let priorities: Result<Vec<_>, _> = priorities.collect();
        let unknown = |_| {
            Failure::BadRequest(
                "The filter in the URL has an unknown priority. Choose one in the form.",
            )
        };
        let site = query.given("siteId").map(SiteId::parse);
        Ok(Self {
            statuses,
            priorities: priorities.map_err(unknown)?.into_iter().flatten().collect(),
            site: site.map(|site| site.ok_or(Failure::NotFound)).transpose()?,
            assignee: query.given("assigneeId").map(str::to_owned),
            view: match query.text("view") {
                BOARD => View::Board,
                _ => View::List,
            },
        })
    }

    /// How the items are shown.
    pub(super) const fn view(&self) -> View {
        self.view
    }

    /// The same filter in another view.
    pub(super) fn in_view(&self, view: View) -> Self {
        Self {
            view,
            ..self.clone()
        }
    }

    /// The same filter with one status alone, as a list.
    pub(super) fn of_status(&self, status: ActionStatus) -> Self {
        Self {
            statuses: [status].into(),
            ..self.in_view(View::List)
        }
    }

    /// The site that is chosen.
    pub(super) const fn site(&self) -> Option<&SiteId> {
        self.site.as_ref()
    }

    /// The member that is chosen; none for a text that is no id.
    pub(super) fn assignee(&self) -> Option<MemberId> {
        self.assignee.as_deref().and_then(MemberId::parse)
    }

    /// The same with what a search found, where nothing is chosen.
    pub(super) fn or(mut self, site: Option<SiteId>, assignee: Option<MemberId>) -> Self {
        self.site = self.site.or(site);
        let assignee = assignee.map(|member| member.to_string());
        self.assignee = self.assignee.or(assignee);
        self
    }

    /// Whether it is another one than that of the bare address.
    pub(super) fn is_narrowed(&self) -> bool {
        self.statuses != BTreeSet::from(UNRESOLVED)
            || !self.priorities.is_empty()
            || self.site.is_some()
            || self.assignee.is_some()
    }

    /// The query that spells it, with the cursor of a page.
    pub(super) fn query(&self, cursor: Option<&str>) -> String {
        let mut query = Serializer::new(String::new());
        if self.is_narrowed() {
            for status in &self.statuses {
                query.append_pair("status", status.as_str());
            }
        }
        for priority in &self.priorities {
            query.append_pair("priority", priority.as_str());
        }
        if let Some(site) = &self.site {
            query.append_pair("siteId", site.as_str());
        }
        if let Some(assignee) = &self.assignee {
            query.append_pair("assigneeId", assignee);
        }
        if self.view == View::Board {
            query.append_pair("view", BOARD);
        }
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
        query.finish()
    }

    /// The address of the list with this filter, from a cursor on.
    pub(super) fn path(&self, cursor: Option<&str>) -> String {
        self.address("/actions", cursor)
    }

    /// The address with this path and the filter.
    pub(super) fn address(&self, path: &str, cursor: Option<&str>) -> String {
        match self.query(cursor) {
            query if query.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// The filter that the store takes. A text that is no id of a member becomes the id of nobody.
    pub(super) fn to_stored(&self, variant: Variant, ids: &dyn IdSource) -> ActionFilter {
        let member = |text: &String| MemberId::parse(text).unwrap_or_else(|| MemberId::make(ids));
        ActionFilter {
            variant,
            statuses: self.statuses.clone(),
            priorities: self.priorities.clone(),
            site: self.site.clone(),
            assignee: self.assignee.as_ref().map(member),
        }
    }

    /// The statuses to choose from.
    pub(super) fn statuses(&self) -> Vec<Choice> {
        let all = ActionStatus::ALL.into_iter();
        all.map(|status| Choice {
            value: status.as_str().to_owned(),
            label: words::status(status).to_owned(),
            is_chosen: self.statuses.contains(&status),
        })
        .collect()
    }

    /// The priorities to choose from; none is chosen where all are shown.
    pub(super) fn priorities(&self) -> Vec<Choice> {
        let all = Priority::ALL.into_iter();
        all.map(|priority| Choice {
            value: priority.as_str().to_owned(),
            label: Mark::of_priority(priority).word.to_owned(),
            is_chosen: self.priorities.contains(&priority),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<ListFilter, Failure> {
        ListFilter::read(&Form::parse(query.as_bytes()))
    }

    #[test]
    fn the_bare_address_shows_what_is_open_and_in_progress() {
        let bare = read("").unwrap();
        assert_eq!(bare.statuses, BTreeSet::from(UNRESOLVED));
        assert!(!bare.is_narrowed());
        assert_eq!(bare.query(None), "");
        assert_eq!(bare.path(None), "/actions");
        assert_eq!(bare.path(Some("x")), "/actions?cursor=x");
        assert_eq!(read("status=open,in_progress").unwrap(), bare);
        assert_eq!(
            read("status=in_progress&status=open&siteId=").unwrap(),
            bare
        );
    }

    #[test]
    fn a_filter_comes_back_from_its_query() {
        for query in [
            "status=open&priority=critical&priority=low",
            "status=done&status=dismissed&assigneeId=a%26b&cursor=x",
            "status=open&view=board",
            "siteId=site_01JD2Y3Z4A5B6C7D8E9F0GHJKM&status=open&status=in_progress",
        ] {
            let filter = read(query).unwrap();
            assert!(filter.is_narrowed());
            assert_eq!(read(&filter.query(Some("x"))).unwrap(), filter, "{query}");
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        for query in ["status=closed", "priority=urgent", "status=open,"] {
            assert!(
                matches!(read(query), Err(Failure::BadRequest(_))),
                "{query}"
            );
        }
        assert_eq!(read("siteId=example.com"), Err(Failure::NotFound));
    }
}
