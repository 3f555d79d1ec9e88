//! The roles of WAI-ARIA 1.2, DPub-ARIA 1.1 and the Graphics module, with the traits that checks use.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// A role that authors may use, with its properties from the specification.
///
/// Takes one byte. `image` is represented as `img`, and `presentation` as `none`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Role(
    /// The index in the table of roles.
    u8,
);

/// The roles by name and synonym.
static NAMED: LazyLock<HashMap<&str, Role>> = LazyLock::new(|| {
    let places = (0..u8::MAX).map(Role);
    let mut named: HashMap<_, _> = ROLES.iter().map(|role| role.name).zip(places).collect();
    for (synonym, name) in [("image", "img"), ("presentation", "none")] {
        if let Some(role) = named.get(name).copied() {
            named.insert(synonym, role);
        }
    }
    named
});

struct Definition {
    name: &'static str,
    traits: u16,
    required: &'static [&'static str],
}

impl Role {
    /// The role with this name, ignoring ASCII case; `None` for abstract and unknown names.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        // Nearly all names are in lower case.
        let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(name.to_ascii_lowercase())
        } else {
            Cow::Borrowed(name)
        };
        NAMED.get(&*name).copied()
    }

    /// The names of all roles that authors may use.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        ROLES.iter().map(|role| role.name)
    }

    fn definition(self) -> &'static Definition {
        // Roles are created only in `NAMED`, with indices inside the table.
        ROLES.get(usize::from(self.0)).unwrap_or(&ROLES[0])
    }

    /// The name; `img` and `none` for their synonyms.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// Whether this is the role with this name.
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }

    /// Whether this is one of these roles.
    #[must_use]
    pub fn is_any(self, names: &[&str]) -> bool {
        names.contains(&self.name())
    }

    fn has(self, wanted: u16) -> bool {
        self.definition().traits & wanted != 0
    }

    /// Whether the role allows its accessible name to come from content.
    #[must_use]
    pub fn named_by_content(self) -> bool {
        self.has(CONTENT)
    }

    /// Whether the children of this role are presentational, so that they are not in the accessibility
    /// tree.
    #[must_use]
    pub fn hides_children(self) -> bool {
        self.has(LEAF)
    }

    /// Whether the role is a widget.
    #[must_use]
    pub fn is_widget(self) -> bool {
        self.has(WIDGET)
    }

    /// Whether the role is a landmark.
    #[must_use]
    pub fn is_landmark(self) -> bool {
        self.has(LANDMARK)
    }

    /// Whether the role is a link or a kind of link.
    #[must_use]
    pub fn is_link(self) -> bool {
        self.has(LINK)
    }

    /// The required states and properties that have no default.
    #[must_use]
    pub fn required(self) -> &'static [&'static str] {
        self.definition().required
    }
}

impl fmt::Debug for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const CONTENT: u16 = 1;
const LEAF: u16 = 2;
const WIDGET: u16 = 4;
const LANDMARK: u16 = 8;
const LINK: u16 = 16;

const fn role(name: &'static str, traits: u16) -> Definition {
    requiring(name, traits, &[])
}

const fn requiring(
    name: &'static str,
    traits: u16,
    required: &'static [&'static str],
) -> Definition {
    Definition {
        name,
        traits,
        required,
    }
}

/// Sorted by name. `image`, `comment`, `mark` and `suggestion` come from the ARIA 1.3 draft; checks accept
/// them.
static ROLES: [Definition; ROLE_COUNT] = [
    role("alert", 0),
    role("alertdialog", 0),
    role("application", 0),
    role("article", 0),
    role("banner", LANDMARK),
    role("blockquote", 0),
    role("button", WIDGET | CONTENT | LEAF),
    role("caption", 0),
    role("cell", CONTENT),
    requiring("checkbox", WIDGET | CONTENT | LEAF, &["aria-checked"]),
    role("code", 0),
    role("columnheader", CONTENT),
    requiring("combobox", WIDGET, &["aria-expanded"]),
    role("comment", CONTENT),
    role("complementary", LANDMARK),
    role("contentinfo", LANDMARK),
    role("definition", 0),
    role("deletion", 0),
    role("dialog", 0),
    role("directory", 0),
    role("doc-abstract", 0),
    role("doc-acknowledgments", LANDMARK),
    role("doc-afterword", LANDMARK),
    role("doc-appendix", LANDMARK),
    role("doc-backlink", WIDGET | CONTENT | LINK),
    role("doc-biblioentry", 0),
    role("doc-bibliography", LANDMARK),
    role("doc-biblioref", WIDGET | CONTENT | LINK),
    role("doc-chapter", LANDMARK),
    role("doc-colophon", 0),
    role("doc-conclusion", LANDMARK),
    role("doc-cover", LEAF),
    role("doc-credit", 0),
    role("doc-credits", LANDMARK),
    role("doc-dedication", 0),
    role("doc-endnote", 0),
    role("doc-endnotes", LANDMARK),
    role("doc-epigraph", 0),
    role("doc-epilogue", LANDMARK),
    role("doc-errata", LANDMARK),
    role("doc-example", 0),
    role("doc-footnote", 0),
    role("doc-foreword", LANDMARK),
    role("doc-glossary", LANDMARK),
    role("doc-glossref", WIDGET | CONTENT | LINK),
    role("doc-index", LANDMARK),
    role("doc-introduction", LANDMARK),
    role("doc-noteref", WIDGET | CONTENT | LINK),
    role("doc-notice", 0),
    role("doc-pagebreak", LEAF),
    role("doc-pagefooter", 0),
    role("doc-pageheader", 0),
    role("doc-pagelist", LANDMARK),
    role("doc-part", LANDMARK),
    role("doc-preface", LANDMARK),
    role("doc-prologue", LANDMARK),
    role("doc-pullquote", 0),
    role("doc-qna", 0),
    role("doc-subtitle", CONTENT),
    role("doc-tip", 0),
    role("doc-toc", LANDMARK),
    role("document", 0),
    role("emphasis", 0),
    role("feed", 0),
    role("figure", 0),
    role("form", LANDMARK),
    role("generic", 0),
    role("graphics-document", 0),
    role("graphics-object", 0),
    role("graphics-symbol", LEAF),
    role("grid", WIDGET),
    role("gridcell", WIDGET | CONTENT),
    role("group", 0),
    requiring("heading", CONTENT, &["aria-level"]),
    role("image", LEAF),
    role("img", LEAF),
    role("insertion", 0),
    role("link", WIDGET | CONTENT | LINK),
    role("list", 0),
    role("listbox", WIDGET),
    role("listitem", 0),
    role("log", 0),
    role("main", LANDMARK),
    role("mark", 0),
    role("marquee", 0),
    role("math", LEAF),
    role("menu", WIDGET),
    role("menubar", WIDGET),
    role("menuitem", WIDGET | CONTENT),
    requiring(
        "menuitemcheckbox",
        WIDGET | CONTENT | LEAF,
        &["aria-checked"],
    ),
    requiring("menuitemradio", WIDGET | CONTENT | LEAF, &["aria-checked"]),
    requiring("meter", LEAF, &["aria-valuenow"]),
    role("navigation", LANDMARK),
    role("none", 0),
    role("note", 0),
    role("option", WIDGET | CONTENT | LEAF),
    role("paragraph", 0),
    role("presentation", 0),
    role("progressbar", WIDGET | LEAF),
    requiring("radio", WIDGET | CONTENT | LEAF, &["aria-checked"]),
    role("radiogroup", WIDGET),
    role("region", LANDMARK),
    role("row", CONTENT),
    role("rowgroup", 0),
    role("rowheader", CONTENT),
    requiring(
        "scrollbar",
        WIDGET | LEAF,
        &["aria-controls", "aria-valuenow"],
    ),
    role("search", LANDMARK),
    role("searchbox", WIDGET),
    role("separator", LEAF),
    requiring("slider", WIDGET | LEAF, &["aria-valuenow"]),
    role("spinbutton", WIDGET),
    role("status", 0),
    role("strong", 0),
    role("subscript", 0),
    role("suggestion", 0),
    role("superscript", 0),
    requiring("switch", WIDGET | CONTENT | LEAF, &["aria-checked"]),
    role("tab", WIDGET | CONTENT | LEAF),
    role("table", 0),
    role("tablist", WIDGET),
    role("tabpanel", 0),
    role("term", 0),
    role("textbox", WIDGET),
    role("time", 0),
    role("timer", 0),
    role("toolbar", 0),
    role("tooltip", CONTENT),
    role("tree", WIDGET),
    role("treegrid", WIDGET),
    role("treeitem", WIDGET | CONTENT),
];

const ROLE_COUNT: usize = 130;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_is_found_by_its_name() {
        assert!(ROLES.is_sorted_by(|a, b| a.name < b.name));
        for role in &ROLES {
            let found = Role::named(role.name).unwrap();
            let name = match role.name {
                "image" => "img",
                "presentation" => "none",
                name => name,
            };
            assert_eq!(found.name(), name);
        }
    }

    #[test]
    fn abstract_and_unknown_names_are_rejected() {
        for name in ["widget", "command", "lnik", "section", ""] {
            assert_eq!(Role::named(name), None, "{name}");
        }
    }

    #[test]
    fn synonyms_map_to_the_same_role() {
        assert_eq!(Role::named("Presentation"), Role::named("none"));
        assert_eq!(Role::named("image"), Role::named("img"));
    }
}
