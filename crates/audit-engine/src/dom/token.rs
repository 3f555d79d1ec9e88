//! The tokens that the tree builder consumes.

use std::borrow::Cow;

use html5ever::LocalName;

use super::tag::Tag;

/// A tag name in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagName {
    pub(super) local: LocalName,
    pub(super) tag: Tag,
}

impl TagName {
    pub(super) fn new(name: &str) -> Self {
        Self {
            tag: Tag::from_name(name),
            local: LocalName::from(name),
        }
    }
}

/// An attribute of a start tag, without duplicates.
#[derive(Debug, Clone)]
pub(super) struct TagAttribute<'a> {
    pub(super) name: LocalName,
    pub(super) value: Cow<'a, str>,
}

/// A start tag.
#[derive(Debug, Clone)]
pub(super) struct StartTag<'t, 'a> {
    pub(super) name: TagName,
    pub(super) attributes: &'t [TagAttribute<'a>],
    pub(super) self_closing: bool,
    /// Whether the tag repeated an attribute.
    pub(super) repeats: bool,
}

impl StartTag<'_, '_> {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|own| &*own.name == name);
        found.map(|own| &*own.value)
    }
}

/// How the tokenizer must continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// As markup.
    Markup,
    /// As text with character references, up to an end tag.
    Rcdata,
    /// As text, up to an end tag.
    Rawtext,
    /// As a script, up to an end tag.
    Script,
    /// As text, to the end of the document.
    Plaintext,
}
