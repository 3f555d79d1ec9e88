//! The role of an element: the explicit role if it is valid, otherwise the implicit one.

use super::attribute::AriaAttribute;
use super::focus::is_focusable;
use super::implicit::{Kind, implicit_role};
use super::{AccessTree, Role};
use crate::dom::{Dom, ElementRef};
use crate::page::{ParsedPage, Traits};

/// The first valid role of the `role` attribute, before presentational role conflicts are resolved.
#[must_use]
pub fn explicit_role(element: ElementRef<'_>) -> Option<Role> {
    element
        .attr("role")?
        .split_ascii_whitespace()
        .find_map(Role::named)
}

/// Whether the element has a global state or property with a value.
#[must_use]
pub fn has_global_aria(element: ElementRef<'_>) -> bool {
    element.attrs().any(|attribute| {
        attribute.name != "aria-hidden"
            && !attribute.value.trim().is_empty()
            && AriaAttribute::named(attribute.name).is_some_and(|known| known.global)
    })
}

/// Whether browsers ignore that the element is marked as decorative, because it is focusable or has a
/// global state or property (WAI-ARIA, presentational roles conflict resolution).
#[must_use]
pub fn contradicts_decoration(element: ElementRef<'_>) -> bool {
    has_global_aria(element) || is_focusable(element)
}

/// The implicit roles of a page's elements, with one lookup for each name.
#[derive(Debug)]
pub(super) struct KnownRoles {
    /// What each element name of the document implies, in the order of [`Dom::names`], with the role if all
    /// elements of that name have the same one.
    kinds: Vec<(Kind, Option<Role>)>,
    /// Roles by their names in the engine's own tables.
    named: Vec<(&'static str, Option<Role>)>,
}

impl KnownRoles {
    pub(super) fn new(dom: &Dom) -> Self {
        let kinds = dom.names().map(Kind::from_name);
        Self {
            kinds: kinds
                .map(|kind| match kind {
                    Kind::Always(Some(role)) => (kind, Role::named(role)),
                    kind => (kind, None),
                })
                .collect(),
            named: Vec::new(),
        }
    }

    fn implicit(&mut self, page: &ParsedPage, element: ElementRef<'_>) -> Option<Role> {
        let known = self.kinds.get(element.name_place()).copied();
        match known.filter(|_| element.is_html()) {
            Some((Kind::Always(_), role)) => role,
            Some((kind, _)) => self.named(kind.role(page, element)?),
            None => implicit_role(page, element),
        }
    }

    fn named(&mut self, name: &'static str) -> Option<Role> {
        // The names are static strings, so comparing their addresses is enough.
        let known = self.named.iter();
        if let Some((_, role)) = known.clone().find(|(known, _)| std::ptr::eq(*known, name)) {
            return *role;
        }
        let role = Role::named(name);
        self.named.push((name, role));
        role
    }
}

/// The role of an element of the page.
pub(super) fn role_of(
    page: &ParsedPage,
    roles: &mut KnownRoles,
    element: ElementRef<'_>,
) -> Option<Role> {
    let explicit = if page.traits(element).has(Traits::ROLE) {
        explicit_role(element).filter(|role| !role.is("generic"))
    } else {
        None
    };
    if let Some(role) = explicit
        && !(role.is("none") && contradicts_decoration(element))
    {
        return Some(role);
    }
    let implicit = roles.implicit(page, element)?;
    // An image with an empty alt is decorative unless something contradicts that.
    if implicit.is("none") && contradicts_decoration(element) {
        return Role::named("img");
    }
    Some(implicit)
}

impl AccessTree<'_> {
    /// The implicit role of the element.
    #[must_use]
    pub fn implicit_role(&self, element: ElementRef<'_>) -> Option<Role> {
        implicit_role(self.page(), element)
    }

    /// The role of the element; `None` if it has no role or only `generic`.
    #[must_use]
    pub fn role(&self, element: ElementRef<'_>) -> Option<Role> {
        self.facts.role(element.id())
    }

    /// Whether the element has this role.
    #[must_use]
    pub fn has_role(&self, element: ElementRef<'_>, name: &str) -> bool {
        self.role(element).is_some_and(|role| role.is(name))
    }
}

#[cfg(test)]
mod tests {
    use crate::view::Page;

    #[track_caller]
    fn assert_role(html: &str, expected: &str) {
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        let role = tree.role(page.by_id("t").unwrap());
        assert_eq!(role.map_or("", |role| role.name()), expected, "{html}");
    }

    #[test]
    fn the_first_valid_token_of_the_role_attribute_is_used() {
        assert_role("<p id=t role='lnik Button link'>x", "button");
        assert_role("<h2 id=t role=foo>x", "heading");
    }

    #[test]
    fn html_and_svg_elements_of_the_same_name_have_different_roles() {
        let html = "<a href=x>x</a><main>x</main><svg><a id=t href=x></a><main></svg>";
        assert_role(html, "link");
        assert_role("<a href=x>x</a><svg><a id=t></a></svg>", "");
        assert_role("<svg><a></a></svg><a id=t href=x>x</a>", "link");
        assert_role("<header>x</header><svg><header id=t></header></svg>", "");
    }

    #[test]
    fn an_anchor_without_href_has_no_link_role() {
        assert_role("<a id=t name=x>x</a>", "");
        assert_role("<a id=t href=x>x</a>", "link");
    }

    #[test]
    fn decorative_elements_keep_their_role_if_focusable_or_named() {
        assert_role("<button id=t role=none>x</button>", "button");
        assert_role("<button id=t role=none disabled>x</button>", "none");
        assert_role("<img id=t alt='' src=x>", "none");
        assert_role("<img id=t alt='' aria-label=x src=x>", "img");
        assert_role("<img id=t role=presentation tabindex=0 src=x>", "img");
        assert_role("<img id=t role=presentation aria-label='' src=x>", "none");
    }

    #[test]
    fn inputs_and_selects_have_the_role_of_their_type() {
        assert_role("<input id=t>", "textbox");
        assert_role("<input id=t type=PASSWORD>", "");
        assert_role("<input id=t list=l><datalist id=l></datalist>", "combobox");
        assert_role("<input id=t list=l>", "textbox");
        assert_role("<select id=t></select>", "combobox");
        assert_role("<select id=t multiple></select>", "listbox");
    }

    #[test]
    fn children_of_a_presentational_list_or_table_have_no_role() {
        assert_role("<ul role=none><li id=t>x</ul>", "");
        assert_role("<ul><li id=t>x</ul>", "listitem");
        assert_role("<table role=presentation><tr><td id=t>x</table>", "");
        assert_role("<table role=grid><tr><td id=t>x</table>", "gridcell");
    }

    #[test]
    fn a_header_inside_an_article_is_not_a_banner() {
        assert_role("<article><header id=t>x</header></article>", "");
        assert_role("<div><header id=t>x</header></div>", "banner");
    }

    #[test]
    fn a_section_without_a_name_is_not_a_region() {
        assert_role("<section id=t>x</section>", "");
        assert_role("<section id=t aria-label=x>x</section>", "region");
    }
}
