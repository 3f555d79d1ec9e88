//! Finds pages whose declared language is not a registered language code.

use crate::check::{Evidence, Outcome};
use crate::common::text::language::LanguageTag;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The `lang` attribute of the `html` element begins with a registered language code.
    ///
    /// ## Why it matters
    /// A screen reader that does not know the code reads the page with the wrong voice and pronunciation.
    /// Browsers offer no translation and use the wrong hyphenation.
    ///
    /// ## How to fix it
    /// Replace the value of `lang` with the code of the main language of the page, with a region only if it matters:
    /// `lang="en"`, `lang="pt-BR"`. Join the parts with a hyphen, not an underscore. Use the code and not the name of
    /// the language: `en`, not `english`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="english"><title>Ferry times</title><p>The next ferry leaves at noon.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times</title><p>The next ferry leaves at noon.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The check evaluates only the primary subtag. Rare three-letter codes are not in its tables;
    /// it cannot tell for them. `html-has-lang` reports a page without the attribute.
    ///
    /// ## Also known as
    /// - axe: `html-lang-valid`
    /// - Lighthouse: `html-lang-valid`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 3.1.1 Language of Page (A)
    /// - W3C ACT rule bf051a, HTML page lang attribute has valid language tag
    /// - RFC 5646, section 2.2.1 Primary Language Subtag
    HTML_LANG_VALID {
        id: "html-lang-valid",
        title: "Invalid lang attribute on the html element",
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
    let declared = page
        .root()
        .and_then(|root| Some((root, root.attr("lang")?.trim())))
        .filter(|(_, lang)| !lang.is_empty());
    let Some((root, lang)) = declared else {
        return Outcome::NotApplicable;
    };
    let fail = |message: String| Outcome::failed(vec![Evidence::node(root).message(message)]);
    match LanguageTag::parse(lang) {
        LanguageTag::Known => Outcome::Passed,
        LanguageTag::Unsure => {
            Outcome::CannotTell("The tables of the check do not contain this language code.")
        }
        LanguageTag::Replaced(short) => fail(format!(
            "The lang value \"{lang}\" is invalid; expected the registered code \"{short}\"."
        )),
        LanguageTag::Unknown => fail(format!(
            "The lang value \"{lang}\" does not begin with a registered language code."
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn registered_primary_subtags_pass() {
        for lang in ["en", "EN", "de-AT", "zh-Hant", "en-US-GB", "yue", " fr "] {
            assert_passes(&HTML_LANG_VALID, &format!("<html lang='{lang}'>x"));
        }
    }

    #[test]
    fn names_and_typos_fail() {
        for lang in ["english", "en_US", "#1", "xx", "eng"] {
            assert_fails(&HTML_LANG_VALID, &format!("<html lang='{lang}'>x"), 1);
        }
    }

    #[test]
    fn a_missing_language_is_not_applicable() {
        assert_not_applicable(&HTML_LANG_VALID, "<html>x");
        assert_not_applicable(&HTML_LANG_VALID, "<html lang=' '>x");
    }

    #[test]
    fn a_rare_code_cannot_tell() {
        assert!(matches!(
            outcome(&HTML_LANG_VALID, "<html lang=aaa>x"),
            Outcome::CannotTell(_)
        ));
    }
}
