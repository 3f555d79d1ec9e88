//! A page's accessibility facts, shared by all checks.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Role;
use super::explicit::{KnownRoles, role_of};
use super::exposure::{PackedExposure, exposures};
use super::hiding::Hiding;
use super::labels::Labels;
use super::name::NameRef;
use crate::bounds::access::MAX_KEPT_NAME_BYTES;
use crate::dom::NodeId;
use crate::page::ParsedPage;
use crate::style::{LinkedScripts, Styles};

/// The exposure and role of every element, and the labels and names computed so far.
///
/// A page keeps one instance for all its checks. An element that is not part of the document, such as
/// one inside a template, is treated as an element without markup of its own.
#[derive(Debug)]
pub(crate) struct AccessFacts {
    elements: Vec<ElementFacts>,
    /// Whether the visibility of any element differs between window widths.
    varies: bool,
    labels: OnceLock<Labels>,
    names: Mutex<Names>,
    /// Whether computing names and owners stopped at a limit.
    are_names_cut: AtomicBool,
}

/// Kept small, because large pages have a hundred thousand elements.
#[derive(Debug, Clone, Copy, Default)]
struct ElementFacts {
    own: PackedExposure,
    exposure: PackedExposure,
    role: Option<Role>,
}

const _: () = assert!(size_of::<ElementFacts>() == 6);

/// The names computed so far. An element's slot stores the index of its name, counted from 1.
#[derive(Debug, Default)]
struct Names {
    slots: Vec<Option<NonZeroU32>>,
    found: Vec<FoundName>,
    /// The texts of all names, concatenated.
    texts: String,
}

/// A computed name, and how many nodes were read for it.
#[derive(Debug, Clone, Copy)]
struct FoundName {
    /// The start and end of the name in `texts`.
    text: (u32, u32),
    uncertain: bool,
    cost: u32,
}

impl Names {
    fn get(&self, id: NodeId) -> Option<(NameRef<'_>, usize)> {
        let place = |at| usize::try_from(at).ok();
        let slot = (*self.slots.get(id.index())?)?;
        let found = self.found.get(place(slot.get())?.checked_sub(1)?)?;
        let name = NameRef {
            text: self.texts.get(place(found.text.0)?..place(found.text.1)?)?,
            uncertain: found.uncertain,
        };
        Some((name, place(found.cost)?))
    }

    /// Caches a name, unless there is no room for it.
    fn push(&mut self, name: NameRef<'_>, cost: usize) -> Option<NonZeroU32> {
        if self.texts.len() + name.text.len() > MAX_KEPT_NAME_BYTES {
            return None;
        }
        let start = u32::try_from(self.texts.len()).ok()?;
        let end = u32::try_from(self.texts.len() + name.text.len()).ok()?;
        let found = FoundName {
            text: (start, end),
            uncertain: name.uncertain,
            cost: u32::try_from(cost).ok()?,
        };
        self.texts.push_str(name.text);
        self.found.push(found);
        NonZeroU32::new(u32::try_from(self.found.len()).ok()?)
    }
}

impl AccessFacts {
    pub(crate) fn new(page: &ParsedPage, styles: &Styles, scripts: LinkedScripts) -> Self {
        let mut hiding = Hiding::new(page, styles, scripts);
        let mut varies = false;
        let mut roles = KnownRoles::new(page.dom());
        let mut elements = vec![ElementFacts::default(); page.dom().len()];
        // In document order, so that a parent's exposure is known before its children's.
        for element in page.elements() {
            let id = element.id();
            let parent = page.dom().parent(id);
            let above = parent.and_then(|up| elements.get(up.index()));
            let above = above.copied().unwrap_or_default().exposure;
            let (own, exposure) = exposures(page, &mut hiding, element, above);
            if let Some(facts) = elements.get_mut(id.index()) {
                *facts = ElementFacts {
                    own,
                    exposure,
                    role: role_of(page, &mut roles, element),
                };
            }
            if own.varies() {
                varies = true;
                mark_ancestors(page, &mut elements, id);
            }
        }
        Self {
            elements,
            varies,
            labels: OnceLock::new(),
            names: Mutex::default(),
            are_names_cut: AtomicBool::new(false),
        }
    }

    /// Records that a check could not compute all names and owners.
    pub(super) fn cut_names(&self) {
        self.are_names_cut.store(true, Ordering::Relaxed);
    }

    /// Whether a check could not compute all names and owners it needed.
    pub(crate) fn are_names_cut(&self) -> bool {
        self.are_names_cut.load(Ordering::Relaxed)
    }

    pub(super) fn own_exposure(&self, id: NodeId) -> PackedExposure {
        self.facts(id).own
    }

    pub(super) fn exposure(&self, id: NodeId) -> PackedExposure {
        self.facts(id).exposure
    }

    /// Whether the visibility of any element differs between window widths.
    pub(super) const fn varies(&self) -> bool {
        self.varies
    }

    pub(super) fn role(&self, id: NodeId) -> Option<Role> {
        self.facts(id).role
    }

    pub(super) fn labels(&self, page: &ParsedPage) -> &Labels {
        self.labels.get_or_init(|| Labels::new(page))
    }

    /// Passes a cached name to `read`, with how many nodes were read for it, if the name is cached and
    /// its cost is at most `budget`.
    pub(super) fn with_name<T>(
        &self,
        id: NodeId,
        budget: usize,
        read: impl FnOnce(NameRef<'_>) -> T,
    ) -> Option<(T, usize)> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let (name, cost) = names.get(id)?;
        (cost <= budget).then(|| (read(name), cost))
    }

    /// Caches the name of an element, and how many nodes were read for it.
    pub(super) fn keep_name(&self, id: NodeId, name: NameRef<'_>, cost: usize) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.slots.is_empty() {
            names.slots.resize(self.elements.len(), None);
        }
        let place = names.push(name, cost);
        if let Some(slot) = names.slots.get_mut(id.index()) {
            *slot = place;
        }
    }

    fn facts(&self, id: NodeId) -> ElementFacts {
        self.elements.get(id.index()).copied().unwrap_or_default()
    }
}

/// Marks the ancestors of an element whose visibility differs between window widths, up to one that is marked.
fn mark_ancestors(page: &ParsedPage, elements: &mut [ElementFacts], id: NodeId) {
    let mut current = page.dom().parent(id);
    while let Some(ancestor) = current {
        let Some(facts) = elements.get_mut(ancestor.index()) else {
            break;
        };
        if facts.exposure.varies_below() {
            break;
        }
        facts.exposure.set_varies_below();
        current = page.dom().parent(ancestor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limit;
    use crate::view::Page;

    /// A page of links that all have the same long name.
    fn page(links: usize) -> Page {
        let text = "n".repeat(2_000);
        let links = "<a href=/l aria-labelledby=x></a>".repeat(links);
        Page::builder().html(&format!("<p id=x>{text}</p>{links}"))
    }

    #[test]
    fn names_that_do_not_fit_the_cache_are_computed_again() {
        let page = page(5_000);
        for _ in 0..2 {
            for link in page.html("a") {
                assert_eq!(page.access_tree().name(link).text.len(), 2_000);
            }
        }
        let facts = page.access_tree().facts;
        let kept = facts.names.lock().unwrap().texts.len();
        assert!(kept <= MAX_KEPT_NAME_BYTES, "{kept}");
        assert!(kept > MAX_KEPT_NAME_BYTES / 2, "{kept}");
        assert_eq!(page.limits_reached(), []);
    }

    #[test]
    fn the_cost_of_a_name_grows_with_its_length() {
        let page = page(5_000);
        let tree = page.access_tree();
        let names = page.html("a").map(|link| tree.name(link));
        assert!(names.filter(|name| name.uncertain).count() > 1_000);
        assert_eq!(page.limits_reached(), [Limit::AccessibleNames]);
    }
}
