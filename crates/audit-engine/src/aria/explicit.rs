//! The role an element is exposed with: the author's where it is valid, else that of its kind.

use super::attribute::AriaAttribute;
use super::focus::is_focusable;
use super::implicit::{Kind, implicit_role};
use super::{AccessTree, Role};
use crate::dom::{Dom, ElementRef};
use crate::page::{ParsedPage, Traits};

/// The first valid role of the `role` attribute, conflicts not resolved.
#[must_use]
pub fn explicit_role(element: ElementRef<'_>) -> Option<Role> {
    element
        .attr("role")?
        .split_ascii_whitespace()
        .find_map(Role::named)
}

/// Whether the element has a state or property that every element may have, with a value.
#[must_use]
pub fn has_global_aria(element: ElementRef<'_>) -> bool {
    element.attrs().any(|attribute| {
        attribute.name != "aria-hidden"
            && !attribute.value.trim().is_empty()
            && AriaAttribute::named(attribute.name).is_some_and(|known| known.global)
    })
}

/// Whether a browser ignores that the element is marked as decoration, since it takes focus or
/// has a global state or property (WAI-ARIA, presentational roles conflict resolution).
#[must_use]
pub fn contradicts_decoration(element: ElementRef<'_>) -> bool {
    has_global_aria(element) || is_focusable(element)
}

/// The roles that elements of a page have by their kind, each name looked up once.
#[derive(Debug)]
pub(super) struct KnownRoles {
    /// What each name of the document says, in the order of [`Dom::names`], with the role of all elements of
    /// that name if they have one.
    kinds: Vec<(Kind, Option<Role>)>,
    /// Roles by their names in the engine's own tables.
    named: Vec<(&'static str, Option<Role>)>,
}

impl KnownRoles {
    pub(super) fn of(dom: &Dom) -> Self {
        let kinds = dom.names().map(Kind::of);
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
        // The place of the text is enough to tell a name again.
        let known = self.named.iter();
        if let Some((_, role)) = known.clone().find(|(known, _)| std::ptr::eq(*known, name)) {
            return *role;
        }
        let role = Role::named(name);
        self.named.push((name, role));
        role
    }
}

/// The role that an element of the page is exposed with.
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
    // An image whose alt is empty is decoration, unless something contradicts that.
    if implicit.is("none") && contradicts_decoration(element) {
        return Role::named("img");
    }
    Some(implicit)
}

impl AccessTree<'_> {
    /// The role by the element's kind.
    #[must_use]
    pub fn implicit_role(&self, element: ElementRef<'_>) -> Option<Role> {
        implicit_role(self.page(), element)
    }

    /// The role the element is exposed with; none where it has none or only `generic`.
    #[must_use]
    pub fn role(&self, element: ElementRef<'_>) -> Option<Role> {
        self.facts.role(element.id())
    }

    /// Whether the element is exposed with this role.
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
    fn the_first_valid_word_of_the_role_attribute_counts() {
        assert_role("<p id=t role='lnik Button link'>x", "button");
        assert_role("<h2 id=t role=foo>x", "heading");
    }

    #[test]
    fn elements_of_one_name_have_the_role_of_their_own_language() {
        let html = "<a href=x>x</a><main>x</main><svg><a id=t href=x></a><main></svg>";
        assert_role(html, "link");
        assert_role("<a href=x>x</a><svg><a id=t></a></svg>", "");
        assert_role("<svg><a></a></svg><a id=t href=x>x</a>", "link");
        assert_role("<header>x</header><svg><header id=t></header></svg>", "");
    }

    #[test]
    fn an_anchor_without_href_is_no_link() {
        assert_role("<a id=t name=x>x</a>", "");
        assert_role("<a id=t href=x>x</a>", "link");
    }

    #[test]
    fn decoration_that_takes_focus_or_has_a_name_keeps_its_role() {
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
    fn parts_of_an_emptied_list_or_table_have_no_role() {
        assert_role("<ul role=none><li id=t>x</ul>", "");
        assert_role("<ul><li id=t>x</ul>", "listitem");
        assert_role("<table role=presentation><tr><td id=t>x</table>", "");
        assert_role("<table role=grid><tr><td id=t>x</table>", "gridcell");
    }

    #[test]
    fn a_header_within_an_article_is_no_banner() {
        assert_role("<article><header id=t>x</header></article>", "");
        assert_role("<div><header id=t>x</header></div>", "banner");
    }

    #[test]
    fn a_section_without_a_name_is_no_region() {
        assert_role("<section id=t>x</section>", "");
        assert_role("<section id=t aria-label=x>x</section>", "region");
    }
}
