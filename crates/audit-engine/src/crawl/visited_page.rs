//! The facts of a page that remain after its tree is dropped.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::page_links::{self, DraftLink, DraftTarget, TooLong, is_too_long};
use super::rendering::Rendering;
use super::shown_images::shown_images;
use crate::address::without_fragment;
use crate::algorithms::sketch::{self, Sketch};
use crate::bounds::MAX_ALTERNATES_BYTES;
use crate::bounds::page::{
    MAX_ALTERNATES, MAX_CANONICALS, MAX_FACT_CHARS, MAX_JSON_LD_BYTES, MAX_JSON_LD_TYPES,
    MAX_RESOURCES_OF_A_PAGE,
};
use crate::common::documents::minified::{css_waste, inline_code, js_waste};
use crate::dom::Limit;
use crate::evaluation::evaluate::{Evaluated, PageVerdicts};
use crate::gather::{FileCoverage, Headers, MessageKind};
use crate::page::ResourceKind;
use crate::site::{Heading, InlineCode, KEPT_HEADERS, ShownSize};
use crate::view::Page;
use crate::view::fragments::Places;

/// A main text shorter than this, such as that of a table of contents, does not identify a page.
const FEW_WORDS: u32 = 20;
/// The facts of a page, with URLs that are not interned yet. Made outside the crawl's own task.
#[derive(Debug)]
pub(crate) struct VisitedPage {
    pub(crate) url: Url,
    pub(crate) status: u16,
    pub(crate) bytes: u64,
    pub(crate) wire_bytes: u64,
    pub(crate) response_ms: u32,
    pub(crate) title: Option<Box<str>>,
    pub(crate) description: Option<Box<str>>,
    pub(crate) h1: Option<Heading>,
    pub(crate) lang: Option<Box<str>>,
    pub(crate) canonicals: Vec<Url>,
    pub(crate) alternates: Vec<(Box<str>, Url)>,
    /// Whether there are more.
    pub(crate) alternates_cut: bool,
    pub(crate) noindex: Option<Box<str>>,
    pub(crate) nofollow: bool,
    pub(crate) inline_css: InlineCode,
    pub(crate) inline_js: InlineCode,
    pub(crate) words: u32,
    pub(crate) text_hash: u64,
    pub(crate) signs_hash: u64,
    pub(crate) hashed_words: u32,
    pub(crate) sketch: Sketch,
    pub(crate) headers: Headers,
    /// The link targets in document order. Links that are written alike except for their fragments share one
    /// target.
    pub(crate) targets: Vec<DraftTarget>,
    pub(crate) links: Vec<DraftLink>,
    /// How many URLs it links to, those beyond the limit of links and those that are too long excepted.
    pub(crate) links_out: u32,
    /// The written forms of the links, concatenated.
    hrefs: String,
    /// The targets of further links to the site, beyond those that are followed.
    pub(crate) surplus: Vec<Arc<Url>>,
    /// Whether the page has, or may have, links that are not among `links`.
    pub(crate) links_cut: bool,
    /// Links to URLs that are too long to be kept, each once.
    pub(crate) too_long: Vec<TooLong>,
    pub(crate) resources: Vec<VisitedResource>,
    pub(crate) places: Places,
    pub(crate) json_ld_types: Vec<Box<str>>,
    pub(crate) judged: PageVerdicts,
    /// The limits that the page reached.
    pub(crate) limits: Vec<Limit>,
    /// What a browser made of it.
    pub(crate) rendering: Rendering,
    /// Whether much of it comes from scripts. Of a page that no browser showed: whether it is an empty shell.
    pub(crate) needs_scripts: bool,
    /// Which code of its scripts and which rules of its style sheets it uses.
    pub(crate) coverage: Vec<FileCoverage>,
    /// How large a browser showed its images.
    pub(crate) shown_images: Vec<(String, ShownSize)>,
    memory: usize,
}

/// A resource, once per URL.
#[derive(Debug)]
pub(crate) struct VisitedResource {
    pub(crate) url: Url,
    pub(crate) internal: bool,
    pub(crate) kind: ResourceKind,
    pub(crate) line: u32,
    pub(crate) eager: bool,
}

impl VisitedPage {
    pub(crate) fn new(page: &Page, judged: PageVerdicts) -> Self {
        let main = page.main_text();
        let document = page.document();
        let words = count(page.main_words());
        let (hashed, hashed_words) = if words < FEW_WORDS {
            (page.text(), count(page.words()))
        } else {
            (main, words)
        };
        let is_sketched = words >= Sketch::FEWEST_WORDS;
        let (text_hash, sketch) = sketch::of_words(hashed, is_sketched);
        let links = page_links::links(page);
        let (alternates, alternates_cut) = alternates(page);
        let mut visited = Self {
            url: document.url.clone(),
            status: document.status,
            bytes: document.bytes,
            wire_bytes: document.wire_bytes,
            response_ms: milliseconds(document.time_to_first_byte),
            title: page.title().map(bounded),
            description: page.meta("description").map(bounded),
            h1: page.html("h1").find_map(|h1| {
                let text = h1.text();
                (!text.is_empty()).then(|| Heading {
                    text: bounded(&text),
                    line: h1.line(),
                })
            }),
            lang: page.root().and_then(|root| root.attr("lang")).map(bounded),
            canonicals: (page.canonicals().iter())
                .filter(|url| !is_too_long(url))
                .take(MAX_CANONICALS)
                .cloned()
                .collect(),
            alternates,
            alternates_cut,
            noindex: noindex(page),
            nofollow: page.robots().nofollow(),
            inline_css: inline_code(page.html("style"), css_waste),
            inline_js: inline_code(page.inline_scripts(), js_waste),
            words,
            text_hash,
            signs_hash: sketch::of_signs(hashed),
            hashed_words,
            sketch,
            headers: kept_headers(page.headers()),
            links_out: count(links.targets.len()),
            targets: links.targets,
            links: links.found,
            hrefs: links.hrefs,
            surplus: links.surplus,
            links_cut: links.is_cut || document.truncated || page.dom().truncated(),
            too_long: links.too_long,
            resources: resources(page),
            places: Places::new(page),
            json_ld_types: json_ld_types(page),
            judged,
            // All checks have run at this point.
            limits: page.limits_reached(),
            rendering: Rendering::NotAsked,
            needs_scripts: page.needs_scripts(),
            coverage: coverage(page),
            shown_images: shown_images(page),
            memory: 0,
        };
        visited.memory = visited.count_memory();
        visited
    }

    /// The written form of a link of this page.
    pub(crate) fn href(&self, link: &DraftLink) -> &str {
        link.href(&self.hrefs)
    }

    /// The approximate memory use in bytes.
    pub(crate) const fn memory(&self) -> usize {
        self.memory
    }

    fn count_memory(&self) -> usize {
        let url = |url: &Url| size_of::<Url>() + url.as_str().len();
        let targets = self.targets.iter();
        let targets = targets.map(|target| size_of::<DraftTarget>() + url(&target.url));
        let surplus = self.surplus.iter().map(|target| url(target));
        let alternates = self.alternates.iter();
        let alternates = alternates.map(|(code, target)| code.len() + url(target));
        let resources = self.resources.iter();
        let resources =
            resources.map(|found| size_of::<VisitedResource>() + found.url.as_str().len());
        let coverage = self.coverage.iter();
        let coverage =
            coverage.map(|script| script.url.len() + size_of_val(script.unused.as_slice()));
        let images = self.shown_images.iter();
        let images = images.map(|image| size_of_val(image) + image.0.len());
        size_of::<Self>()
            + self.links.len() * size_of::<DraftLink>()
            + self.hrefs.len()
            + targets.sum::<usize>()
            + surplus.sum::<usize>()
            + self.too_long.len() * size_of::<TooLong>()
            + self.canonicals.iter().map(url).sum::<usize>()
            + alternates.sum::<usize>()
            + resources.sum::<usize>()
            + self.places.bytes()
            + coverage.sum::<usize>()
            + images.sum::<usize>()
            + (self.judged.recorded.iter())
                .chain(self.judged.withheld.iter().map(|(_, judged)| judged))
                .map(Evaluated::bytes)
                .sum::<usize>()
    }
}

/// What a page uses of its scripts and style sheets, without scripts that an exception ended: what follows it did not run, but
/// would be used.
fn coverage(page: &Page) -> Vec<FileCoverage> {
    let Some(events) = page.events() else {
        return Vec::new();
    };
    let has_ended = |script: &&FileCoverage| {
        let mut messages = events.messages.iter();
        messages.any(|message| message.kind == MessageKind::Exception && message.url == script.url)
    };
    let known = events.coverage.iter().flatten();
    known.filter(|script| !has_ended(script)).cloned().collect()
}

/// Whole milliseconds.
fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

fn count(words: usize) -> u32 {
    u32::try_from(words).unwrap_or(u32::MAX)
}

/// The noindex directive of the page as `source: token`, if there is one.
pub(crate) fn noindex(page: &Page) -> Option<Box<str>> {
    let found = page.robots().noindex()?;
    Some(bounded(&format!("{}: {}", found.agent, found.token)))
}

fn bounded(text: &str) -> Box<str> {
    text.chars()
        .take(MAX_FACT_CHARS)
        .collect::<String>()
        .into_boxed_str()
}

/// A language code as written. No valid code is longer.
fn bounded_code(code: &str) -> Box<str> {
    const MAX_CODE: usize = 100;
    code.trim()
        .chars()
        .take(MAX_CODE)
        .collect::<String>()
        .into_boxed_str()
}

fn kept_headers(headers: &Headers) -> Headers {
    headers
        .iter()
        .filter(|(name, _)| KEPT_HEADERS.contains(name))
        .collect()
}

/// The language versions that the page declares, up to a limit, and whether there are more.
fn alternates(page: &Page) -> (Vec<(Box<str>, Url)>, bool) {
    let named = page
        .link_elements("alternate")
        .filter(|link| page.in_head(*link))
        .filter_map(|link| {
            let code = link.attr("hreflang")?;
            let url = page.base().join(link.attr("href")?.trim()).ok()?;
            Some((bounded_code(code), url))
        })
        .chain(
            page.alternates_in_headers()
                .map(|(code, url)| (bounded_code(&code), url)),
        )
        .filter(|(_, url)| !is_too_long(url));
    let (mut kept, mut room) = (Vec::new(), MAX_ALTERNATES_BYTES);
    for (code, url) in named {
        let left = room.checked_sub(code.len() + url.as_str().len());
        let Some(left) = left.filter(|_| kept.len() < MAX_ALTERNATES) else {
            return (kept, true);
        };
        room = left;
        kept.push((code, url));
    }
    (kept, false)
}

fn resources(page: &Page) -> Vec<VisitedResource> {
    // An image that the page loads and a preview image with the same URL are separate resources.
    let mut order: HashMap<(&Url, bool), usize> = HashMap::new();
    let mut found: Vec<VisitedResource> = Vec::new();
    for resource in page.resources() {
        let key = (&resource.url, resource.kind.is_preview());
        match order.get(&key).and_then(|place| found.get_mut(*place)) {
            Some(known) => known.eager |= resource.eager,
            None => {
                if found.len() >= MAX_RESOURCES_OF_A_PAGE || is_too_long(&resource.url) {
                    continue;
                }
                order.insert(key, found.len());
                found.push(VisitedResource {
                    url: resource.url.clone(),
                    internal: page.site().contains(&resource.url),
                    kind: resource.kind,
                    line: page.dom().line(resource.node),
                    eager: resource.eager,
                });
            }
        }
    }
    for (element, url) in page.styles().background_images(page) {
        let url = without_fragment(&url);
        let is_known = found
            .iter()
            .any(|known| known.url == url && !known.kind.is_preview());
        if !is_known && found.len() < MAX_RESOURCES_OF_A_PAGE {
            found.push(VisitedResource {
                internal: page.site().contains(&url),
                kind: ResourceKind::Background,
                line: element.line(),
                eager: true,
                url,
            });
        }
    }
    found
}

/// Every `@type` in the JSON-LD of the page. Invalid JSON has none.
fn json_ld_types(page: &Page) -> Vec<Box<str>> {
    let mut types = Vec::new();
    for script in page
        .html("script")
        .filter(|s| s.attr_is("type", "application/ld+json"))
    {
        let source = script.raw_text();
        if source.len() > MAX_JSON_LD_BYTES {
            continue;
        }
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&source) else {
            continue;
        };
        let mut stack = vec![&value];
        while let Some(value) = stack.pop().filter(|_| types.len() < MAX_JSON_LD_TYPES) {
            match value {
                serde_json::Value::Array(items) => stack.extend(items.iter().rev()),
                serde_json::Value::Object(fields) => {
                    match fields.get("@type") {
                        Some(serde_json::Value::String(name)) => types.push(bounded(name)),
                        Some(serde_json::Value::Array(names)) => types.extend(
                            names
                                .iter()
                                .take(MAX_JSON_LD_TYPES)
                                .filter_map(serde_json::Value::as_str)
                                .map(bounded),
                        ),
                        _ => {}
                    }
                    stack.extend(fields.values());
                }
                _ => {}
            }
        }
    }
    types.truncate(MAX_JSON_LD_TYPES);
    types
}
