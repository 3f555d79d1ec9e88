//! What stays of a page once its tree is dropped.

use std::sync::Arc;

use url::Url;

use super::UrlId;
use crate::algorithms::sketch::Sketch;
use crate::gather::Headers;
use crate::page::ResourceKind;
use crate::view::fragments::Places;

/// A page's place in the breadth-first order of the crawl, from 0.
pub type PageNumber = u32;

/// A link, once per page and written form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkFact {
    /// Where it leads, fragment dropped.
    pub target: UrlId,
    /// The attribute as written; look it up with [`UrlTable::href`](super::UrlTable::href).
    pub href: UrlId,
    /// Line of the first such link.
    pub line: u32,
    /// How many such links the page has.
    pub count: u32,
    /// Whether all of them have `rel=nofollow`.
    pub nofollow: bool,
    /// Whether one of them leads to a place on its page.
    pub place: LinkPlace,
}

/// What is known of the place on a page that a link names behind the number sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum LinkPlace {
    /// It names none, or a script is likely to handle it.
    #[default]
    None,
    /// It is on the same page, and there.
    Found,
    /// It is on another page.
    Elsewhere,
    /// It is on the same page, and not there.
    Missing,
}

/// A resource that a page loads or is represented by, once per page, URL and way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceUse {
    /// Where it is.
    pub target: UrlId,
    /// What it is.
    pub kind: ResourceKind,
    /// Line of the first reference.
    pub line: u32,
    /// Whether a browser loads it with the page.
    pub eager: bool,
}

/// A heading of the first level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its text, at most 500 characters.
    pub text: Box<str>,
    /// Its line.
    pub line: u32,
}

/// An audited page.
#[derive(Debug, Clone)]
pub struct PageFacts {
    /// Its number.
    pub number: PageNumber,
    /// Where it stands in the URL table.
    pub id: UrlId,
    /// The URL that answered.
    pub url: Url,
    /// Clicks from the start page; none when only a sitemap led here.
    pub depth: Option<u32>,
    /// The page whose link or redirect led here first.
    pub parent: Option<PageNumber>,
    /// The status, always 2xx.
    pub status: u16,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// Bytes over the wire.
    pub wire_bytes: u64,
    /// The title, white space collapsed.
    pub title: Option<Box<str>>,
    /// The meta description, trimmed.
    pub description: Option<Box<str>>,
    /// The first `h1` with text.
    pub h1: Option<Heading>,
    /// `lang` of the root element.
    pub lang: Option<Box<str>>,
    /// Canonical URLs declared in head and header, resolved.
    pub canonicals: Vec<Url>,
    /// `hreflang` alternates of head and header: code as written and resolved URL, at most 500.
    pub alternates: Vec<(Box<str>, Url)>,
    /// Whether the page names more of them than are kept.
    pub alternates_cut: bool,
    /// The noindex directive, as `source: token`, if there is one.
    pub noindex: Option<Box<str>>,
    /// Whether search engines may index it.
    pub indexable: bool,
    /// Words of the main text.
    pub words: u32,
    /// Hash of the main text, or of all text where the main text has hardly any; letters and digits
    /// only, 0 when there are none.
    pub text_hash: u64,
    /// Words of the text that was hashed.
    pub hashed_words: u32,
    /// By which the main text of an indexable page is compared with others; empty where it is short.
    pub sketch: Sketch,
    /// Headers that checks of the origin read: of every page those in [`KEPT_HEADERS`]. Pages with the same ones
    /// share them; none where there is no room for them.
    pub headers: Option<Arc<Headers>>,
    /// Links, each written form once, in document order.
    pub links: Vec<LinkFact>,
    /// Resources, each once, in document order.
    pub resources: Vec<ResourceUse>,
    /// The places on it that links may lead to.
    pub(crate) places: Places,
    /// Types of the JSON-LD entities on the page, in document order.
    pub json_ld_types: Vec<Box<str>>,
}

impl PageFacts {
    /// Bytes of what is remembered beside what every page has.
    pub(crate) fn detail_bytes(&self) -> usize {
        let texts = [&self.title, &self.description, &self.lang, &self.noindex];
        let texts = texts.into_iter().flatten().map(|text| text.len());
        let heading = self.h1.as_ref().map_or(0, |heading| heading.text.len());
        let url = |url: &Url| size_of::<Url>() + url.as_str().len();
        let alternates = self.alternates.iter();
        let alternates =
            alternates.map(|(code, target)| size_of::<Box<str>>() + code.len() + url(target));
        self.url.as_str().len()
            + heading
            + texts.sum::<usize>()
            + self.canonicals.iter().map(url).sum::<usize>()
            + alternates.sum::<usize>()
            + self.links.len() * size_of::<LinkFact>()
            + self.resources.len() * size_of::<ResourceUse>()
            + self.places.bytes()
            + self
                .json_ld_types
                .iter()
                .map(|name| name.len() + size_of::<Box<str>>())
                .sum::<usize>()
    }

    /// Forgets what takes room: links, resources, language versions, places, all canonical URLs but the first.
    pub(crate) fn forget_details(&mut self) {
        self.canonicals.truncate(1);
        self.canonicals.shrink_to_fit();
        self.alternates_cut |= !self.alternates.is_empty();
        self.alternates = Vec::new();
        self.links = Vec::new();
        self.resources = Vec::new();
        self.places = Places::default();
        self.json_ld_types = Vec::new();
    }
}

/// The headers that a page keeps after its body is dropped.
pub const KEPT_HEADERS: [&str; 18] = [
    "alt-svc",
    "cache-control",
    "content-encoding",
    "content-security-policy",
    "content-security-policy-report-only",
    "content-type",
    "cross-origin-opener-policy",
    "permissions-policy",
    "referrer-policy",
    "server",
    "set-cookie",
    "strict-transport-security",
    "vary",
    "x-aspnet-version",
    "x-content-type-options",
    "x-frame-options",
    "x-powered-by",
    "x-robots-tag",
];
