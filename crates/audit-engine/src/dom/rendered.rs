//! Builds a tree from the nodes of a browser, in document order and with the limits of the parser.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use html5ever::LocalName;

use super::arena::Arena;
use super::limit::{MAX_ATTRIBUTES, MAX_LONG_NAMES};
use super::node::{Namespace, Stored};
use super::token::TagAttribute;
use super::tree::quirks_of;
use super::{Doctype, Dom, Limit, NodeId, ParseError, Quirks};

/// Names of up to seven bytes are stored in place, and are not limited.
const SHORT_NAME: usize = 7;

/// The kind of an element's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Markup {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
}

/// A tree that is being built. Nodes beyond a limit are left out, and [`Dom::cut_by`] says so.
#[derive(Debug)]
pub(crate) struct RenderedTree {
    arena: Arena,
    doctype: Option<Doctype>,
    quirks: Quirks,
    long_names: HashSet<LocalName>,
    scopes: Vec<u32>,
}

impl RenderedTree {
    pub(crate) fn new() -> Self {
        Self {
            arena: Arena::with_room_for("", Arc::default()),
            doctype: None,
            // A document without a doctype.
            quirks: Quirks::Full,
            long_names: HashSet::new(),
            scopes: Vec::new(),
        }
    }

    /// The document type.
    pub(crate) fn doctype(&mut self, name: &str, public_id: &str, system_id: &str) {
        self.quirks = quirks_of(name, public_id, system_id);
        self.doctype = Some(Doctype {
            name: name.to_owned(),
            public_id: public_id.to_owned(),
            system_id: system_id.to_owned(),
        });
    }

    /// Whether a limit is reached, so that no further nodes are added.
    pub(crate) const fn is_full(&self) -> bool {
        self.arena.spent.reached().is_some()
    }

    /// Adds an element at the end of its parent, and returns it; none if a limit is reached. Ids in other scopes than
    /// 0 are no ids of the document.
    pub(crate) fn element<'n>(
        &mut self,
        parent: NodeId,
        name: &str,
        markup: Markup,
        attributes: impl Iterator<Item = (&'n str, &'n str)>,
        scope: u32,
    ) -> Option<NodeId> {
        let mut read = Vec::new();
        for (name, value) in attributes {
            if read.len() >= MAX_ATTRIBUTES {
                self.arena.spent.reach(Limit::Attributes);
                return None;
            }
            read.push(TagAttribute {
                name: self.name(name),
                value: Cow::Borrowed(value),
            });
        }
        let namespace = match markup {
            Markup::Html => Namespace::Html,
            Markup::Svg => Namespace::Svg,
            Markup::MathMl => Namespace::MathMl,
        };
        let name = self.name(name);
        if self.is_full() {
            return None;
        }
        let (id, _) = self.arena.add_element(&name, namespace, &read, None, 0);
        let parent = self.arena.bounded(parent);
        self.arena.insert(parent, id, None);
        if scope > 0 {
            self.scopes.resize(id.index() + 1, 0);
            if let Some(own) = self.scopes.last_mut() {
                *own = scope;
            }
        }
        Some(id)
    }

    fn name(&mut self, name: &str) -> LocalName {
        let name = LocalName::from(name);
        if name.len() > SHORT_NAME && !self.long_names.contains(&name) {
            if self.long_names.len() >= MAX_LONG_NAMES {
                self.arena.spent.reach(Limit::Names);
            }
            self.long_names.insert(name.clone());
        }
        name
    }

    /// Adds a text at the end of its parent. It is merged with a text before it.
    pub(crate) fn text(&mut self, parent: NodeId, text: &str) {
        if !text.is_empty() && !self.is_full() {
            let parent = self.arena.bounded(parent);
            self.arena.insert_text(parent, text, None, 0);
        }
    }

    /// Adds a comment at the end of its parent.
    pub(crate) fn comment(&mut self, parent: NodeId, text: &str) {
        if !self.is_full() {
            let parent = self.arena.bounded(parent);
            let span = self.arena.push_text(text);
            let id = self.arena.add(Stored::Comment(span), 0);
            self.arena.insert(parent, id, None);
        }
    }

    /// Returns the tree. Source lines and parse errors come from the tree that was parsed from the source; only elements
    /// that are in both trees have lines.
    pub(crate) fn finish(self, raw: &Dom) -> Dom {
        let mut dom = Dom {
            arena: self.arena.settled(),
            errors: Vec::new(),
            error_count: raw.error_count,
            duplicate_attributes: Vec::new(),
            doctype: self.doctype,
            quirks: self.quirks,
            scopes: self.scopes,
            places: OnceLock::new(),
            repeated: OnceLock::new(),
            #[cfg(test)]
            used_annotation_rule: false,
        };
        let twins = Twins::of(&dom, raw);
        for (id, twin) in twins.pairs() {
            let line = raw.line(twin);
            if let Some(node) = dom.arena.node_mut(id) {
                node.line = line;
            }
        }
        let errors = raw.errors.iter().map(|error| ParseError {
            element: error.element.and_then(|element| twins.rendered(element)),
            ..error.clone()
        });
        dom.errors = errors.collect();
        let repeated = raw.duplicate_attributes.iter();
        dom.duplicate_attributes = repeated.filter_map(|id| twins.rendered(*id)).collect();
        dom
    }
}

/// Which elements of a rendered tree are in the source, too.
#[derive(Debug)]
struct Twins {
    /// The element of the source, by the index of the rendered element.
    raw: Vec<Option<NodeId>>,
    /// The rendered element, by the index of the element of the source.
    rendered: Vec<Option<NodeId>>,
}

impl Twins {
    /// Walks both trees: the children of twins are compared in order, by name and attributes.
    fn of(dom: &Dom, raw: &Dom) -> Self {
        let mut twins = Self {
            raw: vec![None; dom.len()],
            rendered: vec![None; raw.len()],
        };
        let mut open = vec![(dom.document(), raw.document())];
        while let Some((id, twin)) = open.pop() {
            let mut left = raw.children(twin).filter_map(|id| raw.element(id));
            for child in dom.children(id).filter_map(|id| dom.element(id)) {
                // A child without a twin must not use up those of its siblings.
                let mut ahead = left.clone();
                let found = ahead.by_ref().take(LOOK_AHEAD).find(|other| {
                    other.name() == child.name()
                        && IDENTIFYING
                            .iter()
                            .all(|name| other.attr(name) == child.attr(name))
                });
                if let Some(found) = found {
                    left = ahead;
                    twins.join(child.id(), found.id());
                    open.push((child.id(), found.id()));
                }
            }
        }
        twins
    }

    fn join(&mut self, id: NodeId, twin: NodeId) {
        if let Some(place) = self.raw.get_mut(id.index()) {
            *place = Some(twin);
        }
        if let Some(place) = self.rendered.get_mut(twin.index()) {
            *place = Some(id);
        }
    }

    fn rendered(&self, twin: NodeId) -> Option<NodeId> {
        self.rendered.get(twin.index()).copied().flatten()
    }

    fn pairs(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let raw = self.raw.iter().enumerate();
        raw.filter_map(|(index, twin)| Some((NodeId::from_index(index)?, (*twin)?)))
    }
}

/// Siblings of the source that are compared with one rendered element.
const LOOK_AHEAD: usize = 100;

/// Attributes that scripts rarely change, and that tell siblings from each other.
const IDENTIFYING: [&str; 4] = ["id", "name", "href", "src"];

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> std::iter::Empty<(&'static str, &'static str)> {
        std::iter::empty()
    }

    #[test]
    fn elements_that_the_source_has_keep_their_lines() {
        let raw = Dom::parse("<!doctype html>\n<html>\n<body>\n<p id=a>\n<p id=b>");
        let mut tree = RenderedTree::new();
        let html = tree.element(NodeId::DOCUMENT, "html", Markup::Html, none(), 0);
        let body = tree
            .element(html.unwrap(), "body", Markup::Html, none(), 0)
            .unwrap();
        let added = tree.element(body, "p", Markup::Html, none(), 0).unwrap();
        let own = tree.element(body, "p", Markup::Html, [("id", "b")].into_iter(), 0);
        let dom = tree.finish(&raw);
        assert_eq!(dom.line(own.unwrap()), 5);
        assert_eq!(dom.line(added), 0, "a script added it");
        assert_eq!(dom.line(body), 3);
    }

    #[test]
    fn errors_of_the_source_stay() {
        let raw = Dom::parse("<p a=1 a=2>x</nothing>");
        let mut tree = RenderedTree::new();
        let html = tree
            .element(NodeId::DOCUMENT, "html", Markup::Html, none(), 0)
            .unwrap();
        let body = tree.element(html, "body", Markup::Html, none(), 0).unwrap();
        let p = tree
            .element(body, "p", Markup::Html, [("a", "1")].into_iter(), 0)
            .unwrap();
        let dom = tree.finish(&raw);
        assert_eq!(dom.errors().len(), raw.errors().len());
        assert!(!dom.errors().is_empty());
        assert_eq!(dom.duplicate_attributes, [p]);
    }

    #[test]
    fn the_limits_are_those_of_parsing() {
        let mut deep = RenderedTree::new();
        let mut at = NodeId::DOCUMENT;
        for _ in 0..2 * u32::from(super::super::MAX_DEPTH) {
            at = deep.element(at, "div", Markup::Html, none(), 0).unwrap();
        }
        let dom = deep.finish(&Dom::parse(""));
        let depth = dom.ancestors(at).count();
        assert!(depth <= usize::from(super::super::MAX_DEPTH), "{depth}");

        let mut wide = RenderedTree::new();
        let names: Vec<String> = (0..=MAX_ATTRIBUTES).map(|n| format!("a{n}")).collect();
        let all = names.iter().map(|name| (name.as_str(), ""));
        assert_eq!(
            wide.element(NodeId::DOCUMENT, "p", Markup::Html, all, 0),
            None
        );
        assert_eq!(
            wide.finish(&Dom::parse("")).cut_by(),
            Some(Limit::Attributes)
        );

        let mut named = RenderedTree::new();
        for number in 0..MAX_LONG_NAMES + 2 {
            let name = format!("x-element-{number}");
            named.element(NodeId::DOCUMENT, &name, Markup::Html, none(), 0);
        }
        assert_eq!(named.finish(&Dom::parse("")).cut_by(), Some(Limit::Names));
    }
}
