//! The facts of a page that remain after its tree is dropped.

use std::sync::Arc;

use url::Url;

use super::{Exclusion, UrlId};
use crate::algorithms::sketch::Sketch;
use crate::gather::Headers;
use crate::page::ResourceKind;
use crate::view::fragments::Places;

/// A page's position in the breadth-first order of the crawl, from 0.
pub type PageNumber = u32;

/// A link, once per page and written form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkFact {
    /// The target, without the fragment.
    pub target: UrlId,
    /// The attribute as written; see [`UrlTable::href`](super::UrlTable::href).
    pub href: UrlId,
    /// Line of the first such link.
    pub line: u32,
    /// How many such links the page has.
    pub count: u32,
    /// Whether all of them have `rel=nofollow`.
    pub nofollow: bool,
    /// The state of the fragment, if one of them has a fragment on its own page.
    pub place: LinkPlace,
}

/// The state of the fragment of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum LinkPlace {
    /// The link has no fragment, or a script probably handles it.
    #[default]
    None,
    /// The target is on the same page and exists.
    Found,
    /// The target is on another page.
    Elsewhere,
    /// The target is on the same page and does not exist.
    Missing,
}

/// A resource that a page loads or is represented by, once per page, URL and kind of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceUse {
    /// Its URL.
    pub target: UrlId,
    /// Its kind.
    pub kind: ResourceKind,
    /// Line of the first reference.
    pub line: u32,
    /// Whether a browser loads it with the page.
    pub eager: bool,
}

/// A first-level heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its text, at most 500 characters.
    pub text: Box<str>,
    /// Its line.
    pub line: u32,
}

/// Code in the markup of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InlineCode {
    /// Its bytes; 0 if there is too little to be worth minifying.
    pub bytes: u32,
    /// The bytes of removable comments and white space.
    pub waste: u32,
}

/// An audited page.
#[derive(Debug, Clone)]
pub struct PageFacts {
    /// Its number.
    pub number: PageNumber,
    /// Its id in the URL table.
    pub id: UrlId,
    /// The URL that responded.
    pub url: Url,
    /// Clicks from the start page; none if it was discovered only in a sitemap.
    pub depth: Option<u32>,
    /// The page whose link or redirect discovered it.
    pub parent: Option<PageNumber>,
    /// The status code, always 2xx.
    pub status: u16,
    /// Whether a browser showed it; else it was judged as it was served.
    pub is_rendered: bool,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// Bytes over the wire.
    pub wire_bytes: u64,
    /// Milliseconds until the first byte of the response.
    pub response_ms: u32,
    /// How many URLs it links to, also where `links` were dropped.
    pub links_out: u32,
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
    /// `hreflang` alternates of head and headers: the code as written and the resolved URL, at most 500.
    pub alternates: Vec<(Box<str>, Url)>,
    /// Whether the page has more of them than are kept.
    pub alternates_cut: bool,
    /// The noindex directive as `source: token`, if there is one.
    pub noindex: Option<Box<str>>,
    /// What keeps it out of search results, except for mistakes that checks report.
    pub(crate) exclusion: Exclusion,
    /// Its `style` elements.
    pub inline_css: InlineCode,
    /// Its `script` elements that browsers run.
    pub inline_js: InlineCode,
    /// Words of the main text.
    pub words: u32,
    /// Hash of the main text, or of all text if the main text is very short; letters and digits only, 0 if
    /// there are none.
    pub text_hash: u64,
    /// Hash of the signs of that text: everything but letters, digits and white space. `operator+` and
    /// `operator-` differ in it alone.
    pub signs_hash: u64,
    /// Words of the text that was hashed.
    pub hashed_words: u32,
    /// The sketch for comparing the main text with that of other pages; empty if the text is short.
    pub sketch: Sketch,
    /// The headers in [`KEPT_HEADERS`], which checks of the origin read. Pages with the same headers share
    /// them; none if the memory limit was reached.
    pub headers: Option<Arc<Headers>>,
    /// The links, each written form once, in document order.
    pub links: Vec<LinkFact>,
    /// The resources, each once, in document order.
    pub resources: Vec<ResourceUse>,
    /// The fragment targets on this page.
    pub(crate) places: Places,
    /// Types of the JSON-LD entities on the page, in document order.
    pub json_ld_types: Vec<Box<str>>,
}

impl PageFacts {
    /// Whether search engines may index it, or only a mistake that a check reports keeps them from it.
    #[must_use]
    pub const fn is_indexable(&self) -> bool {
        self.exclusion.is_none()
    }

    /// What only pages with exactly the same text share: their letters and digits, and their signs.
    pub(crate) const fn exact_text(&self) -> (u64, u64) {
        (self.text_hash, self.signs_hash)
    }

    /// Bytes of the details, beyond the fields that every page has.
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

    /// Drops the details: links, resources, language versions, fragment targets, all canonical URLs but the
    /// first.
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
pub const KEPT_HEADERS: [&str; 20] = [
    "alt-svc",
    "cache-control",
    "content-encoding",
    "content-security-policy",
    "content-security-policy-report-only",
    "content-type",
    "cross-origin-embedder-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
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
