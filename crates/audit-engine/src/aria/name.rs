//! The accessible name (AccName 1.2), as far as markup shows.

use super::focus::is_details_summary;
use super::native::{NativeName, native_names};
use super::{AccessTree, Role};
use crate::bounds::access::{MAX_NAME_BYTES, MAX_NAME_DEPTH};
use crate::dom::{Dom, ElementRef, NodeData, is_collapsed, normalize_space};
use crate::page::Traits;
use crate::page::whitespace;

/// The number of name bytes that cost as much as reading one node.
const BYTES_OF_STEP: usize = 16;

/// An accessible name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// The text, with white space collapsed; empty if there is no name.
    pub text: String,
    /// Whether a part of the name is unknown: a custom element or a style sheet may add text, or a limit was
    /// reached.
    pub uncertain: bool,
}

impl Name {
    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

/// A borrowed accessible name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameRef<'n> {
    /// As in [`Name`].
    pub(crate) text: &'n str,
    /// As in [`Name`].
    pub(crate) uncertain: bool,
}

/// How the traversal reached the current element.
#[derive(Clone, Copy)]
struct Traversal<'a> {
    /// Levels below the element whose name is computed.
    depth: u32,
    /// Inside a target of `aria-labelledby`, where further references are not followed.
    referenced: bool,
    /// Inside a target of `aria-labelledby` that is hidden itself, so that hidden content counts.
    hidden_counts: bool,
    /// Content counts regardless of the role.
    content: bool,
    /// The form control whose label is being read.
    labelled: Option<ElementRef<'a>>,
}

impl Traversal<'_> {
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
        self.with_name(element, |name| Name {
            text: name.text.to_owned(),
            uncertain: name.uncertain,
        })
    }

    /// Computes the accessible name of an element and passes it to `read`.
    pub(crate) fn with_name<T>(
        &self,
        element: ElementRef<'a>,
        read: impl Fn(NameRef<'_>) -> T,
    ) -> T {
        let budget = self.budget.get();
        // The cache has the names of all widths together.
        let is_cached = self.width.is_none();
        if is_cached && let Some((answer, cost)) = self.facts.with_name(element.id(), budget, &read)
        {
            self.budget.set(budget.saturating_sub(cost));
            return answer;
        }
        // Most names are short, and a string that grows in small steps is reallocated often.
        let mut scratch = self.scratch.take();
        let uncertain = self.read_name(element, &mut scratch);
        let name = NameRef {
            text: &scratch,
            uncertain,
        };
        let answer = read(name);
        let left = self.budget.get();
        let left = left.saturating_sub(name.text.len() / BYTES_OF_STEP);
        self.budget.set(left);
        // After the budget is used up, the name may differ from the one a fresh budget would give.
        if left > 0 && is_cached {
            let cost = budget.saturating_sub(left);
            self.facts.keep_name(element.id(), name, cost);
        }
        scratch.clear();
        self.scratch.replace(scratch);
        answer
    }

    /// Reads the name into `text`, which must be empty, and returns whether it is uncertain.
    fn read_name(&self, element: ElementRef<'a>, text: &mut String) -> bool {
        let mut reader = Reader {
            tree: self,
            uncertain: false,
        };
        reader.element(element, Traversal::START, text);
        let is_plain = is_collapsed(text) && !text.starts_with(' ') && !text.ends_with(' ');
        if !is_plain {
            *text = normalize_space(text);
        }
        reader.uncertain
    }

    /// The elements that an id reference attribute refers to; unknown ids are skipped.
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
            .filter_map(move |id| page.referenced(element, id))
    }

    /// Takes one step from this tree's budget for names and owners. Returns false if the budget is used up.
    pub(super) fn spend(&self) -> bool {
        let left = self.budget.get();
        self.budget.set(left.saturating_sub(1));
        if left == 0 {
            self.facts.cut_names();
        }
        left > 0
    }
}

/// Every method appends to `out`.
impl<'a> Reader<'_, 'a> {
    fn element(&mut self, element: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        if traversal.depth > MAX_NAME_DEPTH || !self.tree.spend() {
            self.uncertain = true;
            return;
        }
        if traversal.labelled == Some(element) {
            return;
        }
        let start = out.len();
        self.declared(element, traversal, out);
        if is_filled(out, start) {
            return;
        }
        let role = self.tree.role(element);
        if traversal.content || is_named_by_content(element, role) {
            self.content(element, traversal, out);
            if is_filled(out, start) {
                return;
            }
        }
        if role.is_some_and(|role| role.is("none")) && !traversal.referenced {
            return;
        }
        out.push_str(self.tree.tooltip(element).unwrap_or_default());
    }

    /// The name given by attributes and by the host language.
    fn declared(&mut self, element: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        let start = out.len();
        let has_aria = self.tree.page.traits(element).has(Traits::ARIA);
        if has_aria {
            self.referenced(element, traversal, out);
        }
        if !is_filled(out, start) && traversal.depth > 0 && traversal.content {
            self.value(element, traversal, out);
        }
        if !is_filled(out, start) && has_aria {
            out.push_str(element.attr("aria-label").unwrap_or_default());
        }
        if !is_filled(out, start) {
            self.native(element, traversal, out);
        }
    }

    fn referenced(&mut self, element: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        if traversal.referenced {
            return;
        }
        let start = out.len();
        let ids = element.attr("aria-labelledby").unwrap_or_default();
        for id in ids.split_ascii_whitespace() {
            if !self.tree.spend() {
                self.uncertain = true;
                break;
            }
            let Some(referent) = self.tree.page.referenced(element, id) else {
                continue;
            };
            let traversal = Traversal {
                depth: traversal.depth + 1,
                referenced: true,
                hidden_counts: !self.tree.is_exposed(referent),
                content: true,
                labelled: None,
            };
            self.element(referent, traversal, out);
            out.push(' ');
            if out.len() > start + MAX_NAME_BYTES {
                break;
            }
        }
    }

    /// The value of a control inside a label or other text.
    fn value(&mut self, element: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        let Some(role) = self.tree.role(element) else {
            return;
        };
        let attribute = |name| element.attr(name).unwrap_or_default();
        match role.name() {
            "textbox" | "searchbox" if element.is("input") => out.push_str(attribute("value")),
            "combobox" | "listbox" if element.is("select") => {
                let mut first = None;
                let shown = element
                    .descendants()
                    .take_while(|_| self.tree.spend())
                    .filter(|child| child.is("option"))
                    .inspect(|option| first = first.or(Some(*option)))
                    .find(|option| option.has_attr("selected"));
                let shown = shown.or(first);
                if let Some(option) = shown {
                    self.content(option, traversal, out);
                }
            }
            "combobox" if element.is("input") => out.push_str(attribute("value")),
            "slider" | "spinbutton" | "progressbar" | "meter" | "scrollbar" => {
                let value = ["aria-valuetext", "aria-valuenow", "value"]
                    .into_iter()
                    .map(attribute)
                    .find(|value| !value.trim().is_empty());
                out.push_str(value.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn native(&mut self, element: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        let names_itself = self.tree.page.traits(element).has(Traits::NAMES_ITSELF);
        if !names_itself || self.tree.has_role(element, "none") {
            return;
        }
        let start = out.len();
        for source in native_names(element) {
            match source {
                NativeName::Text(text) => out.push_str(text),
                NativeName::Default(word) => out.push_str(word),
                NativeName::ContentOf(child) => self.content(child, traversal.deeper(), out),
                NativeName::Labels => self.labels(element, traversal, out),
            }
            if is_filled(out, start) {
                return;
            }
        }
    }

    fn labels(&mut self, control: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        if traversal.labelled.is_some() {
            return;
        }
        let start = out.len();
        for label in self.tree.labels_of(control) {
            let traversal = Traversal {
                depth: traversal.depth + 1,
                hidden_counts: !self.tree.is_exposed(label),
                content: true,
                labelled: Some(control),
                ..traversal
            };
            self.element(label, traversal, out);
            out.push(' ');
            if out.len() > start + MAX_NAME_BYTES {
                break;
            }
        }
    }

    fn content(&mut self, element: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        let dom: &'a Dom = element.dom();
        let start = out.len();
        for id in dom.children(element.id()) {
            match dom.data(id) {
                Some(NodeData::Text(run)) => {
                    let room = (start + MAX_NAME_BYTES + 1).saturating_sub(out.len());
                    out.push_str(run.split_at(run.floor_char_boundary(room)).0);
                }
                Some(NodeData::Element(child)) => self.child(child, traversal, out),
                _ => {}
            }
            if out.len() > start + MAX_NAME_BYTES || !self.tree.spend() {
                self.uncertain = true;
                break;
            }
        }
        if is_blank(out, start) {
            // Scripts fill custom elements; a rendered page has what they filled in.
            let is_custom = element.is_html()
                && element.name().contains('-')
                && !self.tree.styles.are_computed();
            self.uncertain |= is_custom || self.tree.styles.may_generate_text(element);
        }
    }

    fn child(&mut self, child: ElementRef<'a>, traversal: Traversal<'a>, out: &mut String) {
        let own = self.tree.own_exposure(child);
        if !own.is_exposed() && !traversal.hidden_counts {
            // A script may show it.
            self.uncertain |= own.hidden && own.uncertain;
            return;
        }
        // Elements that are never rendered contribute no text, even inside a hidden referent.
        if matches!(child.name(), "script" | "style" | "template" | "noscript") {
            return;
        }
        let joins = self.tree.page.traits(child).has(Traits::JOINS);
        if !joins {
            out.push(' ');
        }
        self.element(child, traversal.deeper(), out);
        if !joins {
            out.push(' ');
        }
    }
}

fn is_blank(out: &str, start: usize) -> bool {
    whitespace::is_blank(out.get(start..).unwrap_or_default())
}

/// Whether `out` has non-white-space text after `start`; if there is only white space, it is removed.
fn is_filled(out: &mut String, start: usize) -> bool {
    if is_blank(out, start) {
        out.truncate(start);
        return false;
    }
    true
}

/// Whether the element's role and type allow naming from content.
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
    use crate::view::Page;

    #[track_caller]
    fn assert_name(html: &str, expected: &str) {
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        let name = tree.name(page.by_id("t").unwrap());
        assert_eq!(name.text, expected, "{html}");
    }

    #[test]
    fn aria_labelledby_precedes_aria_label_and_content() {
        let html = "<p id=a>A</p><p id=b>B</p><button id=t aria-labelledby='a x b' aria-label=L>C</button>";
        assert_name(html, "A B");
        assert_name("<button id=t aria-label=L title=T>C</button>", "L");
        assert_name("<button id=t title=T>C</button>", "C");
        assert_name("<button id=t title=T> </button>", "T");
    }

    #[test]
    fn hidden_content_counts_only_inside_a_hidden_referent() {
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
    fn blocks_separate_words_and_inline_elements_do_not() {
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
    fn a_label_excludes_the_control_it_labels() {
        assert_name(
            "<label>Country <select id=t><option>DE</select></label>",
            "Country",
        );
    }

    #[test]
    fn native_html_names_are_used() {
        assert_name("<fieldset id=t><legend>L</legend><input></fieldset>", "L");
        assert_name("<table id=t><caption>C</caption><tr><td>x</table>", "C");
        assert_name("<figure id=t><img><figcaption>F</figcaption></figure>", "F");
        assert_name("<svg id=t><title>S</title><text>x</text></svg>", "S");
        assert_name("<a id=t href=x><svg><text>x</text></svg></a>", "x");
        assert_name("<div id=t role=textbox>x</div>", "");
    }

    #[test]
    fn self_referencing_or_deep_content_terminates() {
        let deep = format!("<button id=t>{}</button>", "<b>".repeat(400));
        assert_name(&deep, "");
        let figures = "<figure><figcaption>".repeat(60);
        assert_name(&format!("<div id=t role=link>{figures}</div>"), "");
    }
}
