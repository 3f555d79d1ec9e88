//! Traits of elements that many checks need, computed once.
//!
//! A page has hundreds of elements and is read by more than a hundred checks. Each of them needs few elements:
//! the headings, the fields, those with a role. [`Traits`] select those without reading names and attributes
//! again.

use std::collections::HashMap;
use std::sync::LazyLock;

use html5ever::LocalName;

use super::names::{self, EDGE_NAMES, NAVIGATION_NAMES};
use super::visibility::hides;
use crate::algorithms::recent::Recent;
use crate::algorithms::shapes::Shapes;
use crate::dom::{Dom, ElementRef, NodeId};

/// A set of traits of an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traits(u32);

impl Traits {
    /// HTML: `h1` to `h6`.
    pub(crate) const HEADING: Self = Self(1);
    /// HTML: a list, a list item or a part of one.
    pub(crate) const LIST_PART: Self = Self(1 << 1);
    /// HTML: `input`, `select` or `textarea`.
    pub(crate) const FIELD: Self = Self(1 << 2);
    /// HTML: `main` or `article`.
    pub(crate) const MAIN_PART: Self = Self(1 << 3);
    /// HTML: a kind of block whose class or id may mark it as navigation.
    pub(crate) const NAMED_BLOCK: Self = Self(1 << 4);
    /// HTML: joins the surrounding text in an accessible name.
    pub(crate) const JOINS: Self = Self(1 << 5);
    /// Its native markup may provide an accessible name, in addition to ARIA.
    pub(crate) const NAMES_ITSELF: Self = Self(1 << 6);
    /// HTML: never rendered.
    pub(crate) const UNRENDERED: Self = Self(1 << 7);
    /// HTML: its content is only a fallback.
    pub(crate) const WITH_FALLBACK: Self = Self(1 << 8);
    /// By name, in any namespace: inline.
    pub(crate) const INLINE: Self = Self(1 << 9);
    /// By name, in any namespace: its content is not visible.
    pub(crate) const UNSEEN: Self = Self(1 << 10);
    /// By name, in any namespace: its content is not prose.
    pub(crate) const NOT_PROSE: Self = Self(1 << 11);
    /// By name, in any namespace: its content is outside the main text, as in a header or a navigation.
    pub(crate) const AROUND_MAIN: Self = Self(1 << 12);
    /// By name, in any namespace: `a`.
    pub(crate) const ANCHOR: Self = Self(1 << 13);
    /// Has `role`.
    pub(crate) const ROLE: Self = Self(1 << 14);
    /// Has an attribute whose name begins with `aria-`.
    pub(crate) const ARIA: Self = Self(1 << 15);
    /// Has `lang`.
    pub(crate) const LANG: Self = Self(1 << 16);
    /// Has `tabindex`.
    pub(crate) const TABINDEX: Self = Self(1 << 17);
    /// Has an HTML attribute that refers to ids.
    pub(crate) const REFERS: Self = Self(1 << 18);
    /// Has an attribute of a client-side template engine.
    pub(crate) const TEMPLATED: Self = Self(1 << 19);
    /// Its own markup hides it.
    pub(crate) const HIDDEN: Self = Self(1 << 20);
    /// Its class or id marks it as navigation.
    pub(crate) const CALLED_NAVIGATION: Self = Self(1 << 21);
    /// Its class or id marks it as a header or a footer.
    pub(crate) const CALLED_EDGE: Self = Self(1 << 22);
    /// HTML: `img`.
    pub(crate) const IMAGE: Self = Self(1 << 23);
    /// SVG: any element.
    pub(crate) const SVG: Self = Self(1 << 24);
    /// HTML: `button` or `summary`.
    pub(crate) const BUTTON: Self = Self(1 << 25);
    /// HTML: `dialog`, `meter` or `progress`.
    pub(crate) const WIDGET: Self = Self(1 << 26);
    /// HTML: `iframe` or `frame`.
    pub(crate) const FRAME: Self = Self(1 << 27);
    /// Has `inert`.
    pub(crate) const INERT: Self = Self(1 << 28);
    /// Has `popover`.
    pub(crate) const POPOVER: Self = Self(1 << 29);
    /// Has `style`.
    pub(crate) const STYLED: Self = Self(1 << 30);
    /// Has `itemscope` or `itemprop`.
    pub(crate) const ITEM: Self = Self(1 << 31);

    /// Traits that few elements of most pages have, and that most element checks need.
    const RARE: Self = Self::HEADING
        .or(Self::FIELD)
        .or(Self::MAIN_PART)
        .or(Self::WITH_FALLBACK)
        .or(Self::ROLE)
        .or(Self::ARIA)
        .or(Self::LANG)
        .or(Self::TABINDEX)
        .or(Self::REFERS)
        .or(Self::TEMPLATED)
        .or(Self::HIDDEN)
        .or(Self::IMAGE)
        .or(Self::SVG)
        .or(Self::BUTTON)
        .or(Self::WIDGET)
        .or(Self::FRAME)
        .or(Self::INERT)
        .or(Self::POPOVER)
        .or(Self::STYLED)
        .or(Self::ITEM);

    /// Traits by name that elements of SVG and MathML can have as well.
    const OF_ANY_NAMESPACE: Self = Self::INLINE
        .or(Self::UNSEEN)
        .or(Self::NOT_PROSE)
        .or(Self::AROUND_MAIN)
        .or(Self::ANCHOR);

    /// The union of both sets.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the set contains one of these traits.
    pub(crate) const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    const fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The traits of an element name, as if it were HTML.
    fn of_name(name: &str) -> Self {
        const LISTS: [(Traits, &[&str]); 18] = [
            (Traits::HEADING, &["h1", "h2", "h3", "h4", "h5", "h6"]),
            (Traits::LIST_PART, &["ul", "ol", "dl", "li", "dt", "dd"]),
            (Traits::FIELD, &["input", "select", "textarea"]),
            (Traits::MAIN_PART, &["main", "article"]),
            (Traits::NAMED_BLOCK, &names::NAMED_BLOCKS),
            (Traits::JOINS, &names::JOINING),
            (Traits::NAMES_ITSELF, &names::NAMING_THEMSELVES),
            (Traits::UNRENDERED, &names::UNRENDERED),
            (Traits::WITH_FALLBACK, &names::WITH_FALLBACK),
            (Traits::INLINE, &names::INLINE),
            (Traits::UNSEEN, &names::UNSEEN),
            (Traits::NOT_PROSE, &names::NOT_PROSE),
            (Traits::AROUND_MAIN, &names::BOILERPLATE),
            (Traits::ANCHOR, &["a"]),
            (Traits::IMAGE, &["img"]),
            (Traits::BUTTON, &["button", "summary"]),
            (Traits::WIDGET, &["dialog", "meter", "progress"]),
            (Traits::FRAME, &["iframe", "frame"]),
        ];
        static TABLE: LazyLock<HashMap<&str, Traits>> = LazyLock::new(|| {
            let mut table: HashMap<&str, Traits> = HashMap::new();
            for (one, names) in LISTS {
                for name in names {
                    let found = table.entry(name).or_default();
                    *found = found.or(one);
                }
            }
            table
        });
        TABLE.get(name).copied().unwrap_or_default()
    }

    /// The traits of an attribute by its name alone.
    fn of_attribute(name: &str) -> Self {
        /// Attribute prefixes of client-side template engines.
        const TEMPLATES: [&str; 6] = ["ng-", "data-ng-", "v-", "x-data", ":", "@"];
        match name {
            "role" => Self::ROLE,
            "lang" => Self::LANG,
            "tabindex" => Self::TABINDEX,
            "for" | "form" | "list" | "headers" | "popovertarget" | "commandfor" => Self::REFERS,
            "hidden" => Self::HIDDEN,
            "inert" => Self::INERT,
            "popover" => Self::POPOVER,
            "style" => Self::STYLED,
            "itemscope" | "itemprop" => Self::ITEM,
            _ if name.starts_with("aria-") => Self::ARIA,
            _ if TEMPLATES.iter().any(|prefix| name.starts_with(prefix)) => Self::TEMPLATED,
            _ => Self::default(),
        }
    }
}

/// The traits of all elements of a document.
#[derive(Debug)]
pub(crate) struct TraitTable {
    of_node: Vec<Traits>,
    /// The elements with a trait of [`Traits::RARE`], in the order in which they were read.
    rare: Vec<(NodeId, Traits)>,
}

impl TraitTable {
    /// The traits of an element of the document. Any other node, such as one within a template, is inline and
    /// has no other trait.
    #[inline]
    pub(crate) fn get(&self, id: NodeId) -> Traits {
        let of_node = self.of_node.get(id.index());
        of_node.copied().unwrap_or(Traits::INLINE)
    }

    /// The elements that have one of these traits, in the order in which they were read. `all` are all elements
    /// in that order.
    pub(super) fn having<'a>(&'a self, any: Traits, all: &'a [NodeId]) -> Having<'a> {
        if any.is_within(Traits::RARE) {
            Having::Rare(any, self.rare.iter())
        } else {
            Having::Any(any, self, all.iter())
        }
    }
}

/// Elements that have one of some traits.
pub(super) enum Having<'a> {
    Rare(Traits, std::slice::Iter<'a, (NodeId, Traits)>),
    Any(Traits, &'a TraitTable, std::slice::Iter<'a, NodeId>),
}

impl Iterator for Having<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        match self {
            Self::Rare(any, rare) => {
                let found = rare.find(|(_, traits)| traits.has(*any));
                found.map(|(id, _)| *id)
            }
            Self::Any(any, table, all) => all.find(|id| table.get(**id).has(*any)).copied(),
        }
    }
}

/// Fills a [`TraitTable`]. Elements are read in document order.
pub(super) struct TraitReader<'a> {
    table: Vec<Traits>,
    rare: Vec<(NodeId, Traits)>,
    /// The traits of each name of the document, in the order of [`Dom::names`].
    names: Vec<Traits>,
    attributes: Known<'a>,
    called: Recent<'a, Traits>,
}

impl<'a> TraitReader<'a> {
    pub(super) fn new(dom: &Dom) -> Self {
        Self {
            table: vec![Traits::INLINE; dom.len()],
            rare: Vec::with_capacity(dom.len() / 16),
            names: dom.names().map(Traits::of_name).collect(),
            attributes: Known::default(),
            called: Recent::default(),
        }
    }

    /// Reads an element, and returns its id.
    pub(super) fn read(&mut self, element: ElementRef<'a>) -> Option<&'a str> {
        let named = self.names.get(element.name_place()).copied();
        let mut traits = named.unwrap_or_default();
        if !element.is_html() {
            traits = traits
                .and(Traits::OF_ANY_NAMESPACE)
                .or(Traits::NAMES_ITSELF);
            if element.is_svg() {
                traits = traits.or(Traits::SVG);
            }
        }
        let mut id = None;
        for (name, value) in element.interned_attrs() {
            traits = traits.or(self.attributes.get(name));
            match &**name {
                "class" => traits = traits.or(self.called(value)),
                "id" => {
                    traits = traits.or(self.called(value));
                    id = Some(value);
                }
                "style" if hides(value) => traits = traits.or(Traits::HIDDEN),
                _ => {}
            }
        }
        if let Some(of_element) = self.table.get_mut(element.id().index()) {
            *of_element = traits;
        }
        if traits.has(Traits::RARE) {
            self.rare.push((element.id(), traits));
        }
        id
    }

    pub(super) fn finish(self) -> TraitTable {
        TraitTable {
            of_node: self.table,
            rare: self.rare,
        }
    }

    fn called(&mut self, words: &'a str) -> Traits {
        self.called.get(0, words, || called(words))
    }
}

/// The traits of the words in a `class` or an `id`.
fn called(words: &str) -> Traits {
    static NAVIGATION: LazyLock<Shapes> = LazyLock::new(|| Shapes::from_words(&NAVIGATION_NAMES));
    static EDGES: LazyLock<Shapes> = LazyLock::new(|| Shapes::from_words(&EDGE_NAMES));
    let mut traits = Traits::default();
    for word in words.split_ascii_whitespace() {
        if NAVIGATION.may_have(word) && is_among(word, &NAVIGATION_NAMES) {
            traits = traits.or(Traits::CALLED_NAVIGATION);
        } else if EDGES.may_have(word) && is_among(word, &EDGE_NAMES) {
            traits = traits.or(Traits::CALLED_EDGE);
        }
    }
    traits
}

fn is_among(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// The traits of the attribute names so far; a page has a few dozen different ones.
#[derive(Default)]
struct Known<'a> {
    found: Vec<(&'a LocalName, Traits)>,
}

impl<'a> Known<'a> {
    /// More names than ordinary pages have. Further names are not cached.
    const MAX_CACHED_NAMES: usize = 64;

    fn get(&mut self, name: &'a LocalName) -> Traits {
        if let Some((_, traits)) = self.found.iter().find(|(known, _)| *known == name) {
            return *traits;
        }
        let traits = Traits::of_attribute(name);
        if self.found.len() < Self::MAX_CACHED_NAMES {
            self.found.push((name, traits));
        }
        traits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Traits {
        /// The trait at this bit of the set.
        pub(crate) const fn bit(place: u32) -> Self {
            Self(1 << place)
        }
    }

    impl TraitTable {
        pub(crate) fn new(dom: &Dom) -> Self {
            let mut reader = TraitReader::new(dom);
            for id in dom.descendants(dom.document()) {
                dom.element(id).map(|element| reader.read(element));
            }
            reader.finish()
        }
    }

    fn traits(html: &str, name: &str) -> Traits {
        let dom = Dom::parse(html);
        let table = TraitTable::new(&dom);
        let found = dom
            .descendants(dom.document())
            .filter_map(|id| dom.element(id))
            .find(|element| element.name() == name);
        found.map_or_else(Traits::default, |element| table.get(element.id()))
    }

    #[test]
    fn names_and_attributes_give_traits() {
        let found = traits("<h2 role=x lang=en class='Menu b'>", "h2");
        for one in [
            Traits::HEADING,
            Traits::ROLE,
            Traits::LANG,
            Traits::CALLED_NAVIGATION,
        ] {
            assert!(found.has(one), "{one:?}");
        }
        assert!(!found.has(Traits::ARIA.or(Traits::HIDDEN).or(Traits::LIST_PART)));
    }

    #[test]
    fn html_names_give_no_traits_in_svg() {
        let found = traits("<svg><select lang=x /></svg>", "select");
        assert!(found.has(Traits::LANG) && !found.has(Traits::FIELD));
        assert!(traits("<svg><desc>", "desc").has(Traits::SVG));
    }

    #[test]
    fn a_page_with_very_many_names_has_all_traits() {
        let others: String = (0..200).map(|n| format!("<x{n} a{n}></x{n}>")).collect();
        let found = traits(&format!("{others}<h3 aria-x=y style='display:none'>"), "h3");
        assert!(found.has(Traits::HEADING) && found.has(Traits::ARIA) && found.has(Traits::HIDDEN));
    }
}
