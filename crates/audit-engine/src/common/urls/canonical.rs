//! Canonical declarations of a page, by where they stand.

use url::Url;

use super::variants::shared_path;
use crate::address::without_fragment;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::dom::ElementRef;
use crate::site::{PageFacts, Site, UrlEntry, UrlId};
use crate::view::Page;

/// The `link rel=canonical` elements in the head, in document order.
pub(crate) fn in_head(page: &Page) -> impl Iterator<Item = ElementRef<'_>> {
    page.link_elements("canonical")
        .filter(|link| page.in_head(*link))
}

/// The URL that the element names, resolved, fragment dropped; none where there is no http(s) URL.
pub(crate) fn target(page: &Page, link: ElementRef<'_>) -> Option<Url> {
    let href = link.attr("href").map(str::trim).filter(|h| !h.is_empty())?;
    let url = page.base().join(href).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| without_fragment(&url))
}

/// The canonical URLs of `Link` headers, fragments dropped.
pub(crate) fn from_headers(page: &Page) -> Vec<Url> {
    // `Page::canonicals` lists those of the head first.
    let of_head = in_head(page)
        .filter_map(|link| link.attr("href"))
        .filter(|href| page.base().join(href.trim()).is_ok())
        .count();
    page.canonicals()
        .iter()
        .skip(of_head)
        .map(without_fragment)
        .collect()
}

/// The one canonical URL of a page, fragment dropped; none where there is none or they contradict.
pub(crate) fn sole(page: &PageFacts) -> Option<Url> {
    let mut urls = page.canonicals.iter().map(without_fragment);
    let first = urls.next()?;
    urls.all(|url| url == first).then_some(first)
}

/// The URL of this site that the page names as canonical, if the crawl has met it.
pub(crate) fn known_target<'a>(site: &'a Site, page: &PageFacts) -> Option<(UrlId, &'a UrlEntry)> {
    let url = sole(page)?;
    if !site.key.contains(&url) {
        return None;
    }
    site.lookup(&url)
}

/// Judges each page by the URL of this site that it names as canonical. `fault` says what is wrong
/// with that URL: nothing where nobody can know, `Some(None)` where all is well. All pages that name
/// one URL have one cause; `headline` makes its title.
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
        // A page that names itself defers to no other, whatever else it says.
        if id == page.id {
            verdicts.judge(page.url.as_str(), Outcome::Passed);
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
        verdicts.judge(page.url.as_str(), outcome);
    }
}

/// Fewer pages than these that name the root are no pattern.
const FEWEST_TO_ROOT: usize = 3;

/// The pages that name the root of the site as canonical though they are other pages, where there are
/// so many that a template is likely to blame; else none.
pub(crate) fn pages_to_root(site: &Site) -> Vec<&PageFacts> {
    let home = site.home().map_or(0, |home| home.text_hash);
    let pages: Vec<&PageFacts> = site
        .pages
        .iter()
        .filter(|page| page.noindex.is_none() && !shared_path(&page.url).is_empty())
        // Copies of the start page name it rightly, and of a page that scripts write nothing is known.
        .filter(|page| page.text_hash != home)
        .filter(|page| sole(page).is_some_and(|url| is_root(site, &url)))
        .collect();
    if pages.len() < FEWEST_TO_ROOT {
        return Vec::new();
    }
    pages
}

/// Copies of public sites on loopback name the public host.
fn is_root(site: &Site, url: &Url) -> bool {
    url.path() == "/" && url.query().is_none() && (site.loopback || site.key.contains(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_header_are_told_apart() {
        let page = Page::builder()
            .header("Link", "<https://example.com/h>; rel=canonical")
            .html("<link rel=canonical href='https://['><link rel=canonical href=/a#b><body>x");
        let head: Vec<_> = in_head(&page).filter_map(|l| target(&page, l)).collect();
        assert_eq!(head[0].as_str(), "https://example.com/a");
        assert_eq!(from_headers(&page)[0].as_str(), "https://example.com/h");
        assert_eq!((head.len(), from_headers(&page).len()), (1, 1));
    }
}
