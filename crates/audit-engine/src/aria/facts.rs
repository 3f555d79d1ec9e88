//! What is known of a page as assistive technology meets it, whoever asks.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::explicit::{KnownRoles, role_of};
use super::exposure::{PackedExposure, exposures};
use super::hiding::Hiding;
use super::labels::Labels;
use super::name::NameRef;
use super::{Exposure, Role};
use crate::bounds::access::MAX_KEPT_NAME_BYTES;
use crate::dom::NodeId;
use crate::page::ParsedPage;
use crate::style::Styles;

/// Exposure and role of every element, and the labels and names found so far.
///
/// A page keeps one for all its checks. What is asked of an element that is no part of the
/// document, such as one inside a template, is answered as for one without any markup of its own.
#[derive(Debug)]
pub(crate) struct AccessFacts {
    elements: Vec<ElementFacts>,
    labels: OnceLock<Labels>,
    names: Mutex<Names>,
    /// Whether reading names and owners ended before it was done.
    are_names_cut: AtomicBool,
}

/// Small, since large pages have a hundred thousand elements.
#[derive(Debug, Clone, Copy, Default)]
struct ElementFacts {
    own: PackedExposure,
    exposure: PackedExposure,
    role: Option<Role>,
}

const _: () = assert!(size_of::<ElementFacts>() == 4);

/// The names found so far, each at the place, counted from 1, that its element's slot tells.
#[derive(Debug, Default)]
struct Names {
    slots: Vec<Option<NonZeroU32>>,
    found: Vec<FoundName>,
    /// Their texts, one behind the other.
    texts: String,
}

/// A name, and how many nodes were read for it.
#[derive(Debug, Clone, Copy)]
struct FoundName {
    /// Where the text begins among the texts, and where it ends.
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

    /// Remembers a name, unless there is no room for it.
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
    pub(crate) fn of(page: &ParsedPage, styles: &Styles) -> Self {
        let mut hiding = Hiding::of(page, styles);
        let mut roles = KnownRoles::of(page.dom());
        let mut elements = vec![ElementFacts::default(); page.dom().len()];
        // In document order, so that an element's parent is known before it.
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
        }
        Self {
            elements,
            labels: OnceLock::new(),
            names: Mutex::default(),
            are_names_cut: AtomicBool::new(false),
        }
    }

    /// Notes that a check's names and owners were not read to their end.
    pub(super) fn cut_names(&self) {
        self.are_names_cut.store(true, Ordering::Relaxed);
    }

    /// Whether the names and owners that a check asked for were not read to their end.
    pub(crate) fn are_names_cut(&self) -> bool {
        self.are_names_cut.load(Ordering::Relaxed)
    }

    pub(super) fn own_exposure(&self, id: NodeId) -> Exposure {
        self.facts(id).own.exposure()
    }

    pub(super) fn exposure(&self, id: NodeId) -> Exposure {
        self.facts(id).exposure.exposure()
    }

    pub(super) fn role(&self, id: NodeId) -> Option<Role> {
        self.facts(id).role
    }

    pub(super) fn labels(&self, page: &ParsedPage) -> &Labels {
        self.labels.get_or_init(|| Labels::of(page))
    }

    /// What `read` makes of the name of an element, with how many nodes were read for it, if it was found
    /// before and that was at most `budget`.
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

    /// Remembers the name of an element, and how many nodes were read for it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::Limit;
    use crate::view::Page;

    /// Links that are all named by one long text.
    fn page(links: usize) -> Page {
        let text = "n".repeat(2_000);
        let links = "<a href=/l aria-labelledby=x></a>".repeat(links);
        Page::builder().html(&format!("<p id=x>{text}</p>{links}"))
    }

    #[test]
    fn names_without_room_are_read_again() {
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
    fn names_cost_what_they_are_long() {
        let page = page(5_000);
        let tree = page.access_tree();
        let names = page.html("a").map(|link| tree.name(link));
        assert!(names.filter(|name| name.uncertain).count() > 1_000);
        assert_eq!(page.limits_reached(), [Limit::AccessibleNames]);
    }
}
