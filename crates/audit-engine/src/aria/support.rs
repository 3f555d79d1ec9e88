//! Which roles support which states and properties (WAI-ARIA 1.2), and which roles prohibit naming.

use super::Role;

/// The roles of table cells.
const CELLS: [&str; 4] = ["cell", "columnheader", "gridcell", "rowheader"];

/// Non-global states and properties, each with the roles that support it. Roles that WAI-ARIA 1.1 or browsers
/// allow are listed as well, so that pages that rely on them pass.
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

/// Range roles.
const RANGES: [&str; 6] = [
    "meter",
    "progressbar",
    "scrollbar",
    "separator",
    "slider",
    "spinbutton",
];

/// The roles for which naming is prohibited (WAI-ARIA 1.2, section 5.2.8.6).
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
    /// Whether the role supports a non-global state or property. Support is unknown for the DPub and Graphics
    /// roles and is assumed.
    #[must_use]
    pub fn supports(self, attribute: &str) -> bool {
        self.name().starts_with("doc-")
            || self.name().starts_with("graphics-")
            || SUPPORT
                .iter()
                .find(|(name, _)| *name == attribute)
                .is_none_or(|(_, roles)| roles.contains(&self.name()))
    }

    /// Whether naming is prohibited for this role.
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
    fn every_non_global_property_is_listed() {
        for attribute in AriaAttribute::all().filter(|attribute| !attribute.global) {
            let listed = SUPPORT.iter().any(|(name, _)| *name == attribute.name);
            assert!(listed, "{}", attribute.name);
        }
    }
}
