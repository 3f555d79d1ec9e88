//! A sitemap in XML: `urlset` and `sitemapindex`.

use quick_xml::Reader;
use quick_xml::events::attributes::{AttrError, Attributes};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::QName;

use super::loc::{self, Bounded};
use super::markup::{Lines, prefix_of, resolved};
use super::{
    Document, MAX_PROBLEMS, MAX_URLS, NAMESPACE, Sitemap, SitemapKind, SitemapProblemKind, feed,
};

const MAX_EXCERPT_CHARS: usize = 200;

/// Parses the document into `sitemap` up to its end, its first error or its last permitted entry.
pub(super) fn read(document: &Document<'_>, sitemap: &mut Sitemap) -> SitemapKind {
    let mut reader = Reader::from_str(document.text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    // A URL with a bare `&` is the most common mistake. It is reported, and the URL is still read.
    config.allow_dangling_amp = true;
    let start = document.text.trim_start_matches(is_xml_space);
    let begins_late = start.len() < document.text.len();
    let mut parser = Parser {
        document,
        sitemap,
        prefixes: Prefixes::default(),
        lines: Lines::new(document.text),
        root: None,
        refused: None,
        depth: 0,
        entry: None,
        field: None,
        seen: 0,
    };
    if begins_late && start.starts_with("<?xml") {
        parser.not_well_formed("there is white space before the XML declaration");
    }
    if let Some(at) = document.text.find(|c| !is_xml_char(c)) {
        let lines = document.text.get(..at).map_or(1, super::lines_of);
        let reason = "it contains a control character".to_owned();
        parser
            .sitemap
            .problem(SitemapProblemKind::NotWellFormed { reason }, lines);
    }
    loop {
        parser.lines.advance_to(reader.buffer_position());
        let step = match reader.read_event() {
            Ok(event) => parser.event(&event),
            Err(error) => {
                parser.lines.advance_to(reader.error_position());
                parser.broken(&error.to_string())
            }
        };
        if step == Step::Stop {
            let kind = parser.finish();
            return if kind == SitemapKind::Feed {
                feed::read(document, sitemap)
            } else {
                kind
            };
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Go,
    Stop,
}

struct Parser<'a, 'd> {
    document: &'a Document<'d>,
    sitemap: &'a mut Sitemap,
    prefixes: Prefixes,
    lines: Lines<'d>,
    root: Option<Root>,
    /// The result for a root element that is not a sitemap's.
    refused: Option<SitemapKind>,
    /// The number of open elements.
    depth: usize,
    entry: Option<Draft>,
    field: Option<(Field, Bounded)>,
    /// The number of entries that were started.
    seen: usize,
}

struct Root {
    kind: SitemapKind,
    /// The local name of an entry: `url` or `sitemap`.
    entry: &'static str,
    /// The prefix of the protocol's elements; extensions have other prefixes.
    prefix: Option<String>,
}

#[derive(Default)]
struct Draft {
    line: usize,
    loc: Option<Bounded>,
    has_unknown_entity: bool,
    lastmod: Option<Bounded>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Loc,
    Lastmod,
}

impl Parser<'_, '_> {
    fn event(&mut self, event: &Event<'_>) -> Step {
        match event {
            Event::Start(start) => return self.start(start),
            Event::End(_) => {
                self.end();
                self.prefixes.close();
            }
            Event::Text(text) => {
                // The reader ends a text before an ampersand, so a text that starts with one has a bare ampersand.
                if text.starts_with('&') {
                    let reason = "an ampersand is not escaped as &amp;".to_owned();
                    self.problem(SitemapProblemKind::NotWellFormed { reason });
                }
                self.text(text);
            }
            Event::CData(text) => self.text(text),
            Event::GeneralRef(reference) => self.reference(reference),
            Event::Eof => {
                if self.depth > 0 {
                    return self.broken("the document ends before its root element does");
                }
                return Step::Stop;
            }
            Event::Empty(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
        Step::Go
    }

    fn start(&mut self, start: &BytesStart<'_>) -> Step {
        if let Some(reason) = attribute_fault(start) {
            self.not_well_formed(reason);
        }
        if let Some(prefix) = self.prefixes.open(start) {
            self.not_well_formed(&format!(
                "the namespace prefix `{}` is not declared",
                excerpt(&prefix)
            ));
        }
        let step = match self.depth {
            0 => self.start_root(start),
            1 => self.start_entry(start),
            2 => {
                self.start_field(start);
                Step::Go
            }
            _ => Step::Go,
        };
        self.depth = self.depth.saturating_add(1);
        step
    }

    fn start_root(&mut self, start: &BytesStart<'_>) -> Step {
        if self.root.is_some() {
            return self.broken("there is more than one root element");
        }
        let name = start.name();
        let (kind, entry) = match name.local_name().as_ref() {
            "urlset" => (SitemapKind::UrlSet, "url"),
            "sitemapindex" => (SitemapKind::Index, "sitemap"),
            other if feed::is_root(other) => {
                self.refused = Some(SitemapKind::Feed);
                return Step::Stop;
            }
            other => {
                let reason = format!(
                    "its root element is <{}>, not <urlset> or <sitemapindex>",
                    excerpt(other)
                );
                let line = Some(self.lines.line);
                self.refused = Some(SitemapKind::Invalid { reason, line });
                return Step::Stop;
            }
        };
        let prefix = prefix_of(name);
        let found = namespace(start, prefix.as_deref());
        if found.as_deref() != Some(NAMESPACE) {
            self.problem(SitemapProblemKind::WrongNamespace { found });
        }
        self.root = Some(Root {
            kind,
            entry,
            prefix,
        });
        Step::Go
    }

    fn start_entry(&mut self, start: &BytesStart<'_>) -> Step {
        let Some(root) = self.root.as_ref() else {
            return Step::Go;
        };
        if !root.owns(start.name(), root.entry) {
            let local = start.name().local_name();
            let other = matches!(local.as_ref(), "url" | "sitemap");
            if other && prefix_of(start.name()) == root.prefix {
                let kind = SitemapProblemKind::WrongEntry {
                    found: excerpt(local.as_ref()),
                    expected: root.entry,
                };
                self.problem(kind);
            }
            return Step::Go;
        }
        self.seen = self.seen.saturating_add(1);
        if self.seen > MAX_URLS {
            self.sitemap.too_many = true;
            return Step::Stop;
        }
        self.entry = Some(Draft {
            line: self.lines.line,
            ..Draft::default()
        });
        Step::Go
    }

    /// Elements of an extension, such as `image:loc`, are not fields of the entry.
    fn start_field(&mut self, start: &BytesStart<'_>) {
        let (Some(root), Some(entry)) = (self.root.as_ref(), self.entry.as_ref()) else {
            return;
        };
        self.sitemap.names_languages |=
            start.name().local_name().as_ref() == "link" && has_attribute(start, "hreflang");
        self.field = if root.owns(start.name(), "loc") && entry.loc.is_none() {
            Some((Field::Loc, Bounded::default()))
        } else if root.owns(start.name(), "lastmod") && entry.lastmod.is_none() {
            Some((Field::Lastmod, Bounded::default()))
        } else {
            None
        };
    }

    fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        match self.depth {
            1 => self.end_entry(),
            2 => self.end_field(),
            _ => {}
        }
    }

    fn end_field(&mut self) {
        if let (Some((field, text)), Some(entry)) = (self.field.take(), self.entry.as_mut()) {
            match field {
                Field::Loc => entry.loc = Some(text),
                Field::Lastmod => entry.lastmod = Some(text),
            }
        }
    }

    fn end_entry(&mut self) {
        let Some(draft) = self.entry.take() else {
            return;
        };
        let Some(text) = draft.loc.filter(|loc| !loc.trimmed().is_empty()) else {
            self.sitemap
                .problem(SitemapProblemKind::MissingLoc, draft.line);
            return;
        };
        let (url, problem) = if draft.has_unknown_entity {
            (None, Some(SitemapProblemKind::UnknownEntity))
        } else if text.is_full() {
            (None, Some(SitemapProblemKind::LocTooLong))
        } else {
            loc::read(text.trimmed(), self.document.base)
        };
        if let Some(kind) = problem {
            self.sitemap.problem(kind, draft.line);
        }
        let lastmod = draft.lastmod.map(|lastmod| excerpt(lastmod.trimmed()));
        if lastmod.as_deref() == Some("") && self.sitemap.empty_lastmods.len() < MAX_PROBLEMS {
            self.sitemap.empty_lastmods.push(draft.line);
        }
        self.sitemap.entry(
            text.trimmed(),
            lastmod.as_deref(),
            draft.line,
            url.is_some(),
        );
    }

    /// Takes text that is directly inside a field.
    fn text(&mut self, piece: &str) {
        if let (3, Some((_, text))) = (self.depth, self.field.as_mut()) {
            text.push(piece);
        }
    }

    /// Takes a reference. Only character references and the five predefined entities are replaced (XML 1.0,
    /// section 4.6); entities of a DTD never are.
    fn reference(&mut self, reference: &BytesRef<'_>) {
        if let Some(c) = resolved(reference) {
            self.text(c.encode_utf8(&mut [0; 4]));
            return;
        }
        for piece in ["&", reference, ";"] {
            self.text(piece);
        }
        if let (3, Some((Field::Loc, _)), Some(entry)) =
            (self.depth, self.field.as_ref(), self.entry.as_mut())
        {
            entry.has_unknown_entity = true;
        }
    }

    fn broken(&mut self, reason: &str) -> Step {
        // If the end is missing for a known reason, it is not an error of the XML.
        if !self.document.is_cut {
            let reason = excerpt(reason);
            self.problem(SitemapProblemKind::NotWellFormed { reason });
        }
        Step::Stop
    }

    /// Records an error after which the document is still read.
    fn not_well_formed(&mut self, reason: &str) {
        let reason = excerpt(reason);
        self.problem(SitemapProblemKind::NotWellFormed { reason });
    }

    fn problem(&mut self, kind: SitemapProblemKind) {
        self.sitemap.problem(kind, self.lines.line);
    }

    fn finish(mut self) -> SitemapKind {
        // An entry with a complete `loc` counts even if the document ends inside it.
        if self.entry.as_ref().is_some_and(|entry| entry.loc.is_some()) {
            self.end_entry();
        }
        let is_empty = self.seen == 0 && self.sitemap.problems.is_empty();
        if let Some(root) = self
            .root
            .as_ref()
            .filter(|_| is_empty && !self.document.is_cut)
        {
            let kind = SitemapProblemKind::NoEntries {
                expected: root.entry,
            };
            self.problem(kind);
        }
        let line = Some(self.lines.line);
        self.root
            .map(|root| root.kind)
            .or(self.refused)
            .unwrap_or_else(|| SitemapKind::Invalid {
                reason: "it is not XML with a root element".to_owned(),
                line,
            })
    }
}

/// The namespace prefixes that the open elements declare.
#[derive(Default)]
struct Prefixes {
    declared: Vec<String>,
    /// The number of declarations before each open element.
    before: Vec<usize>,
    /// Elements that are open beyond [`MAX_DEPTH`].
    deeper: usize,
}

/// How deep elements may be nested for their prefixes to be compared, and how many prefixes are kept.
const MAX_DEPTH: usize = 100;
const MAX_PREFIXES: usize = 100;

impl Prefixes {
    /// Opens an element. Returns a prefix of it or of its attributes that no open element declares.
    fn open(&mut self, start: &BytesStart<'_>) -> Option<String> {
        if self.before.len() >= MAX_DEPTH {
            self.deeper = self.deeper.saturating_add(1);
            return None;
        }
        self.before.push(self.declared.len());
        for attribute in unchecked(start).flatten() {
            if let Some(prefix) = attribute.key.as_ref().strip_prefix("xmlns:")
                && self.declared.len() < MAX_PREFIXES
            {
                self.declared.push(prefix.to_owned());
            }
        }
        let of_attributes = unchecked(start)
            .flatten()
            .filter_map(|attribute| prefix_of(attribute.key));
        prefix_of(start.name())
            .into_iter()
            .chain(of_attributes)
            .find(|prefix| {
                !matches!(prefix.as_str(), "xml" | "xmlns")
                    && !self.declared.contains(prefix)
                    && self.declared.len() < MAX_PREFIXES
            })
    }

    fn close(&mut self) {
        if self.deeper > 0 {
            self.deeper = self.deeper.saturating_sub(1);
        } else if let Some(before) = self.before.pop() {
            self.declared.truncate(before);
        }
    }
}

/// The attributes of a start tag, including repeated ones.
fn unchecked<'a>(start: &'a BytesStart<'_>) -> Attributes<'a> {
    let mut attributes = start.attributes();
    attributes.with_checks(false);
    attributes
}

/// The error in the attributes of a start tag.
fn attribute_fault(start: &BytesStart<'_>) -> Option<&'static str> {
    start.attributes().find_map(|attribute| match attribute {
        Ok(attribute) => attribute
            .value
            .contains('<')
            .then_some("the value of an attribute contains `<`"),
        Err(AttrError::Duplicated(..)) => Some("an element has an attribute twice"),
        Err(_) => Some("an attribute is not of the form name=\"value\""),
    })
}

const fn is_xml_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Whether XML 1.0 permits the character (section 2.2).
const fn is_xml_char(c: char) -> bool {
    !matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

impl Root {
    /// Whether a name is this element of the protocol.
    fn owns(&self, name: QName<'_>, local: &str) -> bool {
        name.local_name().as_ref() == local && prefix_of(name) == self.prefix
    }
}

/// The namespace that the root element declares for itself.
fn namespace(start: &BytesStart<'_>, prefix: Option<&str>) -> Option<String> {
    let attribute = match prefix {
        Some(prefix) => format!("xmlns:{prefix}"),
        None => "xmlns".to_owned(),
    };
    start
        .attributes()
        .with_checks(false)
        .flatten()
        .find(|found| found.key.as_ref() == attribute)
        .map(|found| excerpt(found.value.trim()))
}

fn has_attribute(start: &BytesStart<'_>, name: &str) -> bool {
    start
        .attributes()
        .with_checks(false)
        .flatten()
        .any(|found| found.key.as_ref() == name)
}

fn excerpt(text: &str) -> String {
    text.chars().take(MAX_EXCERPT_CHARS).collect()
}
