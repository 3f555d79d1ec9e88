//! Finds pages without a declared language.

use crate::check::{Evidence, Outcome};
use crate::common::text::languages;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `html` element has a non-empty `lang` attribute.
    ///
    /// ## Why it matters
    /// A screen reader chooses its voice by the language of the page. Without a declared language, it reads
    /// the text in its user's default language, which can be impossible to understand.
    ///
    /// ## How to fix it
    /// Add `lang` with the main language of the page to the `html` start tag, for example `lang="en"`. If the
    /// page has `xml:lang`, repeat its value in `lang`: browsers use `xml:lang` only in pages served as
    /// `application/xhtml+xml`.
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
    /// The check does not evaluate whether the declared language is the language of the text. In
    /// static mode, it does not see a language that a script sets.
    ///
    /// ## Also known as
    /// - axe: `html-has-lang`
    /// - Lighthouse: `html-has-lang`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.1.1 Language of Page (A)
    /// - W3C ACT rule b5c3f8, HTML page has lang attribute
    HTML_HAS_LANG {
        id: "html-has-lang",
        title: "Missing or empty lang attribute on the html element",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Enough text to detect its language.
const MOST_BYTES: usize = 1_000;

fn evaluate(page: &Page) -> Outcome {
    let Some(root) = page.root() else {
        return Outcome::NotApplicable;
    };
    let declared = root
        .attr("lang")
        .is_some_and(|lang| !lang.trim().is_empty());
    Outcome::pass_if(declared, || {
        let note = if root.has_attr("xml:lang") {
            " Browsers ignore xml:lang in pages served as text/html."
        } else {
            ""
        };
        let text = page.main_text();
        let read = text.split_at(text.floor_char_boundary(MOST_BYTES)).0;
        let expected = languages::detect(read).map_or_else(
            || "the code of its language, such as lang=\"en\"".to_owned(),
            |(code, name)| format!("lang=\"{code}\", because its text is in {name}"),
        );
        Evidence::node(root).message(format!(
            "The html element has no lang attribute with a value; expected {expected}.{note}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome};

    #[test]
    fn a_declared_language_passes() {
        assert_passes(&HTML_HAS_LANG, "<html lang=de><p>x");
    }

    #[test]
    fn no_language_fails() {
        assert_fails(&HTML_HAS_LANG, "<html><p>x", 1);
    }

    #[test]
    fn white_space_fails() {
        assert_fails(&HTML_HAS_LANG, "<html lang='  '><p>x", 1);
    }

    #[test]
    fn xml_lang_alone_fails_in_html() {
        let Outcome::Failed(evidence) = outcome(&HTML_HAS_LANG, "<html xml:lang=en><p>x") else {
            panic!("passed");
        };
        assert!(evidence[0].message.ends_with("served as text/html."));
    }
}
