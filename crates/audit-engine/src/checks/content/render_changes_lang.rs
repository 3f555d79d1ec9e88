//! Scripts do not change the language of a page.

use crate::check::{Evidence, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// If the `html` element has a `lang` after scripts, the response declares the same language.
    ///
    /// ## Why it matters
    /// Browsers and screen readers use the language after scripts. Crawlers that run no scripts, as most of AI services
    /// and some search engines do, read the text of the response in the language that the response declares, or guess
    /// one.
    ///
    /// ## How to fix it
    /// Declare the language on the server, in the `lang` of the response. If a script translates the page, give each
    /// language a URL of its own.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="de"><title>Ferries</title><h1>Ferries</h1><script>document.documentElement.lang = "en"</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><h1>Ferries</h1><script>document.documentElement.lang = "en-GB"</script></html>
    /// ```
    ///
    /// ## Limits
    /// The check compares the language and not region, script or letter case. `html-has-lang` reports a page without
    /// `lang` after scripts.
    ///
    /// ## Also known as
    /// - None: no other tool compares the language of both forms of a page.
    ///
    /// ## References
    /// - HTML Standard, the lang and xml:lang attributes
    RENDER_CHANGES_LANG {
        id: "render-changes-lang",
        title: "Scripts change the language of the page",
        dimension: Content,
        scope: Page,
        severity: Minor,
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
    let (Some(shown), Some(root)) = (lang(forms.shown), forms.shown.root()) else {
        return Outcome::NotApplicable;
    };
    let before = match lang(forms.served) {
        Some(served) if language(served) == language(shown) => return Outcome::Passed,
        Some(served) => format!("The response declares the language \"{served}\""),
        None => "The response declares no language".to_owned(),
    };
    let message = format!("{before}; after scripts it is \"{shown}\".");
    Outcome::failed([Evidence::node(root).message(message)])
}

fn lang(page: &Page) -> Option<&str> {
    let lang = page.root()?.attr("lang")?.trim();
    (!lang.is_empty()).then_some(lang)
}

/// The primary language subtag.
fn language(lang: &str) -> String {
    let primary = lang.split(['-', '_']).next().unwrap_or_default();
    primary.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    fn page(lang: &str) -> String {
        format!("<html{lang}><title>x</title><script>x()</script><p>x")
    }

    #[rstest]
    #[case::other(
        " lang=de",
        " lang=en",
        "The response declares the language \"de\"; after scripts it is \"en\"."
    )]
    #[case::missing(
        "",
        " lang=en",
        "The response declares no language; after scripts it is \"en\"."
    )]
    #[case::empty(
        " lang",
        " lang=en",
        "The response declares no language; after scripts it is \"en\"."
    )]
    fn a_change_fails_with_both_values(
        #[case] served: &str,
        #[case] after: &str,
        #[case] expected: &str,
    ) {
        let message = message_shown(&RENDER_CHANGES_LANG, &page(served), &page(after));
        assert_eq!(message, expected);
    }

    #[rstest]
    #[case::same(" lang=en", " lang=en")]
    #[case::region(" lang=en", " lang=en-GB")]
    #[case::other_region(" lang=en-US", " lang=en-GB")]
    #[case::case(" lang=EN", " lang=en")]
    #[case::space(" lang=' en '", " lang=en")]
    #[case::underscore(" lang=en_US", " lang=en-US")]
    fn the_same_language_passes(#[case] served: &str, #[case] after: &str) {
        let outcome = outcome_shown(&RENDER_CHANGES_LANG, &page(served), &page(after));
        assert_eq!(outcome, Outcome::Passed);
    }

    #[test]
    fn pages_without_language_or_scripts_are_not_applicable() {
        let outcome = outcome_shown(&RENDER_CHANGES_LANG, &page(" lang=en"), &page(""));
        assert_eq!(outcome, Outcome::NotApplicable);
        let page = shown(Page::builder(), "<html lang=de><p>x", "<html lang=en><p>x");
        assert_eq!(
            outcome_of(&RENDER_CHANGES_LANG, &page),
            Outcome::NotApplicable
        );
    }
}
