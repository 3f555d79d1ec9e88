//! The text of a page is in its response.

use crate::check::Outcome;
use crate::common::rendering::coverage::Coverage;
use crate::common::rendering::forms::{Forms, compare};
use crate::declare_check;
use crate::view::Page;
use crate::view::script_shell::is_frameset;

declare_check! {
    /// ## What it checks
    /// A page with at least 200 words after its scripts has at least 60 % of them in the response, or fewer than 100 of
    /// them only after scripts.
    ///
    /// ## Why it matters
    /// Most crawlers of AI services and the agents that answer for them run no scripts. They read the response, so that
    /// AI assistants do not know the rest of the page. Google renders pages, but later than it reads the response.
    ///
    /// ## How to fix it
    /// Render the text on the server or when the site is built, so that the HTML of the response contains it. Most
    /// application frameworks have a mode for that.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><main id="text">Loading…</main><script>
    /// const line = name => `<p>The ferry to ${name} leaves at nine and at noon from the old pier behind the market hall.</p>`;
    /// const names = ["Skye", "Mull", "Iona", "Jura", "Islay", "Arran", "Bute", "Coll", "Tiree", "Barra", "Eigg", "Rum"];
    /// document.getElementById("text").innerHTML = names.map(line).join("");
    /// </script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><main id="text"><p>The ferries leave at nine and at noon from the old pier behind the market hall.</p></main><script>document.getElementById("text").className = "ready"</script></html>
    /// ```
    ///
    /// ## Limits
    /// Words are looked for anywhere in the response, also in hidden parts and in `noscript`. Dialogs, cookie banners and
    /// boxes that stay in place when the page scrolls do not count, nor does data in scripts. The check does not
    /// evaluate what visitors see only after a click. `content-needs-js-suspected` judges pages that no browser showed;
    /// if both fail, one of them costs.
    ///
    /// ## Also known as
    /// - Screaming Frog: JavaScript: Contains JavaScript Content
    /// - Common name: Client-side rendered content
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    CONTENT_NEEDS_JS {
        id: "content-needs-js",
        title: "Content requires JavaScript",
        dimension: AiReadiness,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Large,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// A page with fewer words is too short to fail.
const FEWEST_WORDS: u64 = 200;

/// Fewer words than this are those of a widget.
const FEWEST_ADDED: u64 = 100;

/// The share of the words that the response has, in hundredths, from which it is enough.
const ENOUGH: u64 = 60;

fn evaluate(page: &Page) -> Outcome {
    if is_frameset(page) || is_frameset(page.as_served()) {
        return Outcome::NotApplicable;
    }
    compare(page, is_served)
}

fn is_served(forms: Forms<'_>) -> Outcome {
    let coverage = Coverage::new(forms.shown, forms.served);
    let (words, served) = (coverage.words(), coverage.covered());
    let percent = coverage.percent();
    if words > 0 && percent >= ENOUGH {
        return Outcome::Passed;
    }
    if words < FEWEST_WORDS {
        return Outcome::NotApplicable;
    }
    if words - served < FEWEST_ADDED {
        return Outcome::Passed;
    }
    if coverage.is_cut {
        return Outcome::CannotTell("The page has more words than the audit compares.");
    }
    let (evidence, example) = coverage.example("The first missing text is");
    Outcome::failed([evidence.message(format!(
        "The response has {served} of the {words} words that the page has after scripts ({percent} %); expected at least {ENOUGH} %.{example}"
    ))])
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, numbered_words, outcome_of, outcome_shown, shown};

    fn outcome(served: &str, after: &str) -> Outcome {
        let (served, after) = (
            format!("<script>x()</script>{served}"),
            format!("<main>{after}"),
        );
        outcome_shown(&CONTENT_NEEDS_JS, &served, &after)
    }

    #[test]
    fn the_message_has_both_numbers_and_the_first_missing_text() {
        let after = format!(
            "<p>{} {}<p>Our two ferries cross the bay every day.",
            numbered_words(0, 100),
            numbered_words(100, 200)
        );
        let message = message_shown(
            &CONTENT_NEEDS_JS,
            &format!("<script>x()</script>{}", numbered_words(0, 100)),
            &after,
        );
        assert!(
            message.starts_with("The response has 100 of the 308 words that the page has after scripts (32 %); expected at least 60 %. The first missing text is \"word100 word101"),
            "{message}"
        );
    }

    #[test]
    fn a_text_that_scripts_write_fails() {
        assert!(matches!(
            outcome("<div id=app></div>", &numbered_words(0, 200)),
            Outcome::Failed(_)
        ));
        let served = numbered_words(0, 100);
        assert!(matches!(
            outcome(&served, &numbered_words(0, 200)),
            Outcome::Failed(_)
        ));
    }

    #[rstest]
    #[case::enough(numbered_words(0, 180), numbered_words(0, 300))]
    #[case::few_added(numbered_words(0, 105), numbered_words(0, 204))]
    #[case::hidden(format!("<div hidden>{}</div>", numbered_words(0, 300)), numbered_words(0, 300))]
    #[case::collapsed(format!("<details>{}</details>", numbered_words(0, 300)), numbered_words(0, 300))]
    #[case::fallback(format!("<noscript>{}</noscript>", numbered_words(0, 300)), numbered_words(0, 300))]
    #[case::moved(numbered_words(0, 300), format!("{}{}", numbered_words(150, 150), numbered_words(0, 150)))]
    #[case::banner(numbered_words(0, 200), format!("{}<div class=cookie-consent>{}</div>", numbered_words(0, 200), numbered_words(900, 400)))]
    #[case::dialog(numbered_words(0, 200), format!("{}<div role=dialog>{}</div>", numbered_words(0, 200), numbered_words(900, 400)))]
    #[case::removed(numbered_words(0, 900), numbered_words(0, 200))]
    #[case::short(numbered_words(0, 60), numbered_words(0, 100))]
    fn a_text_that_is_served_passes(#[case] served: String, #[case] after: String) {
        assert_eq!(outcome(&served, &after), Outcome::Passed);
    }

    #[test]
    fn short_pages_framesets_and_pages_without_scripts_are_not_applicable() {
        assert_eq!(outcome("", &numbered_words(0, 199)), Outcome::NotApplicable);
        assert_eq!(outcome("", ""), Outcome::NotApplicable);
        let page = shown(Page::builder(), "<p>x", &numbered_words(0, 300));
        assert_eq!(outcome_of(&CONTENT_NEEDS_JS, &page), Outcome::NotApplicable);
        let frames = "<script>x()</script><frameset><frame src=a></frameset>";
        let outcome = outcome_shown(&CONTENT_NEEDS_JS, frames, frames);
        assert_eq!(outcome, Outcome::NotApplicable);
    }
}
