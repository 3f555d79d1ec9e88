//! Pages that a mistake keeps out of search results.
//!
//! Checks that need an indexable page do not judge a page that is meant to stay out of search results: a page of
//! search results with `noindex`, or a filtered list whose canonical URL is the list. If a check reports what
//! excludes the page, the page is judged as if it were indexable, so that a mistake never hides what the page lacks.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::evaluate::evaluate_site;
use crate::algorithms::sketch::Sketch;
use crate::check::{Check, Outcome};
use crate::checks::catalogue;
use crate::common::documents::duplicates::FEWEST_WORDS;
use crate::common::rendering::directives::removes_noindex;
use crate::common::robots::noindex::{Sitewide, sitewide};
use crate::common::urls::canonical::{known_target, pages_to_root};
use crate::site::{Exclusion, PageFacts, Site, UrlId};
use crate::view::Page;
use url::Url;

/// The checks of a page that report its `noindex`.
const NOINDEX_OF_PAGE: [&str; 1] = ["robots-meta-conflict"];

/// The checks of a page that report its canonical URL.
const CANONICAL_OF_PAGE: [&str; 4] = [
    "canonical-cross-host",
    "canonical-header-mismatch",
    "canonical-multiple",
    "render-changes-canonical",
];

/// The checks that report the canonical URL of pages with the data of the whole site.
const CANONICAL_OF_SITE: [&str; 4] = [
    "canonical-chain",
    "canonical-to-error",
    "canonical-to-noindex",
    "canonical-to-redirect",
];

/// Two texts share so much of their runs of words, in hundredths, that one page is meant to stand for both.
const NEARLY_ALL: u32 = 85;

fn checks(ids: &[&str]) -> Vec<&'static Check> {
    let mut all = catalogue();
    all.retain(|check| ids.contains(&check.id));
    all
}

/// What keeps the page out of search results, except for mistakes that checks of this page report: `fails` tells whether
/// a check fails on the page.
pub(crate) fn of(page: &Page, fails: impl Fn(&'static Check) -> bool) -> Exclusion {
    static NOINDEX: LazyLock<Vec<&'static Check>> = LazyLock::new(|| checks(&NOINDEX_OF_PAGE));
    static CANONICAL: LazyLock<Vec<&'static Check>> = LazyLock::new(|| checks(&CANONICAL_OF_PAGE));
    let is_reported = |checks: &[&'static Check]| checks.iter().any(|check| fails(check));
    Exclusion {
        noindex: page.robots().noindex().is_some()
            && !removes_noindex(page)
            && !is_reported(&NOINDEX),
        canonical: page.has_other_canonical() && !is_reported(&CANONICAL),
    }
}

/// Marks the pages as indexable that a mistake keeps out of search results, as far as checks report it with the data
/// of the whole site.
pub(crate) fn lift_mistaken(site: &mut Site) {
    if site.pages.iter().all(PageFacts::is_indexable) {
        return;
    }
    let noindex = mistaken_noindex(site);
    let canonical = mistaken_canonicals(site);
    for page in &mut site.pages {
        page.exclusion.noindex &= !noindex.contains(&page.id);
        page.exclusion.canonical &= !canonical.contains(&page.id);
    }
}

/// The pages whose `noindex` is a mistake.
fn mistaken_noindex(site: &Site) -> HashSet<UrlId> {
    let mut found: HashSet<UrlId> = listed_pages(site).map(|page| page.id).collect();
    match sitewide(site) {
        None => {}
        Some(Sitewide::Home(_)) => found.extend(site.home().map(|home| home.id)),
        Some(Sitewide::Majority(_)) => found.extend(site.pages.iter().map(|page| page.id)),
    }
    found
}

/// The pages whose canonical URL is a mistake.
fn mistaken_canonicals(site: &Site) -> HashSet<UrlId> {
    let mut found = failing_pages(site, &CANONICAL_OF_SITE);
    let of_pages = listed_pages(site).chain(pages_to_root(site));
    found.extend(of_pages.map(|page| page.id));
    found.retain(|id| {
        site.page_at(*id)
            .is_some_and(|page| !is_copy_of_canonical(site, page))
    });
    found
}

/// The pages that a sitemap lists: they are meant to be indexed.
fn listed_pages(site: &Site) -> impl Iterator<Item = &PageFacts> {
    let is_listed =
        |page: &&PageFacts| (site.urls.get(page.id)).is_some_and(|entry| entry.in_sitemap);
    site.pages.iter().filter(is_listed)
}

/// The pages on which one of the checks fails.
fn failing_pages(site: &Site, ids: &[&str]) -> HashSet<UrlId> {
    let mut found = HashSet::new();
    for check in checks(ids) {
        let mut record = |url: &str, outcome: Outcome| {
            if matches!(outcome, Outcome::Failed(_)) {
                let id = Url::parse(url).ok().and_then(|url| site.urls.find(&url));
                found.extend(id);
            }
            true
        };
        evaluate_site(check, site, &mut record);
    }
    found
}

/// Whether the page has the text of the page at which its canonical URL ends: it is meant to stay out of search
/// results, even if the way there has a mistake.
fn is_copy_of_canonical(site: &Site, page: &PageFacts) -> bool {
    let target = known_target(site, page).and_then(|(id, _)| site.page_behind(id));
    target.is_some_and(|target| {
        let is_same = page.text_hash != 0
            && page.hashed_words >= FEWEST_WORDS
            && page.exact_text() == target.exact_text();
        target.id != page.id && (is_same || is_nearly_same(page, target))
    })
}

fn is_nearly_same(page: &PageFacts, target: &PageFacts) -> bool {
    page.words >= Sketch::FEWEST_WORDS
        && target.words >= Sketch::FEWEST_WORDS
        && (page.sketch.resemblance(&target.sketch)).is_some_and(|share| share >= NEARLY_ALL)
}

#[cfg(test)]
mod tests {
    use domain::SubjectKind;

    use super::*;
    use crate::check::Need;

    #[test]
    fn the_checks_exist_and_judge_pages() {
        for ids in [&NOINDEX_OF_PAGE[..], &CANONICAL_OF_PAGE, &CANONICAL_OF_SITE] {
            let found = checks(ids);
            assert_eq!(found.len(), ids.len());
            for check in found {
                assert_eq!(
                    SubjectKind::from(check.scope),
                    SubjectKind::Page,
                    "{}",
                    check.id
                );
                // A check that judges only indexable pages never sees an excluded one.
                assert!(!check.needs(Need::Indexable), "{}", check.id);
            }
        }
    }
}
