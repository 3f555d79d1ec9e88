//! Links of a page that are not in its response.

use std::collections::HashSet;

use url::Url;

use super::fallback::fallback_links;
use super::forms::Forms;
use super::overlay::Overlays;
use crate::common::urls::variants::variant_hash;
use crate::page::{Link, LinkTarget};
use crate::view::Page;

/// The internal links of a page after its scripts, each target once.
#[derive(Debug)]
pub(crate) struct NewLinks<'a> {
    /// The number of targets, without the page itself.
    pub(crate) all: usize,
    /// The first link to each target that the response does not link to.
    pub(crate) new: Vec<(&'a Link, &'a Url)>,
}

impl<'a> NewLinks<'a> {
    /// Compares the links of both forms. Links of dialogs and cookie banners do not count. Variants of a URL are the same
    /// target, with and without a query as well: scripts add parameters to links.
    pub(crate) fn new(forms: Forms<'a>) -> Self {
        let fallback = fallback_links(forms.served);
        let served = internal(forms.served).map(|(_, url)| url);
        let known = Targets::new(served.chain(&fallback));
        let mut seen = HashSet::new();
        let own = Targets::new([forms.shown.url()]);
        let overlays = Overlays::new(forms.shown);
        let is_above = |link: &Link| {
            let element = forms.shown.element(link.node);
            element.is_some_and(|element| overlays.have(element))
        };
        let mut links = Self {
            all: 0,
            new: Vec::new(),
        };
        for (link, url) in internal(forms.shown) {
            let is_first = seen.insert((variant_hash(url), url.query()));
            if !is_first || own.has(url) || is_above(link) {
                continue;
            }
            links.all += 1;
            if !known.has(url) {
                links.new.push((link, url));
            }
        }
        links
    }
}

fn internal(page: &Page) -> impl Iterator<Item = (&Link, &Url)> {
    page.links().iter().filter_map(|link| match &link.target {
        LinkTarget::Internal(url) => Some((link, &**url)),
        _ => None,
    })
}

/// Targets of links.
struct Targets<'a> {
    whole: HashSet<(u64, Option<&'a str>)>,
    paths: HashSet<u64>,
}

impl<'a> Targets<'a> {
    fn new(urls: impl IntoIterator<Item = &'a Url>) -> Self {
        let (mut whole, mut paths) = (HashSet::new(), HashSet::new());
        for url in urls {
            let path = variant_hash(url);
            whole.insert((path, url.query()));
            paths.insert(path);
        }
        Self { whole, paths }
    }

    fn has(&self, url: &Url) -> bool {
        let path = variant_hash(url);
        match url.query() {
            None => self.paths.contains(&path),
            query => self.whole.contains(&(path, query)) || self.whole.contains(&(path, None)),
        }
    }
}
