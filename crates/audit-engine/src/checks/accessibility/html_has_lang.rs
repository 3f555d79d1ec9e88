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

/// What is expected of a page whose language is not known.
const ANY_CODE: &str = "the code of its language, such as lang=\"en\"";

/// Added for a page that has `xml:lang`.
const XML_LANG: &str = " Browsers ignore xml:lang in pages served as text/html.";

fn evaluate(page: &Page) -> Outcome {
    let Some(root) = page.root() else {
        return Outcome::NotApplicable;
    };
    let declared = root
        .attr("lang")
        .is_some_and(|lang| !lang.trim().is_empty());
    Outcome::pass_if(declared, || {
        let evidence = Evidence::node(root);
        let text = page.main_text();
        if root.has_attr("xml:lang") {
            let evidence = evidence.message(message(ANY_CODE, XML_LANG));
            evidence.precise_message(text, |text| with_language(text, XML_LANG))
        } else {
            let evidence = evidence.message(message(ANY_CODE, ""));
            evidence.precise_message(text, |text| with_language(text, ""))
        }
    })
}

fn message(expected: &str, note: &str) -> String {
    format!("The html element has no lang attribute with a value; expected {expected}.{note}")
}

/// The message for a page with this text, if its language can be detected.
fn with_language(text: &str, note: &str) -> Option<String> {
    let (code, name) = languages::detect(text)?;
    let expected = format!("lang=\"{code}\", because its text is in {name}");
    Some(message(&expected, note))
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
    fn the_language_is_named_if_it_is_certain() {
        let text = "The next ferry leaves at noon, and another one leaves at six. ".repeat(4);
        let page = |text: &str| format!("<html><p>{text}");
        for (html, expected) in [
            (page(&text), "lang=\"en\", because its text is in English"),
            (page("x"), ANY_CODE),
        ] {
            let Outcome::Failed(evidence) = outcome(&HTML_HAS_LANG, &html) else {
                panic!("passed");
            };
            assert_eq!(evidence[0].message, message(expected, ""));
        }
    }

    #[test]
    fn xml_lang_alone_fails_in_html() {
        let Outcome::Failed(evidence) = outcome(&HTML_HAS_LANG, "<html xml:lang=en><p>x") else {
            panic!("passed");
        };
        assert!(evidence[0].message.ends_with("served as text/html."));
    }
}
