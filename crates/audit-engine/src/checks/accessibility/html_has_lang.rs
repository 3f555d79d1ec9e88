//! The language of the page is declared.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `html` element has a `lang` attribute that is not empty.
    ///
    /// ## Why it matters
    /// A screen reader picks its voice by the page's language. Without one it reads the text in
    /// the language of its user, which can be impossible to understand.
    ///
    /// ## How to fix it
    /// Add `lang` with the page's main language to the `html` start tag, for example `lang="en"`.
    /// An `xml:lang` counts in pages sent as `application/xhtml+xml` only: repeat its value in `lang`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html><title>Ferry times</title><p>The next ferry leaves at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times</title><p>The next ferry leaves at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Whether the declared language is that of the text is another check's question. A language
    /// that a script sets is seen in rendered mode only.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.1.1 Language of Page (A)
    /// - W3C ACT rule b5c3f8, HTML page has lang attribute
    HTML_HAS_LANG {
        id: "html-has-lang",
        title: "The page does not declare its language",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let Some(root) = page.root() else {
        return Outcome::NotApplicable;
    };
    let declared = root
        .attr("lang")
        .is_some_and(|lang| !lang.trim().is_empty());
    Outcome::of(declared, || {
        let rest = if root.has_attr("xml:lang") {
            " xml:lang does not count in pages sent as text/html."
        } else {
            ""
        };
        Evidence::node(root).message(format!(
            "The html element has no lang attribute with a value.{rest}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome};

    #[test]
    fn a_language_passes() {
        assert_passes(&HTML_HAS_LANG, "<html lang=de><p>x");
    }

    #[test]
    fn no_language_fails() {
        assert_fails(&HTML_HAS_LANG, "<html><p>x", 1);
    }

    #[test]
    fn white_space_is_no_language() {
        assert_fails(&HTML_HAS_LANG, "<html lang='  '><p>x", 1);
    }

    #[test]
    fn xml_lang_alone_does_not_count_in_html() {
        let Outcome::Failed(evidence) = outcome(&HTML_HAS_LANG, "<html xml:lang=en><p>x") else {
            panic!("passed");
        };
        assert!(evidence[0].message.ends_with("sent as text/html."));
    }
}
