//! Main content outside the main landmark.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;
use crate::view::script_shell;

declare_check! {
    /// ## What it checks
    /// The main landmark of the page contains at least 60 % of the text outside navigation,
    /// headers, footers and asides. If the page has no main landmark, at least some of its text is
    /// outside these parts.
    ///
    /// ## Why it matters
    /// AI assistants and reader views extract the content of `main` and drop the rest. They lose
    /// the text outside it, and the facts in that text.
    ///
    /// ## How to fix it
    /// Move `<main>` so that it contains everything that belongs to this page, and leave only
    /// navigation, header, footer and side notes outside. Do not mark the main text of a page as
    /// `aside` or `header`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><body><main><h1>Ferries</h1></main><div><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, the last one returns shortly before midnight, and in between there is a crossing every thirty minutes. In July and August a third boat joins them, and then you never wait longer than twenty minutes. The crossing itself takes a quarter of an hour when the sea is calm and a little more when it is not. Tickets are sold on the pier, in the tourist office beside the church, and on board. Children under six travel free.</p></div></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><body><main><h1>Ferries</h1><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, the last one returns shortly before midnight, and in between there is a crossing every thirty minutes.</p></main></body></html>
    /// ```
    ///
    /// ## Limits
    /// Fewer than 80 words outside the main landmark are never reported. Pages without visible text
    /// are not checked. A specific reader or assistant may extract different text.
    ///
    /// ## Also known as
    /// - Common name: Main content extraction
    ///
    /// ## References
    /// - HTML Living Standard, section 4.4.14 The main element
    MAIN_CONTENT_EXTRACTABLE {
        id: "main-content-extractable",
        title: "Main content outside the main landmark",
        dimension: AiReadiness,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const LEAST_PERCENT: usize = 60;
const FEW_WORDS: usize = 80;

fn evaluate(page: &Page) -> Outcome {
    let Some(body) = page.body().filter(|_| !script_shell::is_frameset(page)) else {
        return Outcome::NotApplicable;
    };
    let visible = page.words();
    if visible == 0 {
        return Outcome::NotApplicable;
    }
    let around = page.words_outside_boilerplate();
    if around == 0 && visible >= FEW_WORDS {
        return failed(
            Evidence::here(),
            format!(
                "All {} words of the page are in navigation, headers, footers or asides; expected main content outside them.",
                grouped(visible)
            ),
        );
    }
    let Some(main) = page.main_element().filter(|main| *main != body) else {
        return Outcome::Passed;
    };
    let inside: usize = mains(page).map(|main| page.words_in(main)).sum();
    if inside * 100 < around * LEAST_PERCENT && around - inside >= FEW_WORDS {
        return failed(
            Evidence::node(main),
            format!(
                "The main landmark contains {} of {} words; expected at least {LEAST_PERCENT} %.",
                grouped(inside),
                grouped(around)
            ),
        );
    }
    Outcome::Passed
}

/// The main landmarks; a nested one is counted with its outer one.
fn mains(page: &Page) -> impl Iterator<Item = ElementRef<'_>> {
    let marked = |element: &ElementRef<'_>| element.is("main") || element.attr_is("role", "main");
    page.elements_with(Traits::MAIN_PART.or(Traits::ROLE))
        .filter(marked)
        .filter(move |element| !element.ancestors().any(|up| marked(&up)))
}

fn failed(evidence: Evidence, message: String) -> Outcome {
    Outcome::failed(vec![evidence.message(message)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn text(count: usize) -> String {
        "word ".repeat(count)
    }

    #[test]
    fn text_inside_main_passes() {
        let html = format!("<nav>{}</nav><main>{}</main>", text(200), text(100));
        assert_passes(&MAIN_CONTENT_EXTRACTABLE, &html);
    }

    #[test]
    fn a_page_without_landmarks_passes() {
        assert_passes(&MAIN_CONTENT_EXTRACTABLE, "<p>Text.");
        assert_passes(
            &MAIN_CONTENT_EXTRACTABLE,
            &format!("<table><tr><td>{}", text(500)),
        );
    }

    #[test]
    fn most_text_outside_main_fails() {
        let html = format!("<main>{}</main><div>{}</div>", text(50), text(100));
        assert_fails(&MAIN_CONTENT_EXTRACTABLE, &html, 1);
    }

    #[test]
    fn a_few_words_beside_a_short_main_pass() {
        let html = format!("<main>Hi</main><div>{}</div>", text(79));
        assert_passes(&MAIN_CONTENT_EXTRACTABLE, &html);
    }

    #[test]
    fn the_words_of_several_main_landmarks_are_added_up() {
        let html = format!(
            "<main>{0}</main><main>{0}</main><div role=main>{0}</div>",
            text(100)
        );
        assert_passes(&MAIN_CONTENT_EXTRACTABLE, &html);
    }

    #[test]
    fn a_page_all_in_an_aside_fails() {
        let html = format!("<aside>{}</aside>", text(100));
        assert_fails(&MAIN_CONTENT_EXTRACTABLE, &html, 1);
    }

    #[test]
    fn pages_without_text_and_framesets_are_not_applicable() {
        assert_not_applicable(&MAIN_CONTENT_EXTRACTABLE, "<body><img src=a>");
        assert_not_applicable(
            &MAIN_CONTENT_EXTRACTABLE,
            "<frameset><frame src=a></frameset>",
        );
    }
}
