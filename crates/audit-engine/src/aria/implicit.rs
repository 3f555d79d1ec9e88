//! Implicit roles (HTML-AAM, SVG-AAM).

use super::Role;
use crate::dom::ElementRef;
use crate::page::ParsedPage;

/// The `type` of an `input`, in lower case; `text` if it is missing or unknown.
#[must_use]
pub fn input_type(input: ElementRef<'_>) -> &'static str {
    const TYPES: [&str; 21] = [
        "hidden",
        "search",
        "tel",
        "url",
        "email",
        "password",
        "date",
        "month",
        "week",
        "time",
        "datetime-local",
        "number",
        "range",
        "color",
        "checkbox",
        "radio",
        "file",
        "submit",
        "image",
        "reset",
        "button",
    ];
    let written = input.attr("type").unwrap_or_default().trim_ascii();
    TYPES
        .into_iter()
        .find(|kind| kind.eq_ignore_ascii_case(written))
        .unwrap_or("text")
}

/// The implicit role of the element, with its attributes considered; `None` if it has no role or
/// only `generic`.
pub(super) fn implicit_role(page: &ParsedPage, element: ElementRef<'_>) -> Option<Role> {
    Role::named(implicit_role_name(page, element)?)
}

/// The name of the element's implicit role.
fn implicit_role_name(page: &ParsedPage, element: ElementRef<'_>) -> Option<&'static str> {
    if element.is_svg() {
        svg_role(element)
    } else if element.is_html() {
        html_role(page, element)
    } else if element.name() == "math" {
        Some("math")
    } else {
        None
    }
}

fn svg_role(element: ElementRef<'_>) -> Option<&'static str> {
    match element.name() {
        "svg" => Some("graphics-document"),
        "a" if element.has_attr("href") || element.has_attr("xlink:href") => Some("link"),
        "image" => Some("img"),
        _ => None,
    }
}

fn html_role(page: &ParsedPage, element: ElementRef<'_>) -> Option<&'static str> {
    Kind::from_name(element.name()).role(page, element)
}

/// What the name of an HTML element implies for its role.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// All elements of that name have this role, or no role.
    Always(Option<&'static str>),
    /// `a` and `area`.
    Anchor,
    /// `header` and `footer`, with the role they have outside sectioning content.
    Edge(&'static str),
    /// `img`.
    Image,
    /// `input`.
    Input,
    /// `li`.
    ListItem,
    /// `section`.
    Section,
    /// `select`.
    Select,
    /// A part of a table, with its role.
    TablePart(&'static str),
    /// `th`.
    HeaderCell,
}

impl Kind {
    pub(super) fn from_name(name: &str) -> Self {
        Self::Always(Some(match name {
            "a" | "area" => return Self::Anchor,
            "article" => "article",
            "aside" => "complementary",
            "blockquote" => "blockquote",
            "button" => "button",
            "caption" => "caption",
            "code" => "code",
            "datalist" => "listbox",
            "dd" => "definition",
            "del" | "s" => "deletion",
            "details" | "fieldset" | "hgroup" | "optgroup" | "address" => "group",
            "dfn" | "dt" => "term",
            "dialog" => "dialog",
            "em" => "emphasis",
            "figure" => "figure",
            "footer" => return Self::Edge("contentinfo"),
            "form" => "form",
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "heading",
            "header" => return Self::Edge("banner"),
            "hr" => "separator",
            "img" => return Self::Image,
            "input" => return Self::Input,
            "ins" => "insertion",
            "li" => return Self::ListItem,
            "main" => "main",
            "mark" => "mark",
            "math" => "math",
            "menu" | "ol" | "ul" => "list",
            "meter" => "meter",
            "nav" => "navigation",
            "option" => "option",
            "output" => "status",
            "p" => "paragraph",
            "progress" => "progressbar",
            "search" => "search",
            "section" => return Self::Section,
            "select" => return Self::Select,
            "strong" => "strong",
            "sub" => "subscript",
            "sup" => "superscript",
            "table" => "table",
            "tbody" | "tfoot" | "thead" => return Self::TablePart("rowgroup"),
            "td" => return Self::TablePart("cell"),
            "th" => return Self::HeaderCell,
            "tr" => return Self::TablePart("row"),
            "textarea" => "textbox",
            "time" => "time",
            _ => return Self::Always(None),
        }))
    }

    /// The name of the role of an element.
    pub(super) fn role(self, page: &ParsedPage, element: ElementRef<'_>) -> Option<&'static str> {
        match self {
            Self::Always(role) => role,
            Self::Anchor => element.has_attr("href").then_some("link"),
            Self::Edge(role) => (!is_sectioned(element)).then_some(role),
            Self::Image => Some(image_role(element)),
            Self::Input => input_role(page, element),
            Self::ListItem => list_item_role(element),
            Self::Section => has_own_name(element).then_some("region"),
            Self::Select => Some(select_role(element)),
            Self::TablePart(role) => table_part(element, role),
            Self::HeaderCell => {
                let heads_row =
                    element.attr_is("scope", "row") || element.attr_is("scope", "rowgroup");
                let role = if heads_row {
                    "rowheader"
                } else {
                    "columnheader"
                };
                table_part(element, role)
            }
        }
    }
}

/// A header or footer belongs to the page unless it is inside sectioning content.
fn is_sectioned(element: ElementRef<'_>) -> bool {
    element.ancestors().any(|ancestor| {
        ancestor.is_html()
            && matches!(
                ancestor.name(),
                "article" | "aside" | "main" | "nav" | "section"
            )
    })
}

fn has_own_name(element: ElementRef<'_>) -> bool {
    ["aria-label", "aria-labelledby", "title"]
        .iter()
        .any(|name| {
            element
                .attr(name)
                .is_some_and(|value| !value.trim().is_empty())
        })
}

fn image_role(image: ElementRef<'_>) -> &'static str {
    if image.attr("alt") == Some("") {
        "none"
    } else {
        "img"
    }
}

fn input_role(page: &ParsedPage, input: ElementRef<'_>) -> Option<&'static str> {
    let has_list = || {
        input
            .attr("list")
            .and_then(|id| page.referenced(input, id))
            .is_some_and(|list| list.is("datalist"))
    };
    Some(match input_type(input) {
        "button" | "submit" | "reset" | "image" => "button",
        "checkbox" => "checkbox",
        "radio" => "radio",
        "number" => "spinbutton",
        "range" => "slider",
        "email" | "tel" | "text" | "url" | "search" if has_list() => "combobox",
        "search" => "searchbox",
        "email" | "tel" | "text" | "url" => "textbox",
        _ => return None,
    })
}

fn select_role(select: ElementRef<'_>) -> &'static str {
    let rows = select
        .attr("size")
        .and_then(|size| size.trim().parse::<u32>().ok())
        .unwrap_or(1);
    if select.has_attr("multiple") || rows > 1 {
        "listbox"
    } else {
        "combobox"
    }
}

/// Whether the element has a presentational role. Its required children lose their roles too.
fn is_presentational(element: ElementRef<'_>) -> bool {
    element.attr_is("role", "none") || element.attr_is("role", "presentation")
}

fn list_item_role(item: ElementRef<'_>) -> Option<&'static str> {
    let parent = item.parent()?;
    let in_list = parent.is("ul") || parent.is("ol") || parent.is("menu");
    (in_list && !is_presentational(parent)).then_some("listitem")
}

fn table_part(part: ElementRef<'_>, role: &'static str) -> Option<&'static str> {
    let table = part.closest("table")?;
    if is_presentational(table) {
        return None;
    }
    let in_grid = table.attr_is("role", "grid") || table.attr_is("role", "treegrid");
    Some(if role == "cell" && in_grid {
        "gridcell"
    } else {
        role
    })
}
