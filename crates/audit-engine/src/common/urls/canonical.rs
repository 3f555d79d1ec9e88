//! Canonical declarations of a page, in the head and in `Link` headers.

use url::Url;

use super::variants::shared_path;
use crate::address::without_fragment;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::dom::ElementRef;
use crate::site::{PageFacts, Site, UrlEntry, UrlId, sole_canonical};
use crate::view::Page;

/// The `link rel=canonical` elements in the head, in document order.
pub(crate) fn in_head(page: &Page) -> impl Iterator<Item = ElementRef<'_>> {
    page.link_elements("canonical")
        .filter(|link| page.in_head(*link))
}

/// The resolved URL of the element without its fragment; `None` if it is not an HTTP or HTTPS URL.
pub(crate) fn target(page: &Page, link: ElementRef<'_>) -> Option<Url> {
    let href = link.attr("href").map(str::trim).filter(|h| !h.is_empty())?;
    let url = page.base().join(href).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| without_fragment(&url))
}

/// The canonical URLs of `Link` headers, without fragments.
pub(crate) fn from_headers(page: &Page) -> Vec<Url> {
    // `Page::canonicals` lists the URLs of the head first.
    let of_head = in_head(page)
        .filter(|link| target(page, *link).is_some())
        .count();
    page.canonicals()
        .iter()
        .skip(of_head)
        .map(without_fragment)
        .collect()
}

/// The only canonical URL of a page, without its fragment; `None` if there is none or they conflict.
pub(crate) fn sole(page: &PageFacts) -> Option<Url> {
    sole_canonical(&page.canonicals)
}

/// The canonical URL of the page, if it is on this site and the crawl has found it.
pub(crate) fn known_target<'a>(site: &'a Site, page: &PageFacts) -> Option<(UrlId, &'a UrlEntry)> {
    let url = sole(page)?;
    if !site.key.contains(&url) {
        return None;
    }
    site.lookup(&url)
}

/// Evaluates each page by its canonical URL on this site. `fault` returns the fault of that URL: `None` if it
/// is unknown, `Some(None)` if there is no fault. All pages with the same canonical URL have one cause;
/// `headline` creates its title.
pub(crate) fn judge_targets(
    site: &Site,
    verdicts: &mut Verdicts<'_>,
    headline: impl Fn(&str) -> String,
    fault: impl Fn(&Site, UrlId, &UrlEntry) -> Option<Option<String>>,
) {
    for page in &site.pages {
        let Some((id, target)) = known_target(site, page) else {
            continue;
        };
        // A self-referencing canonical always passes.
        if id == page.id {
            verdicts.record(page.url.as_str(), Outcome::Passed);
            continue;
        }
        let Some(judged) = fault(site, id, target) else {
            continue;
        };
        let outcome = match judged {
            None => Outcome::Passed,
            Some(fault) => Outcome::failed(vec![
                Evidence::here()
                    .message(format!("The canonical URL {} {fault}.", target.url))
                    .cause(
                        &*target.url,
                        format!("{}: {}", headline(&fault), target.url),
                    ),
            ]),
        };
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// The minimum number of pages with the root as canonical that indicates a template error.
const FEWEST_TO_ROOT: usize = 3;

/// The pages without `noindex`, other than the start page, that have the root of the site as canonical. The list is
/// empty if there are too few pages for a template error, with those that have `noindex`.
pub(crate) fn pages_to_root(site: &Site) -> Vec<&PageFacts> {
    let home = site.home().map_or(0, |home| home.text_hash);
    let mut pages: Vec<&PageFacts> = site
        .pages
        .iter()
        .filter(|page| !shared_path(&page.url).is_empty())
        // For copies of the start page the root is correct. The text of client-rendered pages is unknown.
        .filter(|page| page.text_hash != home)
        .filter(|page| sole(page).is_some_and(|url| is_root(site, &url)))
        .collect();
    if pages.len() < FEWEST_TO_ROOT {
        return Vec::new();
    }
    pages.retain(|page| page.noindex.is_none());
    pages
}

/// Whether the URL is the root of the site. On loopback any host counts, because a local copy of a public site
/// has canonicals on the public host.
fn is_root(site: &Site, url: &Url) -> bool {
    url.path() == "/" && url.query().is_none() && (site.loopback || site.key.contains(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonicals_in_head_and_header_are_distinguished() {
        let page = Page::builder()
            .header("Link", "<https://example.com/h>; rel=canonical")
            .html("<link rel=canonical href='https://['><link rel=canonical href=/a#b><body>x");
        let head: Vec<_> = in_head(&page).filter_map(|l| target(&page, l)).collect();
        assert_eq!(head[0].as_str(), "https://example.com/a");
        assert_eq!(from_headers(&page)[0].as_str(), "https://example.com/h");
        assert_eq!((head.len(), from_headers(&page).len()), (1, 1));
    }
}
