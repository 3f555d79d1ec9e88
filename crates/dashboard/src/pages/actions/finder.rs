//! Choosing a site or a member of many: the first ones, and a search for the others.

use domain::action::ActionItem;
use domain::id::{MemberId, SiteId};
use domain::org::Member;
use domain::ports::NamedSite;

use super::filter::{Choice, ListFilter};
use crate::failure::Failure;
use crate::form::Form;
use crate::visit::Visit;

/// Sites or members that a list offers at most, beside the one that is chosen.
pub(super) const OFFERED: usize = 20;
/// The most characters of a text that is searched for.
const MAX_CHARS: usize = 200;

/// What is offered.
pub(super) struct Finder {
    pub(super) choices: Vec<Choice>,
    /// What is searched for; empty for the first ones.
    pub(super) text: String,
    /// Whether there are more than are offered.
    pub(super) has_more: bool,
}

impl Finder {
    /// Whether there is something to search in.
    pub(super) fn is_searchable(&self) -> bool {
        self.has_more || !self.text.is_empty()
    }
}

/// The sites that the filter offers, and the one that a search has found alone.
pub(super) fn sites(
    visit: &Visit,
    query: &Form,
    filter: &ListFilter,
) -> Result<(Finder, Option<SiteId>), Failure> {
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let text = searched(query, "findSite");
    let found = stores.find_sites(org, &text, limit())?;
    let alone = alone(&text, &found).map(|site| site.id.clone());
    let chosen = filter.site().or(alone.as_ref());
    let (mut offered, has_more) = first(found);
    if let Some(id) = chosen.filter(|id| !offered.iter().any(|site| site.id == **id)) {
        offered.extend(stores.names_of_sites(org, std::slice::from_ref(id))?);
    }
    let choice = |site: NamedSite| Choice {
        is_chosen: chosen == Some(&site.id),
        value: site.id.to_string(),
        label: site.name,
    };
    let finder = Finder {
        choices: offered.into_iter().map(choice).collect(),
        text,
        has_more,
    };
    Ok((finder, alone))
}

/// The members that the filter offers, and the one that a search has found alone.
pub(super) fn members(
    visit: &Visit,
    query: &Form,
    filter: &ListFilter,
) -> Result<(Finder, Option<MemberId>), Failure> {
    let stores = &visit.state.stores;
    let text = searched(query, "findMember");
    let found = stores.find_members(visit.org()?, &text, limit())?;
    let alone = alone(&text, &found).map(|member| member.id.clone());
    let chosen = filter.assignee().or_else(|| alone.clone());
    let (offered, has_more) = offered_members(visit, found, chosen.as_ref())?;
    let finder = Finder {
        choices: member_choices(&offered, chosen.as_ref()),
        text,
        has_more,
    };
    Ok((finder, alone))
}

/// The members that the form of an item offers.
pub(super) fn assignees(
    visit: &Visit,
    query: &Form,
    item: &ActionItem,
) -> Result<(Vec<Member>, String, bool), Failure> {
    let text = searched(query, "findMember");
    let found = (visit.state.stores).find_members(visit.org()?, &text, limit())?;
    let (offered, has_more) = offered_members(visit, found, item.assignee.as_ref())?;
    Ok((offered, text, has_more))
}

/// The first of some members and the one that is chosen, and whether there are more.
fn offered_members(
    visit: &Visit,
    found: Vec<Member>,
    chosen: Option<&MemberId>,
) -> Result<(Vec<Member>, bool), Failure> {
    let (mut offered, has_more) = first(found);
    if let Some(id) = chosen.filter(|id| !offered.iter().any(|member| member.id == **id)) {
        let stores = &visit.state.stores;
        offered.extend(stores.members_of(visit.org()?, std::slice::from_ref(id))?);
    }
    Ok((offered, has_more))
}

fn member_choices(members: &[Member], chosen: Option<&MemberId>) -> Vec<Choice> {
    let members = members.iter().map(|member| Choice {
        value: member.id.to_string(),
        label: member.name.clone(),
        is_chosen: chosen == Some(&member.id),
    });
    members.collect()
}

/// The text that a field of the query searches for.
fn searched(query: &Form, field: &str) -> String {
    query.text(field).chars().take(MAX_CHARS).collect()
}

/// One more than is offered shows whether there are more.
fn limit() -> u32 {
    u32::try_from(OFFERED + 1).unwrap_or(u32::MAX)
}

/// What a search has found alone.
fn alone<'a, T>(text: &str, found: &'a [T]) -> Option<&'a T> {
    match found {
        [only] if !text.is_empty() => Some(only),
        _ => None,
    }
}

fn first<T>(mut found: Vec<T>) -> (Vec<T>, bool) {
    let has_more = found.len() > OFFERED;
    found.truncate(OFFERED);
    (found, has_more)
}
