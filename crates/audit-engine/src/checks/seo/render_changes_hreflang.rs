//! Scripts do not change the language versions that a page declares.

use std::collections::HashSet;

use url::Url;

use crate::address::without_fragment;
use crate::bounds::page::MAX_ALTERNATES;
use crate::check::{Evidence, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::same_page::page_key;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The language versions (`hreflang`) that a page declares after its scripts, in the head or in `Link` headers, are
    /// those that the response declares: the same codes with the same URLs.
    ///
    /// ## Why it matters
    /// Search engines connect language versions only if both pages name each other. Google reads versions that scripts
    /// write once it has rendered the page; search engines that run no scripts see those of the response, and if the two
    /// differ, none of them may count.
    ///
    /// ## How to fix it
    /// Declare all language versions in the HTML of the response, in `Link` headers or in the sitemap, and let no script
    /// change them.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferries</title><script>document.head.insertAdjacentHTML("beforeend", `<link rel="alternate" hreflang="en" href="/"><link rel="alternate" hreflang="de" href="/de">`)</script></head><body><h1>Ferries</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferries</title><link rel="alternate" hreflang="en" href="/"><link rel="alternate" hreflang="de" href="/de"><script>document.documentElement.className = "ready"</script></head><body><h1>Ferries</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// Letter case of codes, order, and relative and absolute forms of a URL make no difference. On loopback only path
    /// and query of the URLs are compared. The check reads 500 language versions of each form.
    ///
    /// ## Also known as
    /// - Common name: Hreflang injected by JavaScript
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - Google Search Central, Tell Google about localized versions of your page
    RENDER_CHANGES_HREFLANG {
        id: "render-changes-hreflang",
        title: "Scripts change the language versions",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    compare(page, agree)
}

fn agree(forms: Forms<'_>) -> Outcome {
    let (served, shown) = (versions(forms.served), versions(forms.shown));
    if served.is_empty() && shown.is_empty() {
        return Outcome::NotApplicable;
    }
    if served.len().max(shown.len()) >= MAX_ALTERNATES {
        return Outcome::CannotTell(
            "The page declares more language versions than the audit compares.",
        );
    }
    let is_local = forms.served.is_loopback();
    let keys = |versions: &[(String, Url)]| -> HashSet<(String, String)> {
        let keys = versions.iter();
        keys.map(|(code, url)| (code.clone(), page_key(url, is_local)))
            .collect()
    };
    let (served_keys, shown_keys) = (keys(&served), keys(&shown));
    let first_without = |versions: &[(String, Url)], keys: &HashSet<(String, String)>| {
        let mut versions = versions.iter();
        let lacks =
            |(code, url): &&(String, Url)| !keys.contains(&(code.clone(), page_key(url, is_local)));
        versions.find(lacks).cloned()
    };
    let added = first_without(&shown, &served_keys);
    let removed = first_without(&served, &shown_keys);
    let served_as = |code: &str| {
        let mut versions = served.iter();
        versions
            .find(|(known, _)| known == code)
            .map(|(_, url)| url)
    };
    let message = match (added, removed) {
        (None, None) => return Outcome::Passed,
        (Some((code, url)), _) => match served_as(&code) {
            Some(before) => {
                format!(
                    "The response declares {before} as the `{code}` version; after scripts it is {url}."
                )
            }
            None => format!(
                "The response declares {} language versions and no `{code}` version; after scripts there are {}, and {url} is the `{code}` version.",
                served.len(),
                shown.len()
            ),
        },
        (None, Some((code, url))) => format!(
            "The response declares {url} as the `{code}` version; after scripts there is no such version."
        ),
    };
    Outcome::failed([Evidence::here().message(message)])
}

/// The codes in lower case and the URLs of the language versions, at most [`MAX_ALTERNATES`].
fn versions(page: &Page) -> Vec<(String, Url)> {
    let links = page
        .link_elements("alternate")
        .filter(|link| page.in_head(*link))
        .filter_map(|link| {
            let url = page.base().join(link.attr("href")?.trim()).ok()?;
            Some((link.attr("hreflang")?.to_owned(), url))
        });
    links
        .chain(page.alternates_in_headers())
        .map(|(code, url)| (code.trim().to_ascii_lowercase(), without_fragment(&url)))
        .take(MAX_ALTERNATES)
        .collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    const SCRIPT: &str = "<title>x</title><script>x()</script>";

    fn page(versions: &[(&str, &str)]) -> String {
        let links = versions
            .iter()
            .map(|(code, url)| format!("<link rel=alternate hreflang='{code}' href='{url}'>"));
        format!("{SCRIPT}{}", links.collect::<String>())
    }

    #[rstest]
    #[case::added(&[], &[("en", "/"), ("de", "/de")], "The response declares 0 language versions and no `en` version; after scripts there are 2, and https://example.com/ is the `en` version.")]
    #[case::changed(&[("en", "/")], &[("en", "/en")], "The response declares https://example.com/ as the `en` version; after scripts it is https://example.com/en.")]
    #[case::removed(&[("en", "/"), ("de", "/de")], &[("en", "/")], "The response declares https://example.com/de as the `de` version; after scripts there is no such version.")]
    fn each_change_fails_with_both_values(
        #[case] served: &[(&str, &str)],
        #[case] after: &[(&str, &str)],
        #[case] expected: &str,
    ) {
        let message = message_shown(&RENDER_CHANGES_HREFLANG, &page(served), &page(after));
        assert_eq!(message, expected);
    }

    #[rstest]
    #[case::same(&[("en", "/"), ("de", "/de")], &[("en", "/"), ("de", "/de")])]
    #[case::order(&[("en", "/"), ("de", "/de")], &[("de", "/de"), ("en", "/")])]
    #[case::case(&[("en-gb", "/")], &[("en-GB", "/")])]
    #[case::absolute(&[("en", "/")], &[("en", "https://example.com/")])]
    #[case::slash(&[("de", "/de")], &[("de", "/de/#a")])]
    #[case::repeated(&[("de", "/de")], &[("de", "/de"), ("de", "/de")])]
    fn the_same_versions_pass(#[case] served: &[(&str, &str)], #[case] after: &[(&str, &str)]) {
        let outcome = outcome_shown(&RENDER_CHANGES_HREFLANG, &page(served), &page(after));
        assert_eq!(outcome, Outcome::Passed);
    }

    #[test]
    fn versions_in_headers_are_in_both_forms() {
        let header = "</de>; rel=alternate; hreflang=de";
        let page = shown(
            Page::builder().header("Link", header),
            SCRIPT,
            &page(&[("de", "/de")]),
        );
        assert_eq!(outcome_of(&RENDER_CHANGES_HREFLANG, &page), Outcome::Passed);
    }

    #[test]
    fn more_versions_than_are_read_cannot_tell() {
        let many: Vec<(String, String)> = (0..=MAX_ALTERNATES)
            .map(|n| (format!("x-{n}"), format!("/{n}")))
            .collect();
        let many: Vec<(&str, &str)> = many
            .iter()
            .map(|(code, url)| (code.as_str(), url.as_str()))
            .collect();
        let outcome = outcome_shown(&RENDER_CHANGES_HREFLANG, &page(&[]), &page(&many));
        assert!(matches!(outcome, Outcome::CannotTell(_)));
    }

    #[test]
    fn pages_without_versions_are_not_applicable() {
        let feed = format!("{SCRIPT}<link rel=alternate type=application/rss+xml href=/feed>");
        let outcome = outcome_shown(&RENDER_CHANGES_HREFLANG, SCRIPT, &feed);
        assert_eq!(outcome, Outcome::NotApplicable);
    }
}
