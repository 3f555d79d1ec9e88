//! The accessibility tree, as far as static markup shows: roles, exposure, focus, names.
//!
//! It follows WAI-ARIA 1.2, HTML-AAM and AccName 1.2 and applies the style sheets inside the page. It does
//! not see the effects of scripts and linked style sheets; results that these may change are marked as
//! uncertain.

pub mod attribute;
pub mod explicit;
mod exposure;
mod facts;
pub mod focus;
mod hiding;
mod implicit;
mod labels;
mod name;
mod native;
mod owned;
mod role;
mod support;

use std::cell::{Cell, RefCell};

pub use exposure::Exposure;
pub(crate) use facts::AccessFacts;
pub use implicit::input_type;
pub use name::Name;
pub(crate) use owned::{Owner, Owners};
pub use role::Role;

use crate::bounds::access::MAX_LOCATED;
use crate::dom::ElementRef;
use crate::outcome::{Evidence, Verdict};
use crate::page::ParsedPage;
use crate::style::Styles;

/// The accessibility tree of a page.
///
/// The page caches results for all its checks, so that visiting every element takes time linear in the
/// page's size. Each tree has its own budget for reading names and locating elements, so that a check's
/// results do not depend on other checks.
#[derive(Debug)]
pub struct AccessTree<'a> {
    page: &'a ParsedPage,
    styles: &'a Styles,
    facts: &'a AccessFacts,
    /// How many more nodes may be read for names.
    budget: Cell<usize>,
    /// A reused buffer for computing names.
    scratch: RefCell<String>,
    /// For how many more elements evidence may contain a selector.
    located: Cell<usize>,
}

impl<'a> AccessTree<'a> {
    pub(crate) fn new(page: &'a ParsedPage, styles: &'a Styles, facts: &'a AccessFacts) -> Self {
        Self {
            page,
            styles,
            facts,
            located: Cell::new(MAX_LOCATED),
            scratch: RefCell::default(),
            budget: Cell::new(page.dom().len().saturating_mul(8).saturating_add(100_000)),
        }
    }

    /// The page.
    #[must_use]
    pub const fn page(&self) -> &'a ParsedPage {
        self.page
    }

    /// The style sheets of the page.
    pub(crate) const fn styles(&self) -> &'a Styles {
        self.styles
    }

    /// The elements exposed to assistive technology, in document order.
    pub fn elements(&self) -> impl Iterator<Item = ElementRef<'a>> {
        self.page
            .elements()
            .filter(|element| self.is_exposed(*element))
    }

    /// A failure, or cannot tell if a class may hide the element.
    #[must_use]
    pub fn failure(&self, element: ElementRef<'a>, message: impl Into<String>) -> Verdict {
        if self.exposure(element).uncertain {
            return Verdict::CannotTell(
                "A class may hide the element; this cannot be determined in static mode.",
            );
        }
        Verdict::Fail(self.evidence(element).message(message))
    }

    /// Evidence that locates an element. Computing a selector takes time linear in the number of siblings,
    /// so elements beyond the first few hundred are located by line only.
    #[must_use]
    pub fn evidence(&self, element: ElementRef<'a>) -> Evidence {
        let left = self.located.get();
        self.located.set(left.saturating_sub(1));
        if left > 0 {
            Evidence::node(element)
        } else {
            Evidence {
                line: Some(element.line()),
                ..Evidence::here()
            }
        }
    }

    /// Passes if the element has an accessible name; otherwise fails with the message.
    #[must_use]
    pub fn named(&self, element: ElementRef<'a>, message: impl FnOnce() -> String) -> Verdict {
        let (empty, uncertain) =
            self.with_name(element, |name| (name.text.is_empty(), name.uncertain));
        if !empty {
            Verdict::Pass
        } else if uncertain {
            Verdict::CannotTell(
                "The name may come from a style sheet, or from a custom element that a script fills.",
            )
        } else {
            self.failure(element, message())
        }
    }
}
