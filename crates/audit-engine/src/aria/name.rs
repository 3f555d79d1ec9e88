//! The accessible name (AccName 1.2), as far as markup tells.

use super::focus::is_details_summary;
use super::native::{NativeName, native_names};
use super::{AccessTree, Role};
use crate::dom::{Dom, ElementRef, NodeData, normalize_space};

/// Content nested deeper than this is not read.
const MAX_DEPTH: u32 = 100;

/// A name is not read further than this.
const MAX_BYTES: usize = 2_000;

/// Elements that join the text around them; all others are separated from it by a space.
const INLINE: [&str; 27] = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u", "var",
];

/// An accessible name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// The text, white space collapsed; empty if there is none.
    pub text: String,
    /// Whether a part of it is unknown: a custom element may show more, or there was too much to read.
    pub uncertain: bool,
}

impl Name {
    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// How the element at hand was come to.
#[derive(Clone, Copy)]
struct Way<'a> {
    /// Levels below the element whose name is asked for.
    depth: u32,
    /// Inside what `aria-labelledby` points at, where it is not followed again.
    referenced: bool,
    /// Below or beside a referent that is hidden itself, so hidden content counts.
    hidden_counts: bool,
    /// The text inside counts whatever the role.
    content: bool,
    /// The form control whose label is being read.
    labelled: Option<ElementRef<'a>>,
}

impl Way<'_> {
    const START: Self = Self {
        depth: 0,
        referenced: false,
        hidden_counts: false,
        content: false,
        labelled: None,
    };

    const fn deeper(self) -> Self {
        Self {
            depth: self.depth + 1,
            content: true,
            ..self
        }
    }
}

struct Reader<'t, 'a> {
    tree: &'t AccessTree<'a>,
    uncertain: bool,
}

impl<'a> AccessTree<'a> {
    /// The accessible name of an element.
    #[must_use]
    pub fn name(&self, element: ElementRef<'a>) -> Name {
        let mut reader = Reader {
            tree: self,
            uncertain: false,
        };
        let text = reader.element(element, Way::START);
        Name {
            text: normalize_space(&text),
            uncertain: reader.uncertain,
        }
    }

    /// The elements that a reference attribute points at; ids that no element has are left out.
    pub fn referents(
        &self,
        element: ElementRef<'a>,
        attribute: &str,
    ) -> impl Iterator<Item = ElementRef<'a>> {
        let page = self.page;
        element
            .attr(attribute)
            .unwrap_or_default()
            .split_ascii_whitespace()
            .filter_map(move |id| page.by_id(id))
    }

    fn spend(&self) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(1));
        left > 0
    }
}

impl<'a> Reader<'_, 'a> {
    fn element(&mut self, element: ElementRef<'a>, way: Way<'a>) -> String {
        if way.depth > MAX_DEPTH || !self.tree.spend() {
            self.uncertain = true;
            return String::new();
        }
        if way.labelled == Some(element) {
            return String::new();
        }
        let text = self.stated(element, way);
        if !is_blank(&text) {
            return text;
        }
        let role = self.tree.role(element);
        if way.content || is_named_by_content(element, role) {
            let text = self.content(element, way);
            if !is_blank(&text) {
                return text;
            }
        }
        if role.is_some_and(|role| role.is("none")) && !way.referenced {
            return String::new();
        }
        self.tree.tooltip(element).unwrap_or_default().to_owned()
    }

    /// The name that attributes and the element's own language state.
    fn stated(&mut self, element: ElementRef<'a>, way: Way<'a>) -> String {
        let mut text = self.referenced(element, way);
        if is_blank(&text) && way.depth > 0 && way.content {
            text = self.value(element, way);
        }
        if is_blank(&text) {
            text = element.attr("aria-label").unwrap_or_default().to_owned();
        }
        if is_blank(&text) {
            text = self.native(element, way);
        }
        text
    }

    fn referenced(&mut self, element: ElementRef<'a>, way: Way<'a>) -> String {
        if way.referenced {
            return String::new();
        }
        let mut text = String::new();
        for referent in self.tree.referents(element, "aria-labelledby") {
            let way = Way {
                depth: way.depth + 1,
                referenced: true,
                hidden_counts: !self.tree.is_exposed(referent),
                content: true,
                labelled: None,
            };
            text.push_str(&self.element(referent, way));
            text.push(' ');
            if text.len() > MAX_BYTES {
                break;
            }
        }
        text
    }

    /// The value of a control that stands within a label or other text.
    fn value(&mut self, element: ElementRef<'a>, way: Way<'a>) -> String {
        let Some(role) = self.tree.role(element) else {
            return String::new();
        };
        let attribute = |name| element.attr(name).unwrap_or_default().to_owned();
        match role.name() {
            "textbox" | "searchbox" if element.is("input") => attribute("value"),
            "combobox" | "listbox" if element.is("select") => {
                let mut options = element.descendants().filter(|child| child.is("option"));
                let first = options.next();
                first
                    .into_iter()
                    .chain(options)
                    .find(|option| option.has_attr("selected"))
                    .or(first)
                    .map(|option| self.content(option, way))
                    .unwrap_or_default()
            }
            "combobox" if element.is("input") => attribute("value"),
            "slider" | "spinbutton" | "progressbar" | "meter" | "scrollbar" => {
                ["aria-valuetext", "aria-valuenow", "value"]
                    .into_iter()
                    .map(attribute)
                    .find(|value| !value.trim().is_empty())
                    .unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    fn native(&mut self, element: ElementRef<'a>, way: Way<'a>) -> String {
        if self.tree.has_role(element, "none") {
            return String::new();
        }
        for source in native_names(element) {
            let text = match source {
                NativeName::Text(text) => text.to_owned(),
                NativeName::Default(word) => word.to_owned(),
                NativeName::ContentOf(child) => self.content(child, way.deeper()),
                NativeName::Labels => self.labels(element, way),
            };
            if !is_blank(&text) {
                return text;
            }
        }
        String::new()
    }

    fn labels(&mut self, control: ElementRef<'a>, way: Way<'a>) -> String {
        if way.labelled.is_some() {
            return String::new();
        }
        let mut text = String::new();
        for label in self.tree.labels_of(control) {
            let way = Way {
                depth: way.depth + 1,
                hidden_counts: !self.tree.is_exposed(label),
                content: true,
                labelled: Some(control),
                ..way
            };
            text.push_str(&self.element(label, way));
            text.push(' ');
            if text.len() > MAX_BYTES {
                break;
            }
        }
        text
    }

    fn content(&mut self, element: ElementRef<'a>, way: Way<'a>) -> String {
        let dom: &'a Dom = element.dom();
        let mut text = String::new();
        for id in dom.children(element.id()) {
            match dom.data(id) {
                Some(NodeData::Text(run)) => {
                    let room = MAX_BYTES.saturating_add(1).saturating_sub(text.len());
                    text.push_str(run.split_at(run.floor_char_boundary(room)).0);
                }
                Some(NodeData::Element(_)) => {
                    if let Some(child) = dom.element(id) {
                        self.child(child, way, &mut text);
                    }
                }
                _ => {}
            }
            if text.len() > MAX_BYTES || !self.tree.spend() {
                self.uncertain = true;
                break;
            }
        }
        if element.name().contains('-') && text.trim().is_empty() && element.is_html() {
            self.uncertain = true;
        }
        text
    }

    fn child(&mut self, child: ElementRef<'a>, way: Way<'a>, text: &mut String) {
        let own = self.tree.own_exposure(child);
        if !own.is_exposed() && !way.hidden_counts {
            return;
        }
        // What is never rendered is no text even in a hidden referent.
        if matches!(child.name(), "script" | "style" | "template" | "noscript") {
            return;
        }
        let joins = child.is_html() && INLINE.contains(&child.name());
        if !joins {
            text.push(' ');
        }
        let inside = self.element(child, way.deeper());
        text.push_str(&inside);
        if !joins {
            text.push(' ');
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Whether what is inside an element of this kind and role names it.
fn is_named_by_content(element: ElementRef<'_>, role: Option<Role>) -> bool {
    match role {
        Some(role) => role.named_by_content(),
        None => {
            is_details_summary(element)
                || (element.is_html()
                    && matches!(element.name(), "label" | "legend" | "figcaption"))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::aria::AccessTree;
    use crate::page::Page;

    #[track_caller]
    fn assert_name(html: &str, expected: &str) {
        let page = Page::builder().html(html);
        let tree = AccessTree::of(&page);
        let name = tree.name(page.by_id("t").unwrap());
        assert_eq!(name.text, expected, "{html}");
    }

    #[test]
    fn references_come_before_labels_and_labels_before_content() {
        let html = "<p id=a>A</p><p id=b>B</p><button id=t aria-labelledby='a x b' aria-label=L>C</button>";
        assert_name(html, "A B");
        assert_name("<button id=t aria-label=L title=T>C</button>", "L");
        assert_name("<button id=t title=T>C</button>", "C");
        assert_name("<button id=t title=T> </button>", "T");
    }

    #[test]
    fn a_hidden_referent_counts_and_hidden_parts_of_a_shown_one_do_not() {
        assert_name(
            "<p id=a hidden>A <b hidden>B</b></p><i id=t aria-labelledby=a></i>",
            "A B",
        );
        assert_name(
            "<p id=a>A <b hidden>B</b></p><i id=t aria-labelledby=a></i>",
            "A",
        );
    }

    #[test]
    fn references_are_followed_once() {
        let html = "<p id=a aria-labelledby=t>A</p><i id=t role=button aria-labelledby='a t'>T</i>";
        assert_name(html, "A T");
    }

    #[test]
    fn inline_elements_join_words_and_blocks_part_them() {
        assert_name(
            "<a id=t href=x>f<b>oo</b><div>bar</div>b<br>az</a>",
            "foo bar b az",
        );
    }

    #[test]
    fn values_of_controls_within_a_label_are_read() {
        let html = "<label>Wait <input id=n value=5 aria-label=m> minutes<input type=checkbox id=x></label>";
        assert_name(&html.replace("id=n", "id=t"), "m");
        let html = "<label for=t>Wait <input value=5> or <select><option>1<option selected>2</select></label><input id=t>";
        assert_name(html, "Wait 5 or 2");
    }

    #[test]
    fn a_label_leaves_its_own_field_out() {
        assert_name(
            "<label>Country <select id=t><option>DE</select></label>",
            "Country",
        );
    }

    #[test]
    fn html_names_its_own_elements() {
        assert_name("<fieldset id=t><legend>L</legend><input></fieldset>", "L");
        assert_name("<table id=t><caption>C</caption><tr><td>x</table>", "C");
        assert_name("<figure id=t><img><figcaption>F</figcaption></figure>", "F");
        assert_name("<svg id=t><title>S</title><text>x</text></svg>", "S");
        assert_name("<a id=t href=x><svg><text>x</text></svg></a>", "x");
        assert_name("<div id=t role=textbox>x</div>", "");
    }

    #[test]
    fn content_that_refers_to_itself_or_is_deep_ends() {
        let deep = format!("<button id=t>{}</button>", "<b>".repeat(400));
        assert_name(&deep, "");
        let figures = "<figure><figcaption>".repeat(60);
        assert_name(&format!("<div id=t role=link>{figures}</div>"), "");
    }
}
