//! Scripts do not change the canonical URL of a page.

use url::Url;

use crate::check::{Evidence, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::same_page::is_same_page;
use crate::common::urls::canonical;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// If the response declares a canonical URL, in the head or in a `Link` header, the page after its scripts declares
    /// the same one, and no other.
    ///
    /// ## Why it matters
    /// Search engines read the canonical URL twice: from the response, and from the rendered page if they run scripts.
    /// If the two differ, the page has two canonical URLs, and search engines may show the wrong one or ignore both.
    /// Crawlers that run no scripts see only the URL of the response.
    ///
    /// ## How to fix it
    /// Write the canonical URL into the HTML on the server, and let no script change or remove it. If only a script can
    /// know the URL, leave it out of the response: Google then uses the one that the script adds.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times</title><link rel="canonical" href="/"><script>document.querySelector("link[rel=canonical]").href = "/times"</script></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times</title><link rel="canonical" href="/times"><script>document.documentElement.className = "ready"</script></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// A canonical URL that is only there after scripts passes, because Google accepts it. The check compares resolved
    /// URLs: relative and absolute forms, fragments, a slash at the end and letter case of percent-encodings make no
    /// difference. On loopback only path and query are compared. The check skips pages with `noindex`.
    /// `canonical-multiple` reports several canonical URLs in one form of the page.
    ///
    /// ## Also known as
    /// - Screaming Frog: JavaScript: Canonical Mismatch
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - Google Search Central, How to specify a canonical URL with rel="canonical" and other methods
    RENDER_CHANGES_CANONICAL {
        id: "render-changes-canonical",
        title: "Scripts change the canonical URL",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    compare(page, agree)
}

fn agree(forms: Forms<'_>) -> Outcome {
    let (served, shown) = (forms.served.canonicals(), forms.shown.canonicals());
    let Some(first) = served.first() else {
        return if shown.is_empty() {
            Outcome::NotApplicable
        } else {
            Outcome::Passed
        };
    };
    if forms.shown.robots().noindex().is_some() {
        return Outcome::NotApplicable;
    }
    let is_local = forms.served.is_loopback();
    let is_known = |url: &Url| {
        served
            .iter()
            .any(|known| is_same_page(known, url, is_local))
    };
    let in_head = |page| {
        canonical::in_head(page)
            .filter_map(move |link| Some((link, canonical::target(page, link)?)))
    };
    if let Some((link, other)) = in_head(forms.shown).find(|(_, url)| !is_known(url)) {
        let is_kept = |url: &Url| shown.iter().any(|other| is_same_page(url, other, is_local));
        let change = if is_kept(first) {
            format!("scripts add {other}")
        } else {
            format!("after scripts it is {other}")
        };
        return Outcome::failed([Evidence::node(link).message(format!(
            "The response has the canonical URL {first}; {change}. Expected one canonical URL."
        ))]);
    }
    match in_head(forms.served).next() {
        Some((link, url)) if shown.is_empty() => Outcome::failed([Evidence::node(link).message(
            format!("The response has the canonical URL {url}; after scripts there is none."),
        )]),
        _ => Outcome::Passed,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    const SCRIPT: &str = "<title>Ferries</title><script>x()</script>";

    fn link(href: &str) -> String {
        match href {
            "" => SCRIPT.to_owned(),
            href => format!("{SCRIPT}<link rel=canonical href='{href}'>"),
        }
    }

    fn outcome(served: &str, after: &str) -> Outcome {
        outcome_shown(&RENDER_CHANGES_CANONICAL, &link(served), &link(after))
    }

    #[rstest]
    #[case::other(
        "/a",
        "/b",
        "The response has the canonical URL https://example.com/a; after scripts it is https://example.com/b. Expected one canonical URL."
    )]
    #[case::query(
        "/a",
        "/a?b=c",
        "The response has the canonical URL https://example.com/a; after scripts it is https://example.com/a?b=c. Expected one canonical URL."
    )]
    #[case::host(
        "/a",
        "https://example.org/a",
        "The response has the canonical URL https://example.com/a; after scripts it is https://example.org/a. Expected one canonical URL."
    )]
    #[case::removed(
        "/a",
        "",
        "The response has the canonical URL https://example.com/a; after scripts there is none."
    )]
    fn a_change_fails_with_both_values(
        #[case] served: &str,
        #[case] after: &str,
        #[case] expected: &str,
    ) {
        let message = message_shown(&RENDER_CHANGES_CANONICAL, &link(served), &link(after));
        assert_eq!(message, expected);
    }

    #[test]
    fn a_second_canonical_url_fails() {
        let both = format!("{}<link rel=canonical href=/b>", link("/a"));
        let message = message_shown(&RENDER_CHANGES_CANONICAL, &link("/a"), &both);
        assert!(
            message.contains("scripts add https://example.com/b"),
            "{message}"
        );
    }

    #[rstest]
    #[case::absolute("/a", "https://example.com/a")]
    #[case::default_port("/a", "https://example.com:443/a")]
    #[case::host_case("/a", "https://EXAMPLE.com/a")]
    #[case::fragment("/a", "/a#b")]
    #[case::slash("/a", "/a/")]
    #[case::root("https://example.com", "https://example.com/")]
    #[case::encoding("/%c3%bc", "/ü")]
    #[case::only_after_scripts("", "/a")]
    fn the_same_url_passes(#[case] served: &str, #[case] after: &str) {
        assert_eq!(outcome(served, after), Outcome::Passed);
    }

    #[test]
    fn the_canonical_url_of_the_header_counts() {
        let page = |after: &str| {
            let builder = Page::builder().header("Link", "</a>; rel=canonical");
            outcome_of(
                &RENDER_CHANGES_CANONICAL,
                &shown(builder, SCRIPT, &link(after)),
            )
        };
        assert_eq!(page("/a"), Outcome::Passed);
        assert_eq!(page(""), Outcome::Passed);
        assert!(matches!(page("/b"), Outcome::Failed(_)));
    }

    #[test]
    fn on_loopback_the_host_does_not_count() {
        let builder = || Page::builder().url("http://127.0.0.1/a");
        let served = link("https://example.org/a");
        let own = shown(builder(), &served, &link("http://127.0.0.1/a"));
        assert_eq!(outcome_of(&RENDER_CHANGES_CANONICAL, &own), Outcome::Passed);
        let other = shown(builder(), &served, &link("http://127.0.0.1/b"));
        assert!(matches!(
            outcome_of(&RENDER_CHANGES_CANONICAL, &other),
            Outcome::Failed(_)
        ));
    }

    #[test]
    fn pages_without_canonical_url_or_with_noindex_are_not_applicable() {
        assert_eq!(outcome("", ""), Outcome::NotApplicable);
        let noindex = format!("{}<meta name=robots content=noindex>", link("/a"));
        let outcome = outcome_shown(&RENDER_CHANGES_CANONICAL, &noindex, &link("/b"));
        assert_eq!(outcome, Outcome::NotApplicable);
    }
}
