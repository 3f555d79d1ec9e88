//! Language versions that pages declare with `hreflang`.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::hreflang::hreflang_fault;
use super::variants::variant_hash;
use crate::address::is_same_document;
use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::site::{PageFacts, Site, UrlEntry, UrlId};

/// The code of the default version for all other languages.
const DEFAULT: &str = "x-default";

/// Whether the page is indexable and all its language versions are known, so checks can evaluate it.
pub(crate) fn is_judged(page: &PageFacts) -> bool {
    page.is_indexable() && !page.alternates_cut
}

/// The language versions that the page declares with valid codes, each URL once. A URL that has a language
/// code and is also the default is listed with its language code.
pub(crate) fn versions(page: &PageFacts) -> Vec<(&str, &Url)> {
    let mut known = HashSet::new();
    let of = |wants_default: bool| {
        page.alternates.iter().filter_map(move |(code, url)| {
            let is_default = code.eq_ignore_ascii_case(DEFAULT);
            (is_default == wants_default && hreflang_fault(code).is_none())
                .then_some((&**code, url))
        })
    };
    of(false)
        .chain(of(true))
        .filter(|(_, url)| known.insert(url.as_str()))
        .collect()
}

/// Whether the code is `x-default`.
pub(crate) fn is_default(code: &str) -> bool {
    code.eq_ignore_ascii_case(DEFAULT)
}

/// An index of the language versions of each page, built once per page on first use.
pub(crate) struct Named<'a> {
    site: &'a Site,
    by_page: HashMap<UrlId, HashSet<u64>>,
    room: usize,
}

/// The maximum number of indexed language versions of all pages.
const ROOM: usize = 4_000_000;

impl<'a> Named<'a> {
    /// An empty index for the pages of this site.
    pub(crate) fn new(site: &'a Site) -> Self {
        Self {
            site,
            by_page: HashMap::new(),
            room: ROOM,
        }
    }

    /// Whether one of the language versions of `on` is `page`, by its URL, a variant of the URL, or a URL
    /// that redirects to it; `None` if the site has more language versions than the maximum.
    pub(crate) fn names(&mut self, on: &PageFacts, page: &PageFacts) -> Option<bool> {
        if !self.by_page.contains_key(&on.id) {
            let addresses = self.addresses(on);
            self.room = self.room.checked_sub(addresses.len())?;
            self.by_page.insert(on.id, addresses);
        }
        let wanted = variant_hash(&page.url);
        Some(self.by_page.get(&on.id)?.contains(&wanted))
    }

    fn addresses(&self, on: &PageFacts) -> HashSet<u64> {
        let mut found = HashSet::new();
        for (_, url) in &on.alternates {
            found.insert(variant_hash(url));
            let landed = self
                .site
                .lookup(url)
                .and_then(|(id, _)| self.site.page_behind(id));
            found.extend(landed.map(|page| variant_hash(&page.url)));
        }
        found
    }
}

/// Whether sitemaps declare language versions too. The declarations of the pages are then incomplete.
pub(crate) fn in_sitemaps(site: &Site) -> bool {
    site.sitemaps
        .iter()
        .filter_map(|file| file.sitemap.as_ref())
        .any(|sitemap| sitemap.names_languages)
}

/// Evaluates each page by the other language versions that it declares, as far as they are known. `fault`
/// returns the fault of a version: `None` if it is unknown, `Some(None)` if there is no fault. The
/// versions of one language have one cause; `headline` creates its title from the code.
pub(crate) fn judge_versions(
    site: &Site,
    verdicts: &mut Verdicts<'_>,
    headline: impl Fn(&str) -> String,
    fault: impl Fn(&str, UrlId, &UrlEntry) -> Option<Option<String>>,
) {
    for page in site.pages.iter().filter(|page| is_judged(page)) {
        let mut judged = Vec::new();
        for (code, url) in versions(page) {
            if is_same_document(url, &page.url) {
                continue;
            }
            let Some((id, entry)) = site.lookup(url) else {
                continue;
            };
            judged.push(match fault(code, id, entry) {
                None => continue,
                Some(None) => Verdict::Pass,
                Some(Some(fault)) => Verdict::Fail(
                    Evidence::here()
                        .message(format!("The `{code}` version {} {fault}.", entry.url))
                        .cause(code.to_ascii_lowercase(), headline(code)),
                ),
            });
        }
        if !judged.is_empty() {
            verdicts.record(
                page.url.as_str(),
                Outcome::for_each(judged, |verdict| verdict),
            );
        }
    }
}
