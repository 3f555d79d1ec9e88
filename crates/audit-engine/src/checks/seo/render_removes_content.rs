//! Scripts do not remove the text of a page.

use crate::check::Outcome;
use crate::common::rendering::coverage::Coverage;
use crate::common::rendering::forms::{Forms, compare};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Of at least 100 words that the response shows, at least 40 % are still in the page after its scripts, shown or
    /// hidden, unless other text has taken their place.
    ///
    /// ## Why it matters
    /// Google indexes the page as it is after scripts: what they remove cannot be found there. Visitors see the text for
    /// a moment, and then it is gone. Crawlers that run no scripts still read it.
    ///
    /// ## How to fix it
    /// Find the script that replaces the content of the page, often an application that starts with an empty state or
    /// fails after its start, and let it keep the HTML that the server has rendered. Hide what is not shown yet with CSS.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><main id="root"><h1>Ferries</h1><p>Our two ferries cross the bay every day of the year, also on holidays, and in summer until late at night. The first one leaves at six from the old pier behind the market hall, the last one at ten. Tickets are sold on board and at the kiosk beside the pier. Children under six travel free, and so do dogs, bicycles and small boats. In storms the ferries stay in the harbour; ask the harbour master by phone, or look at the signal on the tower. A return ticket costs nine pounds, a ticket for a week thirty, and a ticket for a year three hundred.</p></main><script>document.getElementById("root").innerHTML = ""</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><main id="root"><h1>Ferries</h1><p>Our two ferries cross the bay every day of the year, also on holidays, and in summer until late at night. The first one leaves at six from the old pier behind the market hall, the last one at ten. Tickets are sold on board and at the kiosk beside the pier. Children under six travel free, and so do dogs, bicycles and small boats. In storms the ferries stay in the harbour; ask the harbour master by phone, or look at the signal on the tower. A return ticket costs nine pounds, a ticket for a week thirty, and a ticket for a year three hundred.</p></main><script>document.getElementById("root").className = "ready"</script></html>
    /// ```
    ///
    /// ## Limits
    /// A script that translates or rewrites a text passes, if the page has at least half as many words as the response.
    /// Words are looked for in the whole page, also in its shadow trees, but not in frames.
    ///
    /// ## Also known as
    /// - Screaming Frog: JavaScript: Contains JavaScript Content
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    RENDER_REMOVES_CONTENT {
        id: "render-removes-content",
        title: "Scripts remove the content of the page",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// A response with fewer words has too little to lose.
const FEWEST_WORDS: u64 = 100;

/// The share of its words, in hundredths, that have to stay.
const ENOUGH: u64 = 40;

fn evaluate(page: &Page) -> Outcome {
    compare(page, keeps_content)
}

fn keeps_content(forms: Forms<'_>) -> Outcome {
    let coverage = Coverage::new(forms.served, forms.shown);
    let words = coverage.words();
    if words < FEWEST_WORDS {
        return Outcome::NotApplicable;
    }
    if coverage.percent() >= ENOUGH || coverage.other_words() * 2 >= words {
        return Outcome::Passed;
    }
    if coverage.is_cut {
        return Outcome::CannotTell("The page has more words than the audit compares.");
    }
    let (evidence, example) = coverage.example("The first text that is gone is");
    Outcome::failed([evidence.message(format!(
        "Of the {words} words of the response, {} ({} %) are still in the page after scripts; expected at least {ENOUGH} %.{example}",
        coverage.covered(),
        coverage.percent()
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
        outcome_shown(&RENDER_REMOVES_CONTENT, &served, &after)
    }

    #[test]
    fn the_message_has_both_numbers_and_the_first_text() {
        let served = format!(
            "<script>x()</script>{}{}",
            numbered_words(0, 30),
            numbered_words(30, 90)
        );
        let message = message_shown(&RENDER_REMOVES_CONTENT, &served, &numbered_words(0, 30));
        assert!(
            message.starts_with("Of the 120 words of the response, 30 (25 %) are still in the page after scripts; expected at least 40 %. The first text that is gone is \"word30 word31"),
            "{message}"
        );
        assert!(matches!(
            outcome(&numbered_words(0, 100), "<p>Something went wrong."),
            Outcome::Failed(_)
        ));
    }

    #[rstest]
    #[case::same(numbered_words(0, 100), numbered_words(0, 100))]
    #[case::part(numbered_words(0, 100), numbered_words(0, 40))]
    #[case::hidden(numbered_words(0, 100), format!("<div hidden>{}</div>", numbered_words(0, 100)))]
    #[case::translated(numbered_words(0, 100), numbered_words(900, 90))]
    #[case::banner_removed(format!("{}<div class=cookie-bar>{}</div>", numbered_words(0, 100), numbered_words(500, 400)), numbered_words(0, 100))]
    #[case::moved(format!("<nav>{}</nav>", numbered_words(0, 100)), format!("<footer>{}</footer>", numbered_words(0, 100)))]
    fn a_text_that_stays_passes(#[case] served: String, #[case] after: String) {
        assert_eq!(outcome(&served, &after), Outcome::Passed);
    }

    #[test]
    fn short_responses_and_pages_without_scripts_are_not_applicable() {
        assert_eq!(outcome(&numbered_words(0, 99), ""), Outcome::NotApplicable);
        let noscript = format!("<p>x<noscript>{}</noscript>", numbered_words(0, 300));
        assert_eq!(outcome(&noscript, "<p>x"), Outcome::NotApplicable);
        let page = shown(Page::builder(), &numbered_words(0, 100), "<p>x");
        assert_eq!(
            outcome_of(&RENDER_REMOVES_CONTENT, &page),
            Outcome::NotApplicable
        );
    }
}
