//! The links of a page, as the crawl follows them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use domain::target::MAX_URL_BYTES;
use url::{Position, Url};

use super::left_out::LeftOut;
use crate::bounds::page::{MAX_HREF_LENGTH, MAX_LINKS, MAX_SURPLUS_LINKS};
use crate::page::{Link, LinkTarget};
use crate::site::LinkPlace;
use crate::view::Page;
use crate::view::fragments::{ScriptNames, Targets, is_control, is_handled, is_skip_link, place};

/// A URL that is too long to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TooLong {
    pub(crate) hash: u64,
    pub(crate) internal: bool,
}

/// The target of links.
#[derive(Debug, Clone)]
pub(crate) struct DraftTarget {
    /// Without a fragment, unless that is a route.
    pub(crate) url: Arc<Url>,
    pub(crate) internal: bool,
}

impl DraftTarget {
    /// Whether the fragment of the URL is a path that a script reads, so that it leads to a page of its own.
    pub(crate) fn is_route(&self) -> bool {
        self.url.fragment().is_some()
    }
}

/// A link, once per written form.
#[derive(Debug, Clone)]
pub(crate) struct DraftLink {
    /// Its index in the targets.
    pub(crate) target: usize,
    href: Range<usize>,
    pub(crate) line: u32,
    pub(crate) count: u32,
    pub(crate) nofollow: bool,
    pub(crate) place: LinkPlace,
}

impl DraftLink {
    /// Its written form, from those of all links of its page.
    pub(super) fn href<'h>(&self, hrefs: &'h str) -> &'h str {
        hrefs.get(self.href.clone()).unwrap_or_default()
    }
}

/// The links of a page, up to a limit.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) targets: Vec<DraftTarget>,
    pub(super) found: Vec<DraftLink>,
    pub(super) hrefs: String,
    pub(super) surplus: Vec<Arc<Url>>,
    pub(super) too_long: Vec<TooLong>,
    pub(super) is_cut: bool,
}

impl Links {
    /// These links, and those that only a browser has. What the browser has says how a target is linked.
    fn completed_by(mut self, shown: &Self) -> Self {
        let mut of_shown: HashMap<&Url, usize> = HashMap::new();
        for (place, target) in shown.targets.iter().enumerate() {
            of_shown.insert(&target.url, place);
        }
        let (served, by_browser) = (self.by_target(), shown.by_target());
        let links = |all: &[Vec<DraftLink>], place: usize| all.get(place).cloned();
        let mut merged = Self::default();
        for (place, target) in self.targets.iter().enumerate() {
            match of_shown.remove(&*target.url) {
                Some(other) => merged.add(target, &shown.hrefs, links(&by_browser, other)),
                None => merged.add(target, &self.hrefs, links(&served, place)),
            }
        }
        for (place, target) in shown.targets.iter().enumerate() {
            if of_shown.contains_key(&*target.url) {
                merged.add(target, &shown.hrefs, links(&by_browser, place));
            }
        }
        merged.is_cut |= self.is_cut || shown.is_cut;
        merged.surplus.append(&mut self.surplus);
        merged.surplus.extend(shown.surplus.iter().cloned());
        let mut seen = HashSet::new();
        merged.surplus.retain(|url| seen.insert(Arc::clone(url)));
        merged.surplus.truncate(MAX_SURPLUS_LINKS);
        merged.too_long.append(&mut self.too_long);
        merged.too_long.extend(&shown.too_long);
        merged.too_long.sort_unstable();
        merged.too_long.dedup();
        merged.too_long.truncate(MAX_SURPLUS_LINKS);
        merged
    }

    /// The links to each target.
    fn by_target(&self) -> Vec<Vec<DraftLink>> {
        let mut all = vec![Vec::new(); self.targets.len()];
        for link in &self.found {
            if let Some(own) = all.get_mut(link.target) {
                own.push(link.clone());
            }
        }
        all
    }

    /// Adds a target with its links, whose written forms are parts of `hrefs`.
    fn add(&mut self, target: &DraftTarget, hrefs: &str, links: Option<Vec<DraftLink>>) {
        let room = MAX_LINKS.saturating_sub(self.found.len());
        let links = links.unwrap_or_default();
        self.is_cut |= links.len() > room;
        if room == 0 {
            if target.internal {
                self.surplus.push(Arc::clone(&target.url));
            }
            return;
        }
        let place = self.targets.len();
        self.targets.push(target.clone());
        for link in links.into_iter().take(room) {
            let start = self.hrefs.len();
            self.hrefs.push_str(link.href(hrefs));
            self.found.push(DraftLink {
                target: place,
                href: start..self.hrefs.len(),
                ..link
            });
        }
    }
}

/// The links of a page. Of a page that a browser showed, those of the response come first, in their order; links that
/// scripts added follow in the order of the rendered page. So the numbers of pages depend on content and not on timing.
pub(super) fn links(page: &Page) -> Links {
    if !page.is_rendered() {
        return read(page, false);
    }
    let has_routes = page.needs_scripts();
    let shown = read(page, has_routes);
    read(page.as_served(), has_routes).completed_by(&shown)
}

/// The links of one form of the page. With `has_routes` fragments that a script reads as paths lead to pages of their
/// own.
fn read(page: &Page, has_routes: bool) -> Links {
    // The index of each written form in the links, and of each URL in the targets.
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut targets: Vec<Option<usize>> = Vec::new();
    let mut routes: HashMap<String, usize> = HashMap::new();
    let mut links = Links::default();
    let mut there = OwnFragments::new(page);
    for link in page.links() {
        let (LinkTarget::Internal(url) | LinkTarget::External(url)) = &link.target else {
            continue;
        };
        let Some(place) = slot(&mut places, link.form) else {
            continue;
        };
        if let Some(known) = place.and_then(|place| links.found.get_mut(place)) {
            known.count = known.count.saturating_add(1);
            known.nofollow &= link.nofollow;
            if !has_routes || !page.fragment(link).as_deref().is_some_and(is_path) {
                known.place = known.place.max(there.evaluate(link));
            }
            continue;
        }
        let internal = matches!(link.target, LinkTarget::Internal(_));
        if is_too_long(url) {
            if links.too_long.len() < MAX_SURPLUS_LINKS {
                let hash = LeftOut::hash(url);
                links.too_long.push(TooLong { hash, internal });
            }
            continue;
        }
        if links.found.len() >= MAX_LINKS {
            links.is_cut = true;
            if internal && links.surplus.len() < MAX_SURPLUS_LINKS {
                links.surplus.push(Arc::clone(url));
            }
            continue;
        }
        let path = page.fragment(link);
        let path = path
            .as_deref()
            .filter(|path| has_routes && internal && is_path(path));
        let place_of_link = match path {
            Some(_) => LinkPlace::None,
            None => there.evaluate(link),
        };
        let add = |links: &mut Links, url| {
            links.targets.push(DraftTarget { url, internal });
            links.targets.len() - 1
        };
        let target = if let Some(route) = route(path) {
            let mut own = Url::clone(url);
            own.set_fragment(Some(route));
            let known = routes.get(own.as_str()).copied();
            known.unwrap_or_else(|| {
                let name = own.as_str().to_owned();
                let place = add(&mut links, Arc::new(own));
                routes.insert(name, place);
                place
            })
        } else {
            let Some(target) = slot(&mut targets, link.place) else {
                continue;
            };
            *target.get_or_insert_with(|| add(&mut links, Arc::clone(url)))
        };
        let start = links.hrefs.len();
        links.hrefs.push_str(start_of(page.href(link)));
        *place = Some(links.found.len());
        links.found.push(DraftLink {
            target,
            href: start..links.hrefs.len(),
            line: page.dom().line(link.node),
            count: 1,
            nofollow: link.nofollow,
            place: place_of_link,
        });
    }
    links.too_long.sort_unstable();
    links.too_long.dedup();
    links
}

/// Whether scripts read the fragment as a path: `#/about` or `#!about`.
fn is_path(fragment: &str) -> bool {
    fragment.starts_with(['/', '!'])
}

/// The fragment as the route of another page. That of the start page is the URL without it.
fn route(fragment: Option<&str>) -> Option<&str> {
    fragment.filter(|fragment| !fragment.trim_start_matches(['!', '/']).is_empty())
}

/// The slot with this number, which is created if it does not exist: numbers are consecutive.
fn slot(slots: &mut Vec<Option<usize>>, number: u32) -> Option<&mut Option<usize>> {
    let number = usize::try_from(number).ok()?;
    if slots.len() <= number {
        slots.resize(number + 1, None);
    }
    slots.get_mut(number)
}

/// The first bytes, cut at a character boundary.
fn start_of(written: &str) -> &str {
    written
        .get(..written.floor_char_boundary(MAX_HREF_LENGTH))
        .unwrap_or(written)
}

/// Evaluates links to fragments of the same page.
struct OwnFragments<'a> {
    page: &'a Page,
    /// The page's address without a fragment.
    own: &'a str,
    targets: Option<Targets<'a>>,
    scripts: Option<ScriptNames<'a>>,
}

impl<'a> OwnFragments<'a> {
    fn new(page: &'a Page) -> Self {
        Self {
            page,
            own: &page.url()[..Position::AfterQuery],
            targets: None,
            scripts: None,
        }
    }

    fn evaluate(&mut self, link: &Link) -> LinkPlace {
        let LinkTarget::Internal(url) = &link.target else {
            return LinkPlace::None;
        };
        if !start_of(self.page.href(link)).contains('#') {
            return LinkPlace::None;
        }
        let fragment = self.page.fragment(link);
        let fragment = fragment.as_deref().and_then(place);
        let element = self.page.element(link.node);
        let (Some(fragment), Some(element)) = (fragment, element) else {
            return LinkPlace::None;
        };
        if is_handled(element) {
            return LinkPlace::None;
        }
        if url.as_str() != self.own {
            return LinkPlace::Elsewhere;
        }
        let page = self.page;
        let targets = self.targets.get_or_insert_with(|| Targets::new(page));
        if targets.find(fragment).is_some() || is_skip_link(&element.text()) {
            return LinkPlace::Found;
        }
        let scripts = self.scripts.get_or_insert_with(|| ScriptNames::new(page));
        if page.runs_scripts() && is_control(element, fragment, scripts) {
            LinkPlace::None
        } else {
            LinkPlace::Missing
        }
    }
}

/// Whether the URL is too long to be requested. Fragments are not sent, so they do not count.
pub(super) fn is_too_long(url: &Url) -> bool {
    url[..Position::AfterQuery].len() > MAX_URL_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_html(html: &str, has_routes: bool) -> Links {
        read(&Page::builder().html(html), has_routes)
    }

    fn targets(links: &Links) -> Vec<&str> {
        let targets = links.targets.iter();
        targets
            .map(|target| &target.url[Position::BeforePath..])
            .collect()
    }

    #[test]
    fn what_the_browser_has_says_how_a_target_is_linked() {
        let served = read_html("<a href=/a>A</a><a href=/b>B</a>", false);
        let shown = read_html(
            "<a href=/c>C</a><a href=/b rel=nofollow>B</a><a href=/b rel=nofollow>B</a>",
            false,
        );
        let merged = served.completed_by(&shown);
        assert_eq!(targets(&merged), ["/a", "/b", "/c"]);
        let facts = |place: usize| {
            let link = &merged.found[place];
            (link.href(&merged.hrefs), link.count, link.nofollow)
        };
        assert_eq!(facts(0), ("/a", 1, false));
        assert_eq!(facts(1), ("/b", 2, true));
        assert_eq!(facts(2), ("/c", 1, false));
        assert!(!merged.is_cut);
    }

    #[test]
    fn both_forms_together_have_as_many_links_as_one() {
        let html: String = (0..MAX_LINKS)
            .map(|number| format!("<a href={number}>"))
            .collect();
        let served = read_html(&html, false);
        assert!(!served.is_cut);
        let merged = served.completed_by(&read_html("<a href=/x></a><a href=/y></a>", false));
        assert_eq!(merged.found.len(), MAX_LINKS);
        assert!(merged.is_cut);
        assert_eq!(merged.surplus.len(), 2);
    }

    #[test]
    fn only_fragments_that_are_paths_are_routes() {
        let html = "<a href='#/a'></a><a href='#!b'></a><a href='#/'></a><a href='#top'></a><a href='/x#/c'></a>";
        let routes = ["/#/a", "/#!b", "/", "/x#/c"];
        assert_eq!(targets(&read_html(html, true)), routes);
        assert_eq!(targets(&read_html(html, false)), ["/", "/x"]);
    }
}
