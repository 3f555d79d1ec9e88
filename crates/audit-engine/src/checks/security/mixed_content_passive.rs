//! Passive mixed content: images, audio and video over plain HTTP on HTTPS pages.

use url::Url;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::http::transport::{is_plain, upgrades_requests};
use crate::common::urls::srcset;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::ResourceKind;
use crate::policy::csp::enforced;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No HTTPS page loads images, audio or video over plain HTTP.
    ///
    /// ## Why it matters
    /// Browsers request such files over HTTPS instead, and show nothing if the server does not
    /// support it. If a browser loads them over HTTP, others on the network can see and replace
    /// them.
    ///
    /// ## How to fix it
    /// Load the image, audio or video with `https://`. If the other server does not support HTTPS, host the file on
    /// your own site.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><img src="http://images.example.net/ferry.jpg" alt="Our ferry" width="640" height="480"></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><img src="https://images.example.net/ferry.jpg" alt="Our ferry" width="640" height="480"></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not see images that style sheets or scripts load.
    ///
    /// ## Also known as
    /// - Lighthouse: `is-on-https`
    /// - ZAP: Secure Pages Include Mixed Content
    /// - W3C: Upgradeable mixed content
    ///
    /// ## References
    /// - W3C Mixed Content, section 3 Content Categories
    MIXED_CONTENT_PASSIVE {
        id: "mixed-content-passive",
        title: "Passive mixed content: images, audio or video",
        dimension: Security,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if !page.is_https() {
        return Outcome::NotApplicable;
    }
    let upgraded = upgrades_requests(&enforced(page));
    Outcome::for_each(references(page), |(element, url)| {
        Verdict::pass_if(upgraded || !is_plain(&url), || evidence(element, &url))
    })
}

/// Every image, audio file and video of the page, with the element that references it.
fn references(page: &Page) -> impl Iterator<Item = (ElementRef<'_>, Url)> {
    let loaded = page
        .resources()
        .iter()
        .filter(|resource| {
            matches!(
                resource.kind,
                ResourceKind::Image | ResourceKind::Media | ResourceKind::Icon
            )
        })
        .filter_map(|resource| Some((page.element(resource.node)?, resource.url.clone())));
    loaded.chain(srcset_candidates(page))
}

fn srcset_candidates(page: &Page) -> impl Iterator<Item = (ElementRef<'_>, Url)> {
    page.html("img")
        .chain(page.html("source"))
        .filter_map(|element| Some((element, element.attr("srcset")?)))
        .flat_map(move |(element, list)| {
            srcset::urls(list)
                .into_iter()
                .filter_map(move |url| Some((element, page.base().join(url).ok()?)))
        })
        .filter(|(_, url)| matches!(url.scheme(), "http" | "https"))
}

fn evidence(element: ElementRef<'_>, url: &Url) -> Evidence {
    Evidence::node(element)
        .message(format!(
            "The HTTPS page references {url} over plain HTTP; expected HTTPS."
        ))
        .cause(
            url.as_str(),
            format!("Image, audio or video over plain HTTP: {url}"),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn http_images_and_media_fail() {
        assert_fails(
            &MIXED_CONTENT_PASSIVE,
            "<img src=http://e.org/a.png><video src=http://e.org/a.mp4 poster=http://e.org/b.png></video><audio><source src=http://e.org/a.ogg></audio>",
            4,
        );
    }

    #[test]
    fn every_srcset_candidate_is_checked() {
        assert_fails(
            &MIXED_CONTENT_PASSIVE,
            "<img src=a.png srcset='http://e.org/1.png 1x, https://e.org/2.png 2x, http://e.org/3.png 3x'>",
            2,
        );
    }

    #[test]
    fn relative_and_data_urls_pass() {
        assert_passes(
            &MIXED_CONTENT_PASSIVE,
            "<img src=a.png srcset='data:image/png;base64,AA 2x'>",
        );
    }

    #[test]
    fn pages_without_images_are_not_applicable() {
        assert_not_applicable(
            &MIXED_CONTENT_PASSIVE,
            "<script src=http://e.org/a.js></script>",
        );
    }
}
