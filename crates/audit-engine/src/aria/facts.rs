//! What is known of a page as assistive technology meets it, whoever asks.

use std::num::NonZeroU32;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::explicit::{KnownRoles, role_of};
use super::exposure::{Place, exposures};
use super::hiding::Hiding;
use super::labels::Labels;
use super::{Exposure, Name, Role};
use crate::dom::NodeId;
use crate::page::Page;

/// Exposure and role of every element, and the labels and names found so far.
///
/// A page keeps one for all its checks. What is asked of an element that is no part of the
/// document, such as one inside a template, is answered as for one without any markup of its own.
#[derive(Debug)]
pub(crate) struct AccessFacts {
    elements: Vec<ElementFacts>,
    labels: OnceLock<Labels>,
    names: Mutex<Names>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ElementFacts {
    own: Exposure,
    exposure: Exposure,
    place: Place,
    role: Option<Role>,
}

/// A name, and how many nodes were read for it.
#[derive(Debug, Clone)]
pub(super) struct ReadName {
    pub(super) name: Name,
    pub(super) cost: usize,
}

/// The names found so far, each at the place, counted from 1, that its element's slot tells.
#[derive(Debug, Default)]
struct Names {
    slots: Vec<Option<NonZeroU32>>,
    found: Vec<ReadName>,
}

impl AccessFacts {
    pub(crate) fn of(page: &Page) -> Self {
        let mut hiding = Hiding::of(page);
        let mut roles = KnownRoles::default();
        let mut elements = vec![ElementFacts::default(); page.dom().len()];
        // In document order, so that an element's parent is known before it.
        for element in page.elements() {
            let parent = element
                .parent()
                .and_then(|up| elements.get(up.id().index()));
            let above = parent.copied().unwrap_or_default();
            let (own, exposure, place) =
                exposures(page, &mut hiding, element, above.exposure, above.place);
            if let Some(facts) = elements.get_mut(element.id().index()) {
                *facts = ElementFacts {
                    own,
                    exposure,
                    place,
                    role: role_of(page, &mut roles, element),
                };
            }
        }
        Self {
            elements,
            labels: OnceLock::new(),
            names: Mutex::default(),
        }
    }

    pub(super) fn own_exposure(&self, id: NodeId) -> Exposure {
        self.facts(id).own
    }

    pub(super) fn exposure(&self, id: NodeId) -> Exposure {
        self.facts(id).exposure
    }

    pub(super) fn role(&self, id: NodeId) -> Option<Role> {
        self.facts(id).role
    }

    pub(super) fn labels(&self, page: &Page) -> &Labels {
        self.labels.get_or_init(|| Labels::of(page))
    }

    /// What `read` makes of the name of an element, if that was found before and cost at most
    /// `budget`.
    pub(super) fn with_name<T>(
        &self,
        id: NodeId,
        budget: usize,
        read: impl FnOnce(&ReadName) -> T,
    ) -> Option<T> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = (*names.slots.get(id.index())?)?;
        let place = usize::try_from(slot.get()).ok()?.checked_sub(1)?;
        let found = names.found.get(place)?;
        (found.cost <= budget).then(|| read(found))
    }

    /// Remembers the name of an element.
    pub(super) fn keep_name(&self, id: NodeId, name: ReadName) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.slots.is_empty() {
            names.slots.resize(self.elements.len(), None);
        }
        names.found.push(name);
        let place = u32::try_from(names.found.len()).ok();
        if let Some(slot) = names.slots.get_mut(id.index()) {
            *slot = place.and_then(NonZeroU32::new);
        }
    }

    fn facts(&self, id: NodeId) -> ElementFacts {
        self.elements.get(id.index()).copied().unwrap_or_default()
    }
}
