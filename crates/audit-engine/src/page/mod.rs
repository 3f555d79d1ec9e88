//! The page model: an HTML document with indexes for checks.

mod encoding;
mod index;
mod link;
mod main_text;
mod names;
mod robots_meta;
pub mod text;
mod traits;
pub mod visibility;
pub(crate) mod whitespace;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use url::Url;

pub(crate) use encoding::decode_owned;
pub use encoding::{Decoded, EncodingSource, decode};
pub(crate) use link::OfTargets;
pub use link::{Link, LinkTarget, ResourceKind, ResourceRef};
pub use robots_meta::{Directive, DirectiveSource, RobotsDirectives};
pub(crate) use traits::Traits;

use crate::address::{SiteKey, path_and_query, without_fragment};
use crate::dom::{Dom, ElementRef, Limit, NodeId};
use crate::gather::{Headers, HttpVersion};
use index::Index;
use text::{Texts, word_count};

/// The response of a page.
#[derive(Debug, Clone)]
pub struct Document {
    /// The URL that responded.
    pub url: Url,
    /// Status code.
    pub status: u16,
    /// Response headers.
    pub headers: Headers,
    /// HTTP version.
    pub version: HttpVersion,
    /// Bytes over the wire, before content decoding.
    pub wire_bytes: u64,
    /// Time until the first byte of the response.
    pub time_to_first_byte: Duration,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// Whether the body was longer than the engine's limit, or ended early.
    pub truncated: bool,
    /// The encoding's name in the Encoding standard.
    pub encoding: &'static str,
    /// How the encoding was determined.
    pub encoding_source: EncodingSource,
}

/// A page: the document, its tree and its indexes.
///
/// Checks read it through [`view::Page`](crate::view::Page).
#[derive(Debug)]
pub struct ParsedPage {
    document: Document,
    site: SiteKey,
    source: Arc<String>,
    dom: Dom,
    index: Index,
    title: OnceLock<Option<String>>,
    texts: OnceLock<PageTexts>,
}

/// The texts of a page and their word counts.
#[derive(Debug, Default)]
struct PageTexts {
    body: Texts,
    /// The marked main element's text, if it is not part of the body's text.
    marked_apart: Option<String>,
    words: usize,
    words_outside_boilerplate: usize,
    main_words: usize,
}

impl PageTexts {
    fn main(&self) -> &str {
        match (&self.marked_apart, self.body.marked) {
            (Some(text), _) => text,
            (None, Some((start, end))) => self
                .body
                .main()
                .get(start..end)
                .unwrap_or_default()
                .trim_end(),
            (None, None) => self.body.main(),
        }
    }
}

impl ParsedPage {
    /// Builds a page from decoded text.
    #[must_use]
    pub fn new(document: Document, site: SiteKey, source: String) -> Self {
        let source = Arc::new(source);
        let dom = Dom::from_source(Arc::clone(&source));
        let index = Index::build(&dom, &document, &site);
        Self {
            document,
            site,
            source,
            dom,
            index,
            title: OnceLock::new(),
            texts: OnceLock::new(),
        }
    }

    /// The same response with the tree that a browser had. Robots directives that scripts removed still count: search
    /// engines do not render a page with `noindex` (Google, JavaScript SEO basics).
    pub(crate) fn with_other_dom(&self, dom: Dom) -> Self {
        let mut index = Index::build(&dom, &self.document, &self.site);
        index.robots.merge(&self.index.robots);
        Self {
            document: self.document.clone(),
            site: self.site.clone(),
            source: Arc::clone(&self.source),
            dom,
            index,
            title: OnceLock::new(),
            texts: OnceLock::new(),
        }
    }

    /// The response: status, headers, sizes.
    #[must_use]
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// The URL that responded.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.document.url
    }

    /// The site the page belongs to.
    #[must_use]
    pub const fn site(&self) -> &SiteKey {
        &self.site
    }

    /// Response headers.
    #[must_use]
    pub const fn headers(&self) -> &Headers {
        &self.document.headers
    }

    /// The source text, decoded.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The tree.
    #[must_use]
    pub const fn dom(&self) -> &Dom {
        &self.dom
    }

    /// The limits that parsing reached, each once: which parts of the page were not read.
    pub(crate) fn parse_limits(&self) -> impl Iterator<Item = Limit> {
        let index = &self.index;
        let noted = [
            (Limit::Addresses, index.are_addresses_cut),
            (Limit::RobotsDirectives, index.robots.is_cut()),
        ];
        let of_page = noted.into_iter().filter(|(_, reached)| *reached);
        self.dom
            .cut_by()
            .into_iter()
            .chain(of_page.map(|(limit, _)| limit))
    }

    /// Whether the page was served over https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.url().scheme() == "https"
    }

    /// Whether the page was served from a loopback address, which browsers treat as a secure context.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        domain::target::is_loopback_origin(self.url())
    }

    /// The base URL for relative references: the first `base[href]`, else the page's own URL.
    #[must_use]
    pub const fn base(&self) -> &Url {
        &self.index.base
    }

    /// Every element in document order, without the contents of templates.
    pub fn elements(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.index
            .elements
            .iter()
            .filter_map(|id| self.dom.element(*id))
    }

    /// The number of elements on the page.
    #[must_use]
    pub fn element_count(&self) -> usize {
        self.index.elements.len()
    }

    /// Every element with this local name in document order, in HTML, SVG and MathML.
    pub fn all(&self, name: &str) -> impl Iterator<Item = ElementRef<'_>> {
        self.index
            .all(&self.dom, name)
            .iter()
            .filter_map(|id| self.dom.element(*id))
    }

    /// Every HTML element of that name in document order.
    pub fn html(&self, name: &str) -> impl Iterator<Item = ElementRef<'_>> {
        self.all(name).filter(|element| element.is_html())
    }

    /// The first element with this id.
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<ElementRef<'_>> {
        self.all_by_id(id).next()
    }

    /// The element that an attribute of `from` names by its id. In a shadow tree these are ids of that tree alone.
    #[must_use]
    pub fn referenced(&self, from: ElementRef<'_>, id: &str) -> Option<ElementRef<'_>> {
        self.index.referenced(&self.dom, from.id(), id)
    }

    /// Every element with this id in document order.
    pub fn all_by_id<'a, 'b>(
        &'a self,
        id: &'b str,
    ) -> impl Iterator<Item = ElementRef<'a>> + use<'a, 'b> {
        self.index.with_id(&self.dom, id)
    }

    /// Every id that occurs, in no particular order, with the number of elements that have it.
    pub fn ids(&self) -> impl Iterator<Item = (&str, usize)> {
        self.index.ids(&self.dom)
    }

    /// Whether two elements may have the same id. If not, every id has one element.
    pub(crate) fn may_repeat_ids(&self) -> bool {
        self.index.may_repeat_ids()
    }

    /// The `html` element.
    #[must_use]
    pub fn root(&self) -> Option<ElementRef<'_>> {
        self.html("html").next()
    }

    /// The `body` element.
    #[must_use]
    pub fn body(&self) -> Option<ElementRef<'_>> {
        self.html("body").next()
    }

    /// Whether the element is inside the document's `head`.
    #[must_use]
    pub fn in_head(&self, element: ElementRef<'_>) -> bool {
        element.closest("head").is_some()
    }

    /// The `title` elements of the document, without those of SVG images.
    pub fn titles(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.html("title")
    }

    /// The text of the first `title`, white space collapsed; none if there is no title or it is empty.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let title = self
            .title
            .get_or_init(|| self.titles().next().map(ElementRef::text));
        title.as_deref().filter(|text| !text.is_empty())
    }

    /// Every `meta` with this `name`, without regard to case.
    pub fn metas(&self, name: &str) -> impl Iterator<Item = ElementRef<'_>> {
        self.html("meta")
            .filter(move |meta| meta.attr_is("name", name))
    }

    /// The trimmed content of the first `meta` with this name that has content.
    #[must_use]
    pub fn meta(&self, name: &str) -> Option<&str> {
        self.metas(name)
            .filter_map(|meta| meta.attr("content"))
            .map(str::trim)
            .find(|c| !c.is_empty())
    }

    /// Every `link` element whose `rel` has this token.
    pub fn link_elements(&self, rel: &str) -> impl Iterator<Item = ElementRef<'_>> {
        self.html("link")
            .filter(move |link| link.has_token("rel", rel))
    }

    /// The links of the page: `a[href]` and `area[href]`, in document order.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.index.links
    }

    /// The `href` of a link of this page as written.
    #[must_use]
    pub fn href(&self, link: &Link) -> &str {
        self.element(link.node)
            .and_then(|element| element.attr("href"))
            .unwrap_or_default()
    }

    /// The fragment of a link of this page, normalized as in a URL.
    #[must_use]
    pub fn fragment(&self, link: &Link) -> Option<Cow<'_, str>> {
        link::fragment(self.href(link), &self.index.base)
    }

    /// The resources that a browser loads for this page, in document order, including repeated references.
    #[must_use]
    pub fn resources(&self) -> &[ResourceRef] {
        &self.index.resources
    }

    /// The elements that link to style sheets, and the URLs, in document order.
    pub(crate) fn stylesheets(&self) -> impl Iterator<Item = (ElementRef<'_>, &Url)> {
        let resources = self.resources().iter();
        resources
            .filter(|resource| resource.kind == ResourceKind::Stylesheet)
            .filter_map(|resource| Some((self.dom.element(resource.node)?, &resource.url)))
    }

    /// The element of a link or resource.
    #[must_use]
    pub fn element(&self, node: NodeId) -> Option<ElementRef<'_>> {
        self.dom.element(node)
    }

    /// Whether a script runs on the page. Data blocks, such as JSON-LD, import maps and speculation rules, do not run.
    pub(crate) fn runs_scripts(&self) -> bool {
        self.running_scripts().next().is_some()
    }

    /// The scripts that browsers run, without data blocks.
    pub(crate) fn running_scripts(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.html("script")
            .filter(|script| index::runs_in_browsers(*script))
    }

    /// The scripts in the markup that browsers run, without those that are loaded from a URL.
    pub(crate) fn inline_scripts(&self) -> impl Iterator<Item = ElementRef<'_>> {
        self.html("script")
            .filter(|script| index::runs_in_browsers(*script) && !script.has_attr("src"))
    }

    /// The URLs of the scripts that the page loads, in document order.
    pub(crate) fn linked_scripts(&self) -> impl Iterator<Item = &Url> {
        let resources = self.resources().iter();
        resources
            .filter(|resource| resource.kind == ResourceKind::Script)
            .filter(|resource| {
                self.dom
                    .element(resource.node)
                    .is_some_and(|one| one.is("script"))
            })
            .map(|resource| &resource.url)
    }

    /// The robots directives of the page.
    #[must_use]
    pub const fn robots(&self) -> &RobotsDirectives {
        &self.index.robots
    }

    /// Canonical URLs declared in the head and in `Link` headers, resolved, in that order. Invalid ones are
    /// dropped.
    #[must_use]
    pub fn canonicals(&self) -> &[Url] {
        &self.index.canonicals
    }

    /// The language versions in `Link` headers: codes as written, and resolved URLs.
    pub(crate) fn alternates_in_headers(&self) -> impl Iterator<Item = (String, Url)> + '_ {
        index::link_header_alternates(&self.document)
    }

    /// Whether search engines may index the page: no noindex, and no canonical that names another URL. On
    /// loopback, where copies of public sites are audited, a canonical with the page's own path and query
    /// refers to the page itself, regardless of its host.
    #[must_use]
    pub fn is_indexable(&self) -> bool {
        self.robots().noindex().is_none() && !self.has_other_canonical()
    }

    /// Whether a canonical URL names another page.
    pub(crate) fn has_other_canonical(&self) -> bool {
        let mut canonicals = self.canonicals().iter();
        canonicals.any(|canonical| !self.is_own_address(canonical))
    }

    fn is_own_address(&self, canonical: &Url) -> bool {
        if self.is_loopback() {
            return path_and_query(canonical) == path_and_query(self.url());
        }
        without_fragment(canonical) == without_fragment(self.url())
    }

    /// All visible text, with one line per block.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.texts().body.all
    }

    /// The text nodes with prose: visible, outside code, and not blank.
    pub(crate) fn prose(&self) -> &[NodeId] {
        &self.texts().body.prose
    }

    /// The main text: the text of the `main` element if there is one, else the body's text without navigation,
    /// headers, footers and asides.
    #[must_use]
    pub fn main_text(&self) -> &str {
        self.texts().main()
    }

    /// The number of words of [`ParsedPage::text`].
    #[must_use]
    pub fn words(&self) -> usize {
        self.texts().words
    }

    /// The number of words of [`ParsedPage::main_text`].
    #[must_use]
    pub fn main_words(&self) -> usize {
        self.texts().main_words
    }

    /// The number of words of the body outside of navigation, headers, footers and asides.
    #[must_use]
    pub fn words_outside_boilerplate(&self) -> usize {
        self.texts().words_outside_boilerplate
    }

    /// The number of words of an element outside of navigation, headers, footers and asides.
    #[must_use]
    pub fn words_in(&self, element: ElementRef<'_>) -> usize {
        if self.main_element() == Some(element) {
            self.main_words()
        } else {
            word_count(&self.text_in(element))
        }
    }

    /// The element with the main text: `main`, else an element with that role, else the body.
    #[must_use]
    pub fn main_element(&self) -> Option<ElementRef<'_>> {
        self.html("main")
            .next()
            .or_else(|| {
                self.elements_with(Traits::ROLE)
                    .find(|element| element.attr_is("role", "main"))
            })
            .or_else(|| self.body())
    }

    fn text_in(&self, element: ElementRef<'_>) -> String {
        Texts::below(&self.dom, &self.index.traits, element.id(), None).into_main()
    }

    fn texts(&self) -> &PageTexts {
        self.texts.get_or_init(|| self.read_texts())
    }

    fn read_texts(&self) -> PageTexts {
        let (body, main) = (self.body(), self.main_element());
        let marked = main.filter(|_| main != body);
        let mark = marked.map(ElementRef::id);
        let body = body.map_or_else(Texts::default, |body| {
            Texts::below(&self.dom, &self.index.traits, body.id(), mark)
        });
        let apart = marked.filter(|_| body.marked.is_none());
        let mut texts = PageTexts {
            marked_apart: apart.map(|main| self.text_in(main)),
            body,
            ..PageTexts::default()
        };
        // The marked part begins a line. It also ends one, unless it is inside an inline element.
        let (start, end) = texts.body.marked.unwrap_or_default();
        let count = |part: Option<&str>| part.map_or(0, word_count);
        let outside = texts.body.main();
        let marked_words = count(outside.get(start..end));
        let words_outside_boilerplate =
            count(outside.get(..start)) + marked_words + count(outside.get(end..));
        let ends_word = text::is_apart(outside, end);
        texts.words = match texts.body.around_main().filter(|_| ends_word) {
            Some(around) => {
                words_outside_boilerplate + around.into_iter().map(word_count).sum::<usize>()
            }
            None => word_count(&texts.body.all),
        };
        texts.words_outside_boilerplate = words_outside_boilerplate;
        texts.main_words = match &texts.marked_apart {
            Some(text) => word_count(text),
            None if marked.is_some() => marked_words,
            None => texts.words_outside_boilerplate,
        };
        texts
    }

    /// The elements with one of these traits, in document order.
    pub(crate) fn elements_with(&self, any: Traits) -> impl Iterator<Item = ElementRef<'_>> {
        let having = self.index.traits.having(any, &self.index.elements);
        having.filter_map(|id| self.dom.element(id))
    }

    /// The traits of an element.
    pub(crate) fn traits(&self, element: ElementRef<'_>) -> Traits {
        self.index.traits.get(element.id())
    }
}

#[cfg(test)]
mod tests;
