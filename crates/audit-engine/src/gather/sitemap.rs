//! Sitemaps of the sitemaps.org protocol 0.9: XML, a sitemap index, a feed or a plain list of URLs, each
//! optionally compressed with gzip.
//!
//! ```
//! use audit_engine::gather::sitemap::{Sitemap, SitemapKind};
//!
//! let base = url::Url::parse("https://example.com/sitemap.txt").unwrap();
//! let sitemap = Sitemap::parse(b"https://example.com/\nhttps://example.com/a\n", &base);
//! assert_eq!(sitemap.kind, SitemapKind::Text);
//! assert_eq!(sitemap.entries.len(), 2);
//! ```
//!
//! Parsing reads one document and fetches nothing: the sitemaps of an index are entries like any other. No
//! declared entity is ever expanded, and the kept data is limited.

mod entries;
mod feed;
mod gzip;
mod lastmod;
mod loc;
mod markup;
mod text;
mod xml;

pub use entries::{Entries, SitemapEntry};
pub use lastmod::{LastmodState, judge_lastmod, lastmod_is_valid};
pub use loc::MAX_LOC_BYTES;

use url::Url;

/// The namespace of the protocol.
pub const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// How many URLs one sitemap may list (sitemaps.org, "Sitemap file location").
pub const MAX_URLS: usize = 50_000;

/// The largest permitted size of an uncompressed sitemap, in bytes: 50 MiB.
pub const MAX_BYTES: usize = 52_428_800;

/// How many problems are kept.
pub const MAX_PROBLEMS: usize = 1_000;

/// A parsed sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sitemap {
    /// The kind of document.
    pub kind: SitemapKind,
    /// Its URLs in the order of the document, at most [`MAX_URLS`].
    pub entries: Entries,
    /// Its problems in document order, at most [`MAX_PROBLEMS`].
    pub problems: Vec<SitemapProblem>,
    /// The lines of entries with an empty `lastmod`, at most [`MAX_PROBLEMS`].
    pub empty_lastmods: Vec<usize>,
    /// Whether it lists more than [`MAX_URLS`]. The others are not kept.
    pub too_many: bool,
    /// Whether it is larger than [`MAX_BYTES`]. The rest was not read.
    pub too_large: bool,
    /// Whether it declares language versions of its pages (`xhtml:link`).
    pub names_languages: bool,
}

/// The kind of a document that was given as a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SitemapKind {
    /// An XML list of pages (`urlset`).
    UrlSet,
    /// An XML list of sitemaps (`sitemapindex`).
    Index,
    /// A plain text with one URL per line.
    Text,
    /// A feed of pages: RSS or Atom.
    Feed,
    /// Not a sitemap.
    Invalid {
        /// The reason, as a clause.
        reason: String,
        /// The line of the problem, from 1.
        line: Option<usize>,
    },
}

/// A problem of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapProblem {
    /// The kind of problem.
    pub kind: SitemapProblemKind,
    /// The line, from 1, counted in the uncompressed document.
    pub line: usize,
}

/// The kind of problem of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SitemapProblemKind {
    /// The document is not UTF-8. It was read up to the invalid bytes.
    NotUtf8,
    /// The gzip stream is broken. The part that could be decompressed was read.
    BrokenGzip,
    /// The XML is not well-formed. The document was read up to the error, or completely if the error is an
    /// unescaped ampersand.
    NotWellFormed {
        /// The error, as a clause.
        reason: String,
    },
    /// The root element is not in [`NAMESPACE`].
    WrongNamespace {
        /// Its namespace, if it has one.
        found: Option<String>,
    },
    /// An entry has no `loc`, or an empty one. It is ignored.
    MissingLoc,
    /// A `loc` is not absolute. If it starts with a slash it is resolved, otherwise the entry has no URL.
    RelativeLoc,
    /// A `loc` is not an http(s) URL.
    InvalidLoc,
    /// A `loc` refers to an entity that XML does not predefine; it has no URL.
    UnknownEntity,
    /// A `loc` is longer than [`MAX_LOC_BYTES`]; it has no URL.
    LocTooLong,
    /// An index contains a page, or a list of pages contains a sitemap. The entry is ignored.
    WrongEntry {
        /// The local name of the entry.
        found: String,
        /// The name that belongs into this root element.
        expected: &'static str,
    },
    /// The root element has no entries.
    NoEntries {
        /// The name of an entry in this root element.
        expected: &'static str,
    },
}

impl Sitemap {
    /// Parses a document that was found at `base`, compressed or not.
    ///
    /// This never fails: a document that ends early keeps the entries before that point.
    #[must_use]
    pub fn parse(bytes: &[u8], base: &Url) -> Self {
        let mut sitemap = Self {
            kind: SitemapKind::Text,
            entries: Entries::new(base.clone()),
            problems: Vec::new(),
            too_many: false,
            too_large: false,
            names_languages: false,
            empty_lastmods: Vec::new(),
        };
        if gzip::is_gzip(bytes) {
            let inflated = gzip::inflate(bytes, MAX_BYTES.saturating_add(1));
            sitemap.read(&inflated.bytes, inflated.is_broken, base);
        } else {
            sitemap.read(bytes, false, base);
        }
        sitemap.entries.shrink();
        sitemap
    }

    /// Whether the entries are sitemaps and not pages.
    #[must_use]
    pub const fn is_index(&self) -> bool {
        matches!(self.kind, SitemapKind::Index)
    }

    /// The URLs in the order of the document.
    pub fn entries(&self) -> impl Iterator<Item = SitemapEntry<'_>> {
        self.entries.iter()
    }

    fn read(&mut self, bytes: &[u8], gzip_is_broken: bool, base: &Url) {
        let (bytes, rest) = bytes.split_at_checked(MAX_BYTES).unwrap_or((bytes, &[]));
        self.too_large = !rest.is_empty();
        let (text, is_utf8) = valid_text(bytes);
        // A character that the size limit cuts does not mean that the encoding is wrong.
        let is_utf8 = is_utf8 || (self.too_large && bytes.len().saturating_sub(text.len()) < 4);
        let whole = Document {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            is_cut: self.too_large || gzip_is_broken || !is_utf8,
            base,
        };
        self.kind = match whole.text.trim_start().chars().next() {
            None if gzip_is_broken => invalid("its gzip stream cannot be decompressed"),
            None if !is_utf8 => invalid("it is not UTF-8"),
            None => invalid("it is empty"),
            Some('<') => xml::read(&whole, self),
            Some(_) => text::read(&whole, self),
        };
        if gzip_is_broken {
            self.problem(SitemapProblemKind::BrokenGzip, lines_of(text));
        }
        if !is_utf8 {
            self.problem(SitemapProblemKind::NotUtf8, lines_of(text));
        }
    }

    fn problem(&mut self, kind: SitemapProblemKind, line: usize) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(SitemapProblem { kind, line });
        }
    }

    /// Adds another entry, or records that there are too many.
    fn entry(&mut self, loc: &str, lastmod: Option<&str>, line: usize, is_usable: bool) {
        if self.entries.len() < MAX_URLS {
            self.entries.push(loc, lastmod, line, is_usable);
        } else {
            self.too_many = true;
        }
    }
}

/// A document to parse.
struct Document<'a> {
    text: &'a str,
    /// Whether the end is missing for a reason that is already reported.
    is_cut: bool,
    base: &'a Url,
}

fn invalid(reason: &str) -> SitemapKind {
    SitemapKind::Invalid {
        reason: reason.to_owned(),
        line: None,
    }
}

/// The longest valid UTF-8 prefix, and whether it is the whole input.
fn valid_text(bytes: &[u8]) -> (&str, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            (std::str::from_utf8(valid).unwrap_or_default(), false)
        }
    }
}

fn lines_of(text: &str) -> usize {
    let ends = text.bytes().filter(|byte| *byte == b'\n').count();
    ends.saturating_add(1)
}

#[cfg(test)]
mod tests;
