//! A borrowed element of a document.

use std::fmt::Write as _;

use html5ever::LocalName;

use super::arena::Fingerprint;
use super::node::{Element, Namespace};
use super::{Attribute, Dom, NodeData, NodeId};
use crate::algorithms::shortened::shortened;
use crate::bounds::page::{MAX_NAME_IN_SELECTOR, MAX_WORD_VALUE};

/// The maximum length of an element's snippet, in characters.
const SNIPPET_CHARS: usize = 200;

/// The maximum number of descendants that a snippet is made from.
const SNIPPET_NODES: usize = 2_000;

/// Siblings that are counted to find the position of an element whose name says too little.
const MAX_SIBLINGS: usize = 1_000;

/// The number of children up to which they are counted instead of looked up.
const FEW_CHILDREN: usize = 64;

/// An element of a [`Dom`].
#[derive(Debug, Clone, Copy)]
pub struct ElementRef<'a> {
    dom: &'a Dom,
    id: NodeId,
    data: &'a Element,
}

impl PartialEq for ElementRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.dom, other.dom)
    }
}

impl Eq for ElementRef<'_> {}

impl<'a> ElementRef<'a> {
    pub(super) const fn new(dom: &'a Dom, id: NodeId, data: &'a Element) -> Self {
        Self { dom, id, data }
    }

    /// The node's id.
    #[must_use]
    pub const fn id(self) -> NodeId {
        self.id
    }

    /// The document that contains the element.
    #[must_use]
    pub const fn dom(self) -> &'a Dom {
        self.dom
    }

    /// The local name; lower-case in HTML.
    #[must_use]
    #[inline]
    pub fn name(self) -> &'a str {
        self.dom.arena.name(self.data).map_or("", |name| name)
    }

    /// The index of the local name in [`Dom::names`].
    #[inline]
    pub(crate) fn name_place(self) -> usize {
        usize::try_from(self.data.name).unwrap_or(usize::MAX)
    }

    /// Whether this is the HTML element with this name.
    #[must_use]
    #[inline]
    pub fn is(self, name: &str) -> bool {
        self.data.namespace == Namespace::Html && self.name() == name
    }

    /// Whether this is an HTML element, not SVG or MathML.
    #[must_use]
    #[inline]
    pub fn is_html(self) -> bool {
        self.data.namespace == Namespace::Html
    }

    /// Whether this is an SVG element.
    #[must_use]
    pub fn is_svg(self) -> bool {
        self.data.namespace == Namespace::Svg
    }

    /// The attribute's value, if the element has it. Names are lower-case in HTML.
    #[must_use]
    #[inline]
    pub fn attr(self, name: &str) -> Option<&'a str> {
        self.attr_by_fingerprint(name, Fingerprint::new(name))
    }

    /// Separate from [`ElementRef::attr`], so that the fingerprint of a constant name is computed at compile time.
    fn attr_by_fingerprint(self, name: &str, fingerprint: Fingerprint) -> Option<&'a str> {
        let arena = &self.dom.arena;
        arena
            .attributes(self.data)
            .iter()
            .find(|attribute| attribute.is_named(name, fingerprint))
            .map(|attribute| arena.text(attribute.value))
    }

    /// Whether the element has the attribute, with any value.
    #[must_use]
    #[inline]
    pub fn has_attr(self, name: &str) -> bool {
        self.attr(name).is_some()
    }

    /// Whether the attribute's value equals `value`, ignoring ASCII case and surrounding white space. Values
    /// longer than 4,096 bytes never match.
    #[must_use]
    pub fn attr_is(self, name: &str, value: &str) -> bool {
        self.attr(name)
            .filter(|found| found.len() <= MAX_WORD_VALUE)
            .is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(value))
    }

    /// Whether the attribute is a space-separated list that contains `token`, ignoring ASCII case.
    #[must_use]
    pub fn has_token(self, name: &str, token: &str) -> bool {
        self.attr(name).is_some_and(|list| {
            list.split_ascii_whitespace()
                .any(|found| found.eq_ignore_ascii_case(token))
        })
    }

    /// The attributes in source order.
    pub fn attrs(self) -> impl Iterator<Item = Attribute<'a>> {
        let arena = &self.dom.arena;
        arena
            .attributes(self.data)
            .iter()
            .map(|attribute| Attribute {
                name: &attribute.name,
                value: arena.text(attribute.value),
            })
    }

    /// The attributes in source order, with interned names.
    pub(crate) fn interned_attrs(self) -> impl Iterator<Item = (&'a LocalName, &'a str)> {
        let arena = &self.dom.arena;
        arena
            .attributes(self.data)
            .iter()
            .map(|attribute| (&attribute.name, arena.text(attribute.value)))
    }

    /// The source line on which the start tag ends, from 1.
    #[must_use]
    pub fn line(self) -> u32 {
        self.dom.line(self.id)
    }

    /// The parent element; `None` for the root element.
    #[must_use]
    pub fn parent(self) -> Option<ElementRef<'a>> {
        self.dom.parent(self.id).and_then(|id| self.dom.element(id))
    }

    /// The ancestor elements, nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = ElementRef<'a>> {
        let dom = self.dom;
        dom.ancestors(self.id).filter_map(move |id| dom.element(id))
    }

    /// The nearest ancestor with this HTML name.
    #[must_use]
    pub fn closest(self, name: &str) -> Option<ElementRef<'a>> {
        self.ancestors().find(|ancestor| ancestor.is(name))
    }

    /// The child elements in order.
    pub fn children(self) -> impl Iterator<Item = ElementRef<'a>> {
        let dom = self.dom;
        dom.children(self.id).filter_map(move |id| dom.element(id))
    }

    /// The descendant elements in document order, without template contents.
    pub fn descendants(self) -> impl Iterator<Item = ElementRef<'a>> {
        let dom = self.dom;
        dom.descendants(self.id)
            .filter_map(move |id| dom.element(id))
    }

    /// The text of all descendants, as in the source.
    #[must_use]
    pub fn raw_text(self) -> String {
        let mut text = String::new();
        for id in self.dom.descendants(self.id) {
            if let Some(NodeData::Text(run)) = self.dom.data(id) {
                text.push_str(run);
            }
        }
        text
    }

    /// The text of all descendants, with white space collapsed and trimmed.
    #[must_use]
    pub fn text(self) -> String {
        normalize_space(&self.raw_text())
    }

    /// The text as [`ElementRef::text`] returns it, truncated to `most_bytes` bytes.
    pub(crate) fn text_start(self, most_bytes: usize) -> String {
        let mut text = String::new();
        for id in self.dom.descendants(self.id) {
            if let Some(NodeData::Text(run)) = self.dom.data(id) {
                let end = run.floor_char_boundary(most_bytes - text.len());
                text.push_str(run.get(..end).unwrap_or(run));
                if text.len() + 4 > most_bytes {
                    break;
                }
            }
        }
        normalize_space(&text)
    }

    /// A CSS selector that matches this element and no other of the document: `#id` if the id is a plain name that
    /// no other element has, otherwise a path from the nearest ancestor with such an id or from the root. `None` if
    /// it is longer than `most_bytes` bytes, which only happens with extreme names or depths, or if the element is
    /// among very many siblings of SVG or MathML.
    #[must_use]
    pub fn selector(self, most_bytes: usize) -> Option<String> {
        const SEPARATOR: &str = " > ";
        let mut steps = Vec::new();
        let mut length = 0;
        let mut current = Some(self);
        while let Some(element) = current {
            let id = element.attr("id").filter(|id| is_plain_identifier(id));
            if let Some(id) = id.filter(|id| !self.dom.is_repeated_id(id)) {
                steps.push(format!("#{id}"));
                break;
            }
            let step = element.step()?;
            length += step.len() + SEPARATOR.len();
            if length > most_bytes + SEPARATOR.len() {
                return None;
            }
            steps.push(step);
            current = element.parent();
        }
        steps.reverse();
        let selector = steps.join(SEPARATOR);
        (selector.len() <= most_bytes).then_some(selector)
    }

    /// The part of a selector that distinguishes the element from its siblings.
    fn step(self) -> Option<String> {
        let Some(parent) = self.parent() else {
            let root = if self.dom.has_inner_html() {
                ":root"
            } else {
                "html"
            };
            return Some(root.to_owned());
        };
        let name = self.name();
        // A type selector matches names of every namespace, and `:nth-of-type` counts those of one.
        if !is_plain_name(name) || !parent.is_html() {
            let mut siblings = parent.children().take(MAX_SIBLINGS);
            let position = siblings.position(|sibling| sibling == self)? + 1;
            return Some(if is_plain_name(name) {
                format!("{name}:nth-child({position})")
            } else {
                format!("*:nth-child({position})")
            });
        }
        Some(match self.nth_of_type() {
            Some((position, count)) if count > 1 => {
                format!("{name}:nth-of-type({position})")
            }
            _ => name.to_owned(),
        })
    }

    /// The element's position among siblings of its type, from 1, and their number. Up to a limit the siblings are
    /// counted; beyond it they are looked up, because many failing siblings would otherwise cost quadratic time.
    fn nth_of_type(self) -> Option<(u32, u32)> {
        let parent = self.parent()?;
        if parent.children().nth(FEW_CHILDREN).is_some() {
            return self.dom.nth_of_type(self.id);
        }
        let (mut position, mut count) = (0, 0);
        for twin in parent
            .children()
            .filter(|child| child.data.name == self.data.name)
        {
            count += 1;
            if twin == self {
                position = count;
            }
        }
        Some((position, count))
    }

    /// As much of the text as a snippet can show, without scripts and style sheets.
    fn beginning_of_text(self) -> String {
        let mut text = String::new();
        let mut walk = self.dom.descendants(self.id);
        for _ in 0..SNIPPET_NODES {
            let Some(id) = walk.next() else {
                break;
            };
            match self.dom.data(id) {
                Some(NodeData::Text(run)) => {
                    let most = run.floor_char_boundary(4 * SNIPPET_CHARS + 1);
                    text.push_str(run.get(..most).unwrap_or(run));
                }
                Some(NodeData::Element(inner)) if matches!(inner.name(), "script" | "style") => {
                    walk.skip_children(id);
                }
                _ => {}
            }
            if text.len() > 4 * SNIPPET_CHARS {
                break;
            }
        }
        normalize_space(&text)
    }

    /// The start tag and the beginning of the text, at most 200 characters.
    #[must_use]
    pub fn snippet(self) -> String {
        let mut out = format!("<{}", shortened(self.name(), SNIPPET_CHARS));
        for attribute in self.attrs() {
            if out.len() > 4 * SNIPPET_CHARS {
                break;
            }
            // Long values, such as inline images and styles, would displace everything else.
            let value = shortened(attribute.value, 80);
            let _ = write!(
                out,
                " {}=\"{}\"",
                shortened(attribute.name, SNIPPET_CHARS),
                value.replace('"', "&quot;")
            );
        }
        out.push('>');
        // The text of a whole document or of a script does not describe the element itself.
        if !matches!(self.name(), "html" | "head" | "body" | "script" | "style") {
            out.push_str(&self.beginning_of_text());
        }
        normalize_space(&shortened(&out, SNIPPET_CHARS))
    }
}

/// Whether the name of an element can be used in a selector as it is.
fn is_plain_name(name: &str) -> bool {
    name.len() <= MAX_NAME_IN_SELECTOR
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn is_plain_identifier(id: &str) -> bool {
    id.len() <= MAX_NAME_IN_SELECTOR
        && id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// Collapses white space into single spaces and trims the text.
#[must_use]
pub fn normalize_space(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_words(&mut out, text);
    out
}

/// Whether the text is certainly collapsed already. The result may be false for collapsed text, for example with
/// non-ASCII letters.
pub(crate) fn is_collapsed(text: &str) -> bool {
    // No early exit, so that the compiler can vectorize the loop.
    let plain = text
        .bytes()
        .fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    let pairs = text.bytes().zip(text.bytes().skip(1));
    plain && !pairs.fold(false, |double, pair| double | (pair == (b' ', b' ')))
}

/// Appends the words of a text, separated by single spaces.
pub(crate) fn push_words(out: &mut String, text: &str) {
    let mut first = true;
    let mut push = |word: &str| {
        if !first {
            out.push(' ');
        }
        out.push_str(word);
        first = false;
    };
    // Splitting bytes is faster than splitting characters. The vertical tab is white space only as a character.
    if text.is_ascii() && memchr::memchr(0x0B, text.as_bytes()).is_none() {
        // Most lines are collapsed already and are appended as a whole.
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
            let line = text.get(start..end).unwrap_or_default().trim_ascii();
            start = end + 1;
            if !is_collapsed(line) {
                line.split_ascii_whitespace().for_each(&mut push);
            } else if !line.is_empty() {
                push(line);
            }
        }
    } else {
        text.split_whitespace().for_each(&mut push);
    }
}
