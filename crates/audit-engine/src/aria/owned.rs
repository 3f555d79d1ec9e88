//! Ownership in the accessibility tree (WAI-ARIA 1.2, Required Owned Elements and Required Context
//! Role).

use std::collections::HashMap;

use super::explicit::has_global_aria;
use super::{AccessTree, Role};
use crate::bounds::access::{MAX_OWNED, MAX_OWNED_STEPS};
use crate::dom::{ElementRef, NodeId};
use crate::page::Traits;

const MENU_ITEMS: [&str; 3] = ["menuitem", "menuitemcheckbox", "menuitemradio"];

impl Role {
    /// The required owned roles of this role; empty if there are none.
    #[must_use]
    pub fn required_children(self) -> &'static [&'static str] {
        match self.name() {
            "feed" => &["article"],
            "grid" | "table" | "treegrid" => &["row"],
            "list" => &["listitem"],
            "listbox" => &["option"],
            "menu" | "menubar" => &MENU_ITEMS,
            "row" => &["cell", "columnheader", "gridcell", "rowheader"],
            "rowgroup" => &["row"],
            "tablist" => &["tab"],
            "tree" => &["treeitem"],
            _ => &[],
        }
    }

    /// The roles of groups that may contain the required children of this role.
    #[must_use]
    pub fn grouping_children(self) -> &'static [&'static str] {
        match self.name() {
            "grid" | "table" | "treegrid" => &["rowgroup"],
            "listbox" | "menu" | "menubar" | "tree" => &["group"],
            _ => &[],
        }
    }

    /// Roles that are allowed as siblings of the required children.
    #[must_use]
    pub fn allowed_beside(self) -> &'static [&'static str] {
        match self.name() {
            "grid" | "table" | "treegrid" => &["caption"],
            "menu" | "menubar" => &["separator"],
            _ => &[],
        }
    }

    /// The required context roles of this role; empty if there are none.
    #[must_use]
    pub fn required_parents(self) -> &'static [&'static str] {
        match self.name() {
            "cell" | "columnheader" | "gridcell" | "rowheader" => &["row"],
            "listitem" => &["list", "directory"],
            "menuitem" | "menuitemcheckbox" | "menuitemradio" => &["menu", "menubar"],
            "option" => &["listbox"],
            "row" => &["grid", "rowgroup", "table", "treegrid"],
            "rowgroup" => &["grid", "table", "treegrid"],
            "tab" => &["tablist"],
            "treeitem" => &["tree"],
            _ => &[],
        }
    }

    /// Whether an element of this role may be inside a `group` that has the required parent.
    #[must_use]
    pub fn may_be_grouped(self) -> bool {
        self.is_any(&MENU_ITEMS) || self.is_any(&["option", "treeitem"])
    }
}

/// Which element owns an element elsewhere in the document by `aria-owns`.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    known: HashMap<NodeId, NodeId>,
    /// Whether the page has more owners than the limit.
    is_cut: bool,
}

impl Owners {
    /// Reads the page's `aria-owns` attributes. The first element that references another owns it.
    pub(crate) fn new(tree: &AccessTree<'_>) -> Self {
        let mut owners = Self::default();
        let mut left = MAX_OWNED;
        for owner in tree.page().elements_with(Traits::ARIA) {
            if !owner.has_attr("aria-owns") {
                continue;
            }
            let ids = owner.attr("aria-owns").unwrap_or_default();
            for id in ids.split_ascii_whitespace() {
                if left == 0 {
                    tree.facts.cut_names();
                    owners.is_cut = true;
                    return owners;
                }
                left -= 1;
                let Some(owned) = tree.page().referenced(owner, id) else {
                    continue;
                };
                // An element cannot own itself or an ancestor.
                let is_loop = owned == owner || owner.ancestors().any(|up| up == owned);
                if !is_loop {
                    let known = owners.known.entry(owned.id());
                    known.or_insert_with(|| owner.id());
                }
            }
        }
        owners
    }
}

/// The next relevant element on a path through the tree.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Owner<'a> {
    /// An element with a role.
    Role(ElementRef<'a>, Role),
    /// An element without a role that is in the accessibility tree, because it has a global ARIA attribute.
    Generic,
    /// A custom element. A script decides what it renders.
    Custom,
    /// No element.
    Nothing,
}

impl<'a> AccessTree<'a> {
    /// The role that makes the element more than a generic box: `None` for presentational elements
    /// and for list items outside a list.
    fn structural_role(&self, element: ElementRef<'a>) -> Option<Role> {
        let role = self.role(element).filter(|role| !role.is("none"))?;
        let is_own = element.has_attr("role");
        let in_list = |parent| self.has_role(parent, "list");
        if !is_own && role.is("listitem") && !element.parent().is_some_and(in_list) {
            return None;
        }
        Some(role)
    }

    /// The nearest element with a role that owns this one, by `aria-owns` or as an ancestor.
    pub(crate) fn owner(&self, element: ElementRef<'a>, owners: &Owners) -> Owner<'a> {
        let mut current = element;
        for _ in 0..MAX_OWNED_STEPS {
            if owners.is_cut || !self.spend() {
                break;
            }
            let stated = owners.known.get(&current.id()).copied();
            let next = match stated.and_then(|id| self.page().element(id)) {
                Some(owner) => Some(owner),
                None => current.parent(),
            };
            let Some(up) = next else {
                return Owner::Nothing;
            };
            if is_custom(up) {
                return Owner::Custom;
            }
            if let Some(role) = self.structural_role(up) {
                return Owner::Role(up, role);
            }
            if self.is_included(up) {
                return Owner::Generic;
            }
            current = up;
        }
        Owner::Custom
    }

    /// The nearest elements with a role that this one owns; generic elements are skipped. Hidden
    /// elements are left out.
    pub(crate) fn owned(&self, element: ElementRef<'a>, owners: &Owners) -> Vec<Owner<'a>> {
        let dom = element.dom();
        let mut found = Vec::new();
        let mut left = MAX_OWNED_STEPS;
        if owners.is_cut {
            return vec![Owner::Custom];
        }
        let roots = std::iter::once(element).chain(
            self.referents(element, "aria-owns")
                .filter(|owned| owners.known.get(&owned.id()) == Some(&element.id())),
        );
        for root in roots {
            let is_self = root == element;
            if !is_self && let Some(met) = self.met(root) {
                found.extend(met);
                continue;
            }
            let mut walk = dom.descendants(root.id());
            while let Some(id) = walk.next() {
                let Some(inner) = dom.element(id) else {
                    continue;
                };
                left -= 1;
                if left == 0 || !self.spend() {
                    found.push(Owner::Custom);
                    return found;
                }
                let elsewhere = owners
                    .known
                    .get(&id)
                    .is_some_and(|owner| *owner != element.id());
                if elsewhere || (is_self && owners.known.contains_key(&id)) {
                    walk.skip_children(id);
                } else if let Some(met) = self.met(inner) {
                    found.extend(met);
                    walk.skip_children(id);
                }
            }
        }
        found
    }

    /// How an element counts as an owned element: `None` if it is generic, so that its children count
    /// instead, and `Some(None)` if it is hidden.
    fn met(&self, element: ElementRef<'a>) -> Option<Option<Owner<'a>>> {
        if !self.is_exposed(element) {
            return Some(None);
        }
        if is_custom(element) || element.is("slot") {
            return Some(Some(Owner::Custom));
        }
        match self.structural_role(element) {
            Some(role) => Some(Some(Owner::Role(element, role))),
            None if self.is_included(element) => Some(Some(Owner::Generic)),
            None => None,
        }
    }

    /// Whether a plain box is in the accessibility tree because of a global ARIA attribute, so that it is between an
    /// owner and what it contains.
    fn is_included(&self, element: ElementRef<'a>) -> bool {
        matches!(element.name(), "div" | "span")
            && self.page().traits(element).has(Traits::ARIA)
            && self.role(element).is_none()
            && has_global_aria(element)
    }
}

/// Whether the element is a custom element.
fn is_custom(element: ElementRef<'_>) -> bool {
    element.is_html() && element.name().contains('-')
}
