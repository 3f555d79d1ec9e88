//! The head lasts until its end tag.

use crate::check::{Evidence, Outcome};
use crate::common::documents::head_source::early_end;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Nothing inside `<head>` closes it early while canonical links, robots instructions or
    /// language versions follow. Only `title`, `meta`, `link`, `base`, `script`, `style`,
    /// `noscript` and `template` may stand there.
    ///
    /// ## Why it matters
    /// The parser ends the head at the first other element or text. Search engines do not read
    /// metadata behind it, so the canonical URL or the `noindex` of the page is lost.
    ///
    /// ## How to fix it
    /// Move the element or text that the finding names into the body. It often comes from a
    /// tracking snippet or a stray character in a template.
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
    /// A head that breaks behind the last of these metadata does no harm and passes. Documents
    /// without `</head>` and `<body>` tags end their head where the first other element stands,
    /// as the standard allows.
    ///
    /// ## References
    /// - Google Search Central, Use valid HTML to specify page metadata
    /// - HTML Standard, the "in head" insertion mode
    HEAD_BROKEN_BY_BODY_ELEMENT {
        id: "head-broken-by-body-element",
        title: "An element that does not belong there ends the head early",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let metadata = || {
        page.html("link")
            .chain(page.html("meta"))
            .filter(|e| matters(*e))
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
            "{breaker} on line {} ends the head, so what follows on line {} is not read.",
            end.line,
            lost.line()
        ),
    )])
}

/// Canonical link, robots instruction or language version.
fn matters(element: ElementRef<'_>) -> bool {
    if element.is("link") {
        return element.has_token("rel", "canonical")
            || (element.has_token("rel", "alternate") && element.has_attr("hreflang"));
    }
    element.attr_is("name", "robots") || element.attr_is("name", "googlebot")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_sound_head_passes() {
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
    fn text_before_a_language_version_fails() {
        assert_fails(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<html><head>}<link rel=alternate hreflang=de href=/de></head><body>",
            1,
        );
    }

    #[test]
    fn a_break_behind_all_metadata_passes() {
        assert_passes(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><link rel=canonical href=/><img src=a><link rel=icon href=b></head><body>",
        );
    }

    #[test]
    fn a_canonical_in_the_body_is_another_checks_question() {
        assert_passes(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><title>x</title></head>\n<body>\n<p>x<link rel=canonical href=/>",
        );
    }

    #[test]
    fn a_page_without_such_metadata_is_not_judged() {
        assert_not_applicable(
            &HEAD_BROKEN_BY_BODY_ELEMENT,
            "<head><div></div><meta charset=utf-8></head>",
        );
    }
}
