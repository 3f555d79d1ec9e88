//! No invalid content closes the head before its metadata.

use crate::check::{Evidence, Outcome};
use crate::common::documents::head_source::early_end;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Nothing inside `<head>` closes it early while the title, the description, Open Graph tags,
    /// canonical links, robots meta tags or hreflang links follow. The head may contain only `title`, `meta`, `link`, `base`, `script`, `style`,
    /// `noscript` and `template`.
    ///
    /// ## Why it matters
    /// The HTML parser closes the head at the first other element or text. Search engines do not
    /// read metadata after that point, so they miss the title, the canonical URL or the `noindex` of the
    /// page. Text that ends the head is shown at the top of the page as well.
    ///
    /// ## How to fix it
    /// Move the element or text that closes the head into the body. It often comes from a tracking snippet or a stray
    /// character in a template.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><div id="banner"></div><link rel="canonical" href="https://example.com/"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><link rel="canonical" href="https://example.com/"></head><body><div id="banner"></div><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// A head that closes early after the last of these metadata elements passes, because no metadata is
    /// lost. In documents without `</head>` and `<body>` tags, the first other element ends the head, as the
    /// HTML standard permits. In rendered mode, too, the check judges the markup of the response, because a
    /// browser's tree has no trace of where the head ended early.
    ///
    /// ## Also known as
    /// - Screaming Frog: Validation: Invalid HTML Elements In `<head>`
    ///
    /// ## References
    /// - Google Search Central, Use valid HTML to specify page metadata
    /// - HTML Standard, the "in head" insertion mode
    HEAD_BROKEN_BY_BODY_ELEMENT {
        id: "head-broken-by-body-element",
        title: "Invalid content closes the head before SEO metadata",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let metadata = || {
        page.html("link")
            .chain(page.html("meta"))
            .chain(page.html("title"))
            .filter(|e| is_seo_metadata(*e))
    };
    if metadata().next().is_none() {
        return Outcome::NotApplicable;
    }
    if metadata().all(|element| page.in_head(element)) {
        return Outcome::Passed;
    }
    let Some(end) = early_end(page.source()) else {
        return Outcome::Passed;
    };
    let lost = metadata()
        .filter(|element| !page.in_head(*element))
        .find(|element| (end.line..=end.end_line).contains(&element.line()));
    let Some(lost) = lost else {
        return Outcome::Passed;
    };
    let breaker = end
        .element
        .map_or_else(|| "Text".to_owned(), |name| format!("A {name} element"));
    Outcome::failed(vec![Evidence::line(end.line, &lost.snippet()).message(
        format!(
            "{breaker} on line {} closes the head, so search engines ignore the metadata on line {}.",
            end.line,
            lost.line()
        ),
    )])
}

/// Whether search engines or social networks read the element from the head only.
fn is_seo_metadata(element: ElementRef<'_>) -> bool {
    if element.is("link") {
        return element.has_token("rel", "canonical")
            || (element.has_token("rel", "alternate") && element.has_attr("hreflang"));
    }
    let names = ["robots", "googlebot", "description"];
    element.is("title")
        || names.iter().any(|name| element.attr_is("name", name))
        || element
            .attr("property")
            .is_some_and(|name| name.trim_start().starts_with("og:"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_valid_head_passes() {
        assert_passes(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><script>'<div>'</script>\n<noscript><img></noscript>\n<link rel=canonical href=/></head><body><p>x",
        );
    }

    #[test]
    fn an_element_before_the_canonical_fails() {
        assert_fails(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head>\n<iframe></iframe>\n<meta name=robots content=noindex>\n</head>\n<body><p>x",
            1,
        );
    }

    #[test]
    fn text_before_an_hreflang_link_fails() {
        assert_fails(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<html><head>}<link rel=alternate hreflang=de href=/de></head><body>",
            1,
        );
    }

    #[test]
    fn text_before_the_title_or_the_description_fails() {
        for head in [
            "<head>\n//= partials/head.html\n<title>x</title></head>",
            "<head><meta charset=utf-8>{{> meta}}<meta name=description content=x></head>",
            "<head><title>x</title>\n;\n<meta property='og:title' content=x></head>",
            "x<html><head><title>x</title></head>",
        ] {
            let html = format!("<!doctype html>{head}<body><p>x");
            assert_fails(&HEAD_BROKEN_BY_BODY_ELEMENT, &html, 1);
        }
    }

    #[test]
    fn metadata_that_browsers_read_anywhere_passes() {
        for rest in [
            "<meta name=viewport content=x>",
            "<link rel=stylesheet href=a>",
            "<!-- x -->",
        ] {
            let html =
                format!("<head><title>x</title>;{rest}</head><body><svg><title>y</title></svg>");
            assert_passes(&HEAD_BROKEN_BY_BODY_ELEMENT, &html);
        }
    }

    #[test]
    fn invalid_content_after_all_metadata_passes() {
        assert_passes(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><link rel=canonical href=/><img src=a><link rel=icon href=b></head><body>",
        );
    }

    #[test]
    fn a_canonical_in_the_body_passes_here() {
        assert_passes(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><title>x</title></head>\n<body>\n<p>x<link rel=canonical href=/>",
        );
    }

    #[test]
    fn a_page_without_seo_metadata_is_not_applicable() {
        assert_not_applicable(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><div></div><meta charset=utf-8></head>",
        );
    }
}
