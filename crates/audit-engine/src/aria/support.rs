//! Which roles support which states and properties (WAI-ARIA 1.2), and which must not be named.

use super::Role;

/// The cells of tables.
const CELLS: [&str; 4] = ["cell", "columnheader", "gridcell", "rowheader"];

/// States and properties that not every role supports, each with the roles that do. Roles that
/// WAI-ARIA 1.1 or browsers let have them are listed as well, so that a page that follows those is not wrong.
const SUPPORT: [(&str, &[&str]); 29] = [
    (
        "aria-activedescendant",
        &[
            "application",
            "combobox",
            "grid",
            "group",
            "listbox",
            "menu",
            "menubar",
            "radiogroup",
            "row",
            "searchbox",
            "spinbutton",
            "tablist",
            "textbox",
            "toolbar",
            "tree",
            "treegrid",
        ],
    ),
    ("aria-autocomplete", &["combobox", "searchbox", "textbox"]),
    (
        "aria-checked",
        &[
            "checkbox",
            "menuitemcheckbox",
            "menuitemradio",
            "option",
            "radio",
            "switch",
            "treeitem",
        ],
    ),
    ("aria-colcount", &["grid", "table", "treegrid"]),
    (
        "aria-colindex",
        &["cell", "columnheader", "gridcell", "row", "rowheader"],
    ),
    ("aria-colindextext", &CELLS),
    ("aria-colspan", &CELLS),
    (
        "aria-expanded",
        &[
            "application",
            "button",
            "checkbox",
            "columnheader",
            "combobox",
            "gridcell",
            "link",
            "listbox",
            "menuitem",
            "menuitemcheckbox",
            "menuitemradio",
            "row",
            "rowheader",
            "switch",
            "tab",
            "treeitem",
        ],
    ),
    (
        "aria-level",
        &[
            "comment", "heading", "listitem", "row", "tablist", "treeitem",
        ],
    ),
    ("aria-modal", &["alertdialog", "dialog"]),
    ("aria-multiline", &["searchbox", "textbox"]),
    (
        "aria-multiselectable",
        &["grid", "listbox", "tablist", "tree", "treegrid"],
    ),
    (
        "aria-orientation",
        &[
            "combobox",
            "listbox",
            "menu",
            "menubar",
            "radiogroup",
            "scrollbar",
            "separator",
            "slider",
            "tablist",
            "toolbar",
            "tree",
            "treegrid",
        ],
    ),
    (
        "aria-placeholder",
        &["combobox", "searchbox", "spinbutton", "textbox"],
    ),
    (
        "aria-posinset",
        &[
            "article",
            "comment",
            "listitem",
            "menuitem",
            "menuitemcheckbox",
            "menuitemradio",
            "option",
            "radio",
            "row",
            "tab",
            "treeitem",
        ],
    ),
    ("aria-pressed", &["button"]),
    (
        "aria-readonly",
        &[
            "checkbox",
            "columnheader",
            "combobox",
            "grid",
            "gridcell",
            "listbox",
            "menuitemcheckbox",
            "menuitemradio",
            "radiogroup",
            "rowheader",
            "searchbox",
            "slider",
            "spinbutton",
            "switch",
            "textbox",
            "treegrid",
        ],
    ),
    (
        "aria-required",
        &[
            "checkbox",
            "columnheader",
            "combobox",
            "gridcell",
            "listbox",
            "menuitemcheckbox",
            "menuitemradio",
            "radio",
            "radiogroup",
            "rowheader",
            "searchbox",
            "slider",
            "spinbutton",
            "switch",
            "textbox",
            "tree",
            "treegrid",
        ],
    ),
    ("aria-rowcount", &["grid", "table", "treegrid"]),
    (
        "aria-rowindex",
        &["cell", "columnheader", "gridcell", "row", "rowheader"],
    ),
    (
        "aria-rowindextext",
        &["cell", "columnheader", "gridcell", "row", "rowheader"],
    ),
    ("aria-rowspan", &CELLS),
    (
        "aria-selected",
        &[
            "columnheader",
            "gridcell",
            "option",
            "row",
            "rowheader",
            "tab",
            "treeitem",
        ],
    ),
    (
        "aria-setsize",
        &[
            "article",
            "comment",
            "listitem",
            "menuitem",
            "menuitemcheckbox",
            "menuitemradio",
            "option",
            "radio",
            "row",
            "tab",
            "treeitem",
        ],
    ),
    ("aria-sort", &["columnheader", "rowheader"]),
    ("aria-valuemax", &RANGES),
    ("aria-valuemin", &RANGES),
    ("aria-valuenow", &RANGES),
    ("aria-valuetext", &RANGES),
];

/// The roles that have a value in a range.
const RANGES: [&str; 6] = [
    "meter",
    "progressbar",
    "scrollbar",
    "separator",
    "slider",
    "spinbutton",
];

/// The roles that must not have a name (WAI-ARIA 1.2, section 5.2.8.6).
const UNNAMED: [&str; 11] = [
    "caption",
    "code",
    "deletion",
    "emphasis",
    "generic",
    "insertion",
    "none",
    "paragraph",
    "strong",
    "subscript",
    "superscript",
];

impl Role {
    /// Whether the role supports a state or property that not every role does. Of the roles of
    /// digital publications and of graphics this is not known, and taken to be so.
    #[must_use]
    pub fn supports(self, attribute: &str) -> bool {
        self.name().starts_with("doc-")
            || self.name().starts_with("graphics-")
            || SUPPORT
                .iter()
                .find(|(name, _)| *name == attribute)
                .is_none_or(|(_, roles)| roles.contains(&self.name()))
    }

    /// Whether authors must not give elements of this role a name.
    #[must_use]
    pub fn prohibits_name(self) -> bool {
        self.is_any(&UNNAMED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aria::attribute::AriaAttribute;

    #[test]
    fn every_property_and_role_exists() {
        for (name, roles) in SUPPORT {
            let attribute = AriaAttribute::named(name);
            assert!(attribute.is_some_and(|known| !known.global), "{name}");
            for role in roles {
                assert!(Role::named(role).is_some(), "{role}");
            }
        }
    }

    #[test]
    fn every_property_that_is_not_global_is_listed() {
        for attribute in AriaAttribute::all().filter(|attribute| !attribute.global) {
            let listed = SUPPORT.iter().any(|(name, _)| *name == attribute.name);
            assert!(listed, "{}", attribute.name);
        }
    }
}
