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
use crate::page::{ParsedPage, Traits};
use crate::style::{Styles, Width, Widths};

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
    /// The only window width that is looked at; none for all of them.
    width: Option<Width>,
}

impl<'a> AccessTree<'a> {
    pub(crate) fn new(page: &'a ParsedPage, styles: &'a Styles, facts: &'a AccessFacts) -> Self {
        Self {
            page,
            styles,
            facts,
            located: Cell::new(MAX_LOCATED),
            width: None,
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

    /// The tree in each window width, with the width; one tree with all widths if there are no differences.
    pub(crate) fn in_widths(&self) -> Vec<(Widths, Self)> {
        if !self.facts.varies() {
            return vec![(Widths::ALL, self.within(None))];
        }
        let one = |width| (Widths::NONE.with(width), self.within(Some(width)));
        Width::ALL.map(one).into()
    }

    /// The tree in windows of this width.
    fn within(&self, width: Option<Width>) -> Self {
        Self {
            page: self.page,
            styles: self.styles,
            facts: self.facts,
            budget: Cell::new(self.budget.get()),
            scratch: RefCell::default(),
            located: Cell::new(self.located.get()),
            width,
        }
    }

    /// A failure, or cannot tell if a class may hide the element. The message names the window widths in which the
    /// element is visible, unless it is in all of them.
    #[must_use]
    pub fn failure(&self, element: ElementRef<'a>, message: impl Into<String>) -> Verdict {
        let widths = match self.width {
            Some(width) => Widths::NONE.with(width),
            None => self.visible_widths(element),
        };
        self.failure_in(widths, element, message.into())
    }

    /// As [`Self::failure`], for these widths.
    pub(crate) fn failure_in(
        &self,
        widths: Widths,
        element: ElementRef<'a>,
        mut message: String,
    ) -> Verdict {
        if self.exposure(element).uncertain {
            return Verdict::CannotTell(
                "A class may hide the element; this cannot be determined in static mode.",
            );
        }
        if !widths.is_empty() && widths != Widths::ALL {
            message.push_str(&format!(" This is so in windows {widths} pixels wide."));
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
            match self.nameless_widths(element) {
                Widths::NONE => Verdict::Pass,
                widths => self.failure_in(widths, element, message()),
            }
        } else if uncertain {
            Verdict::CannotTell(
                "The name may come from a style sheet, or from a custom element that a script fills.",
            )
        } else {
            self.failure(element, message())
        }
    }

    /// The window widths in which the element is visible and has no name because everything that names it is
    /// hidden.
    fn nameless_widths(&self, element: ElementRef<'a>) -> Widths {
        const NAMED_FROM_ELSEWHERE: Traits = Traits::ARIA.or(Traits::FIELD);
        let may_differ = self.facts.varies()
            && self.width.is_none()
            && (self.facts.exposure(element.id()).varies_below()
                || self.page.traits(element).has(NAMED_FROM_ELSEWHERE));
        if !may_differ {
            return Widths::NONE;
        }
        let visible = self.visible_widths(element);
        Widths::having(|width| {
            visible.has(width) && {
                let tree = self.within(Some(width));
                let name = tree.name(element);
                self.budget.set(tree.budget.get());
                name.text.is_empty() && !name.uncertain
            }
        })
    }
}
