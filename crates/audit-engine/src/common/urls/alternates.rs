//! Language versions that pages name by `hreflang`.

use std::collections::{HashMap, HashSet};

use url::Url;

use super::hreflang::hreflang_fault;
use super::variants::variant_hash;
use crate::address::is_same_document;
use crate::check::{Evidence, Outcome, Verdict, Verdicts};
use crate::site::{PageFacts, Site, UrlEntry, UrlId};

/// The code of the version for everybody else.
const DEFAULT: &str = "x-default";

/// Whether all language versions of the page are known and it may be judged by them.
pub(crate) fn is_judged(page: &PageFacts) -> bool {
    page.indexable && !page.alternates_cut
}

/// The language versions that the page names by valid codes, each address once: by its language where
/// it is the default as well.
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

/// Whether the code is that of the version for everybody else.
pub(crate) fn is_default(code: &str) -> bool {
    code.eq_ignore_ascii_case(DEFAULT)
}

/// Which pages the language versions of which page are. What is known of a page is made ready once.
pub(crate) struct Named<'a> {
    site: &'a Site,
    by_page: HashMap<UrlId, HashSet<u64>>,
    room: usize,
}

/// Language versions of all pages that are made ready, at most.
const ROOM: usize = 4_000_000;

impl<'a> Named<'a> {
    /// Of the pages of this site.
    pub(crate) fn of(site: &'a Site) -> Self {
        Self {
            site,
            by_page: HashMap::new(),
            room: ROOM,
        }
    }

    /// Whether one of the language versions of `on` is `page`, by its address, a variant of it, or one
    /// that redirects to it; none where the site has more of them than there is room for.
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

/// Whether sitemaps name language versions, too. What pages say is then not all there is.
pub(crate) fn in_sitemaps(site: &Site) -> bool {
    site.sitemaps
        .iter()
        .filter_map(|file| file.sitemap.as_ref())
        .any(|sitemap| sitemap.names_languages)
}

/// Judges each page by the other language versions that it names, as far as they are known. `fault`
/// says what is wrong with one: nothing where nobody can know, `Some(None)` where all is well. The
/// versions of one language have one cause; `headline` makes its title of the code.
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
            verdicts.judge(
                page.url.as_str(),
                Outcome::for_each(judged, |verdict| verdict),
            );
        }
    }
}
