//! The Open Graph tags of a page are complete.

use crate::check::{Evidence, Outcome};
use crate::common::documents::error_page::is_error_page;
use crate::common::links::refresh::is_redirect_stub;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A page has all four Open Graph properties that the protocol requires: `og:title`, `og:type`,
    /// `og:image` and `og:url`.
    ///
    /// ## Why it matters
    /// Social networks and messengers build the preview of a shared link from these properties. If
    /// one is missing, they guess its value or show the bare URL.
    ///
    /// ## How to fix it
    /// Add the missing Open Graph properties to the head, for example `<meta property="og:type" content="website">`:
    /// `og:title` is the title of the page, `og:url` its canonical URL, and `og:image` the absolute URL of a picture.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><meta property="og:title" content="Ferry times"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><meta property="og:title" content="Ferry times"><meta property="og:type" content="website"><meta property="og:image" content="https://example.com/map.png"><meta property="og:url" content="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// A page without any Open Graph property has one finding. If nobody shares the pages of the site, it
    /// needs none. Properties in the `name` attribute instead of `property` count, because consumers read
    /// them. The check does not evaluate a page without these properties that only redirects to another page, or that
    /// has fewer than 200 words and the title or heading of an error or maintenance page. In rendered mode, too,
    /// the check judges the response, because the crawlers of social networks run no scripts.
    ///
    /// ## Also known as
    /// - Ahrefs: Open Graph tags incomplete
    ///
    /// ## References
    /// - The Open Graph protocol, basic metadata
    OG_INCOMPLETE {
        id: "og-incomplete",
        title: "Missing or incomplete Open Graph tags",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [Dom, Indexable, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const REQUIRED: [&str; 4] = ["og:title", "og:type", "og:image", "og:url"];

fn evaluate(page: &Page) -> Outcome {
    let present: Vec<String> = page
        .html("meta")
        .filter(|meta| meta.attr("content").is_some_and(|c| !c.trim().is_empty()))
        .flat_map(|meta| {
            ["property", "name"]
                .into_iter()
                .filter_map(move |name| meta.attr(name))
        })
        .flat_map(str::split_ascii_whitespace)
        .map(str::to_ascii_lowercase)
        .filter(|property| property.starts_with("og:"))
        .collect();
    if present.is_empty() && (is_redirect_stub(page) || is_error_page(page)) {
        return Outcome::NotApplicable;
    }
    if present.is_empty() {
        return Outcome::failed(vec![
            Evidence::here()
                .message(format!(
                    "The page has no Open Graph properties; expected {}.",
                    REQUIRED.join(", ")
                ))
                .cause("none", "Pages without Open Graph tags"),
        ]);
    }
    let missing: Vec<&str> = REQUIRED
        .into_iter()
        .filter(|required| {
            !present.iter().any(|property| {
                property == required
                    || property
                        .strip_prefix(required)
                        .is_some_and(|rest| matches!(rest, ":url" | ":secure_url"))
            })
        })
        .collect();
    Outcome::pass_if(missing.is_empty(), || {
        Evidence::here().message(format!(
            "The page has Open Graph properties but is missing {}.",
            missing.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    const COMPLETE: &str = "<meta property=og:title content=a><meta property=og:type content=website>\
        <meta name=og:url content=/><meta property=og:image:secure_url content=/i.png>";

    #[test]
    fn all_four_properties_pass_in_either_attribute() {
        assert_passes(&OG_INCOMPLETE, COMPLETE);
    }

    #[test]
    fn missing_and_empty_properties_are_one_finding() {
        assert_fails(
            &OG_INCOMPLETE,
            "<meta property=og:title content=a><meta property=og:image content=''>",
            1,
        );
    }

    #[test]
    fn a_page_without_open_graph_is_one_finding() {
        for html in [
            "<meta name=description content=a>",
            "<meta property=og:title content=' '>",
            "<meta name=twitter:card content=summary><p>og:title",
        ] {
            assert_fails(&OG_INCOMPLETE, html, 1);
        }
        for html in [
            "<meta http-equiv=refresh content='0;url=/x'>",
            "<title>Error 500</title><h1>Something went wrong</h1>",
        ] {
            assert_not_applicable(&OG_INCOMPLETE, html);
        }
    }
}
