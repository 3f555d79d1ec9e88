//! The canonical URL is on the same registrable domain as the page.

use crate::check::{Evidence, Outcome};
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;
use domain::target::same_landing;
use url::{Host, Url};

declare_check! {
    /// ## What it checks
    /// The canonical URL of the page is on the same registrable domain as the page.
    /// `docs.example.com` may declare a canonical URL on `www.example.com`, but not on
    /// `example.org`.
    ///
    /// ## Why it matters
    /// A cross-domain canonical asks search engines to show the other domain instead of this page.
    /// This is right for an article that was first published there. It is a costly mistake if a
    /// template or a site move left it behind.
    ///
    /// ## How to fix it
    /// Declare the page's own URL in `<link rel="canonical">` if the page is the original. Keep the cross-domain
    /// canonical only if the other domain has the original content.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://island-line.example.org/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check cannot distinguish an intentional cross-domain canonical of syndicated content from a
    /// mistake. It skips pages on a loopback address or a bare IP address, such as a local preview of a site.
    /// In rendered mode, too, the check judges the response, in which search engines find the canonical URL
    /// before they render the page.
    ///
    /// ## Also known as
    /// - Screaming Frog: Canonicals: Canonicalised
    ///
    /// ## References
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    CANONICAL_CROSS_HOST {
        id: "canonical-cross-host",
        title: "Cross-domain canonical URL",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom, PublicOrigin, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let Some(canonical) = page.canonicals().first() else {
        return Outcome::NotApplicable;
    };
    if !matches!(page.url().host(), Some(Host::Domain(_))) || page.is_loopback() {
        return Outcome::NotApplicable;
    }
    let same = same_landing(&without_port(page.url()), &without_port(canonical));
    Outcome::pass_if(same, || {
        canonical::in_head(page)
            .next()
            .map_or_else(Evidence::here, Evidence::node)
            .message(format!(
                "The canonical URL {canonical} is on another domain; expected the domain of the page."
            ))
    })
}

fn without_port(url: &Url) -> Url {
    let mut url = url.clone();
    // `set_port` fails only for URLs that cannot have a port, and those are not http or https.
    let _ = url.set_port(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome_of};

    #[test]
    fn the_same_host_or_another_subdomain_passes() {
        assert_passes(
            &CANONICAL_CROSS_HOST,
            "<link rel=canonical href=http://example.com/a>",
        );
        assert_passes(
            &CANONICAL_CROSS_HOST,
            "<link rel=canonical href=https://docs.example.com:8443/a>",
        );
    }

    #[test]
    fn another_domain_fails() {
        assert_fails(
            &CANONICAL_CROSS_HOST,
            "<link rel=canonical href=https://example.org/>",
            1,
        );
    }

    #[test]
    fn hosts_under_a_shared_public_suffix_are_different_domains() {
        let page = Page::builder()
            .url("https://a.github.io/")
            .html("<link rel=canonical href=https://b.github.io/>");
        assert!(matches!(
            outcome_of(&CANONICAL_CROSS_HOST, &page),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn a_local_copy_of_a_published_site_is_not_applicable() {
        for url in [
            "http://127.0.0.1:8080/",
            "http://localhost:8080/",
            "http://10.0.0.7/",
        ] {
            let page = Page::builder()
                .url(url)
                .html("<link rel=canonical href=https://docs.djangoproject.com/en/5.0/>");
            assert_eq!(
                outcome_of(&CANONICAL_CROSS_HOST, &page),
                Outcome::NotApplicable
            );
        }
    }

    #[test]
    fn a_page_without_a_canonical_is_not_applicable() {
        assert_not_applicable(&CANONICAL_CROSS_HOST, "<p>x");
    }
}
