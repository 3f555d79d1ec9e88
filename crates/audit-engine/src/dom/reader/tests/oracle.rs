//! Parses documents with html5ever alone, as the reference for tests.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, QualName, ns};

use crate::dom::arena::Arena;
use crate::dom::node::{Namespace, Stored};
use crate::dom::reader::with_line_feeds;
use crate::dom::token::TagAttribute;
use crate::dom::{Doctype, Dom, NodeId, ParseError, Quirks};

const MAX_ERRORS: usize = 200;

/// Parses the document with html5ever's tokenizer and tree builder.
pub(super) fn parse(html: &str, opts: TokenizerOpts) -> Dom {
    let html = with_line_feeds(html.strip_prefix('\u{feff}').unwrap_or(html));
    // As in a browser with scripting enabled: the content of `noscript` is not rendered.
    let builder_opts = TreeBuilderOpts {
        scripting_enabled: true,
        ..TreeBuilderOpts::default()
    };
    let builder = TreeBuilder::new(Sink::with_room_for(&html), builder_opts);
    let tokenizer = Tokenizer::new(builder, opts);
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(&html));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.sink.finish()
}

struct Sink {
    arena: RefCell<Arena>,
    errors: RefCell<Vec<ParseError>>,
    error_count: Cell<u64>,
    duplicate_attributes: RefCell<Vec<NodeId>>,
    doctype: RefCell<Option<Doctype>>,
    quirks: Cell<Quirks>,
    line: Cell<u32>,
}

impl Sink {
    fn with_room_for(html: &str) -> Self {
        Self {
            arena: RefCell::new(Arena::with_room_for(html, Arc::default())),
            errors: RefCell::default(),
            error_count: Cell::new(0),
            duplicate_attributes: RefCell::default(),
            doctype: RefCell::new(None),
            quirks: Cell::new(Quirks::None),
            line: Cell::new(1),
        }
    }

    fn place(&self, parent: NodeId, child: NodeOrText<Handle>, before: Option<NodeId>) {
        let mut arena = self.arena.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) => arena.insert(parent, child.id, before),
            NodeOrText::AppendText(text) => {
                arena.insert_text(parent, &text, before, self.line.get());
            }
        }
    }

    fn add_comment(&self, text: &str) -> Handle {
        let mut arena = self.arena.borrow_mut();
        let span = arena.push_text(text);
        Handle::without_name(arena.add(Stored::Comment(span), self.line.get()))
    }
}

/// A node, with its name if it is an element, because the tree builder requests it often.
#[derive(Debug, Clone)]
struct Handle {
    id: NodeId,
    namespace: Option<Namespace>,
    local: LocalName,
    /// Whether it is an `annotation-xml` that contains HTML.
    is_integration_point: bool,
}

impl Handle {
    fn without_name(id: NodeId) -> Self {
        Self {
            id,
            namespace: None,
            local: LocalName::default(),
            is_integration_point: false,
        }
    }
}

impl ElemName for &Handle {
    fn ns(&self) -> &html5ever::Namespace {
        static NONE: html5ever::Namespace = ns!();
        static HTML: html5ever::Namespace = ns!(html);
        static SVG: html5ever::Namespace = ns!(svg);
        static MATHML: html5ever::Namespace = ns!(mathml);
        match self.namespace {
            None => &NONE,
            Some(Namespace::Html) => &HTML,
            Some(Namespace::Svg) => &SVG,
            Some(Namespace::MathMl) => &MATHML,
        }
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Dom;
    type ElemName<'a> = &'a Handle;

    fn finish(self) -> Dom {
        Dom {
            arena: self.arena.into_inner().settled(),
            errors: self.errors.into_inner(),
            error_count: self.error_count.get(),
            duplicate_attributes: self.duplicate_attributes.into_inner(),
            scopes: Vec::new(),
            doctype: self.doctype.into_inner(),
            quirks: self.quirks.get(),
            places: std::sync::OnceLock::new(),
            repeated: std::sync::OnceLock::new(),
            used_annotation_rule: false,
        }
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        self.error_count
            .set(self.error_count.get().saturating_add(1));
        let mut errors = self.errors.borrow_mut();
        if errors.len() < MAX_ERRORS {
            errors.push(ParseError {
                line: self.line.get(),
                message,
                element: None,
            });
        }
    }

    fn get_document(&self) -> Handle {
        Handle::without_name(NodeId::DOCUMENT)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> &'a Handle {
        target
    }

    fn create_element(
        &self,
        name: QualName,
        attrs: Vec<html5ever::Attribute>,
        flags: ElementFlags,
    ) -> Handle {
        let mut arena = self.arena.borrow_mut();
        let line = self.line.get();
        let template_contents = flags.template.then(|| arena.add(Stored::Document, line));
        let namespace = match name.ns {
            ns!(svg) => Namespace::Svg,
            ns!(mathml) => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let local = name.local.clone();
        let attributes = attributes(attrs);
        let (id, _) =
            arena.add_element(&name.local, namespace, &attributes, template_contents, line);
        if flags.had_duplicate_attributes {
            self.duplicate_attributes.borrow_mut().push(id);
        }
        Handle {
            id,
            namespace: Some(namespace),
            local,
            is_integration_point: flags.mathml_annotation_xml_integration_point,
        }
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.add_comment(&text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.add_comment(&format!("{target} {data}"))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let bounded = {
            let mut arena = self.arena.borrow_mut();
            arena.bounded(parent.id)
        };
        self.place(bounded, child, None);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        let has_parent = self
            .arena
            .borrow()
            .node(element.id)
            .is_some_and(|node| node.parent.is_some());
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(
        &self,
        name: StrTendril,
        public_id: StrTendril,
        system_id: StrTendril,
    ) {
        *self.doctype.borrow_mut() = Some(Doctype {
            name: String::from(&*name),
            public_id: String::from(&*public_id),
            system_id: String::from(&*system_id),
        });
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        let arena = self.arena.borrow();
        match arena.node(target.id).map(|node| &node.stored) {
            Some(Stored::Element(element)) => match element.template_contents {
                Some(contents) => Handle::without_name(contents),
                None => target.clone(),
            },
            _ => target.clone(),
        }
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        x.id == y.id
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(match mode {
            QuirksMode::Quirks => Quirks::Full,
            QuirksMode::LimitedQuirks => Quirks::Limited,
            QuirksMode::NoQuirks => Quirks::None,
        });
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        let parent = self
            .arena
            .borrow()
            .node(sibling.id)
            .and_then(|node| node.parent);
        match parent {
            Some(parent) => self.place(parent, new_node, Some(sibling.id)),
            None => self.append(sibling, new_node),
        }
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<html5ever::Attribute>) {
        self.arena
            .borrow_mut()
            .add_missing_attributes(target.id, &attributes(attrs));
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.arena.borrow_mut().detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.arena
            .borrow_mut()
            .move_children(node.id, new_parent.id);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        target.is_integration_point
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(u32::try_from(line).unwrap_or(u32::MAX));
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &Handle) -> bool {
        false
    }
}

fn attributes(attributes: Vec<html5ever::Attribute>) -> Vec<TagAttribute<'static>> {
    let attributes = attributes.into_iter();
    attributes
        .map(|attribute| TagAttribute {
            value: Cow::Owned(String::from(&*attribute.value)),
            name: full_name(attribute),
        })
        .collect()
}

/// The name with its prefix, as in source text.
fn full_name(attribute: html5ever::Attribute) -> LocalName {
    match &attribute.name.prefix {
        Some(prefix) if !prefix.is_empty() => {
            LocalName::from(format!("{prefix}:{}", attribute.name.local))
        }
        _ => attribute.name.local,
    }
}
