//! Long text without a main landmark, an article or headings.

use domain::Severity;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;
use crate::view::script_shell;

declare_check! {
    /// ## What it checks
    /// A page with more than 300 words of main text marks that text with `main`, `article` or the
    /// matching role, and has at least one heading.
    ///
    /// ## Why it matters
    /// AI assistants and reader views extract the main text from the page and split it at its
    /// headings. Without this markup they guess, and navigation or notices end up in the answer.
    ///
    /// ## How to fix it
    /// Put the main text into one `<main>` element per page, which contains everything except navigation, header and
    /// footer. Mark headings with `h1` to `h6`, and not with bold text alone.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><body><div><b>Ferries</b><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, the last one returns shortly before midnight, and in between there is a crossing every thirty minutes. In July and August a third boat joins them, and then you never wait longer than twenty minutes. The crossing itself takes a quarter of an hour when the sea is calm and a little more when it is not.</p><p>Tickets are sold on the pier, in the tourist office beside the church, and on board. Children under six travel free, schoolchildren and students pay half, and a family ticket pays for itself with the third passenger. Bicycles cost as much as a child and stand on the lower deck. Cars are not carried: leave yours in the car park behind the harbour, where the first day is free for passengers.</p><p>When the wind is stronger than eight, or in thick fog, the boats stay in the harbour. We say so on the board at the pier and on this page at least one hour before the crossing. Your ticket is then valid for the rest of the week, and on the road around the bay a bus runs instead. It needs fifty minutes, stops at the lighthouse and at the fish market, and takes no bicycles. Groups of more than twenty people should tell us one day before they come, because the boats hold eighty passengers and the morning crossings are often full of people on their way to work. A call is enough. We keep the places for you until five minutes before the boat leaves. Dogs travel free but stay on the open deck, and they wear a lead until the boat has been made fast. Lost property is kept for three months in the office on the pier.</p></div></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><body><main><h1>Ferries</h1><p>Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, the last one returns shortly before midnight.</p></main></body></html>
    /// ```
    ///
    /// ## Limits
    /// Pages with 300 words or fewer pass. The check does not evaluate whether the headings are
    /// suitable, nor whether tables and lists have the correct elements. Text that scripts write is
    /// not counted. A missing `main` is also reported by `landmark-main`.
    ///
    /// ## Also known as
    /// - Common name: Missing semantic HTML
    /// - Common name: Page without headings
    ///
    /// ## References
    /// - HTML Living Standard, section 4.4.14 The main element
    /// - HTML Living Standard, section 4.3.6 The h1, h2, h3, h4, h5, and h6 elements
    SEMANTIC_STRUCTURE {
        id: "semantic-structure",
        title: "Long text without main, article or headings",
        dimension: AiReadiness,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const LONG_TEXT_WORDS: usize = 300;

fn evaluate(page: &Page) -> Outcome {
    if script_shell::is_frameset(page) {
        return Outcome::NotApplicable;
    }
    let words = page.main_words();
    if words <= LONG_TEXT_WORDS {
        return Outcome::Passed;
    }
    let mut failures = Failures::default();
    if !page
        .elements_with(Traits::MAIN_PART.or(Traits::ROLE))
        .any(is_main_or_article)
    {
        let evidence =
            Evidence::here().cause("main-part", "Long text without a main or article element");
        failures.push(evidence.message(format!(
            "The page has {} words of text; expected a main or article element.",
            grouped(words)
        )));
    }
    let lacks_main_part = !failures.is_none();
    if !page
        .elements_with(Traits::HEADING.or(Traits::ROLE))
        .any(is_heading)
    {
        let evidence = Evidence::here().cause("headings", "Long text without headings");
        failures.push(evidence.message(format!(
            "The page has {} words of text; expected at least one heading.",
            grouped(words)
        )));
    }
    // landmark-main reports the missing main element of every page; the fact has one price.
    let is_only_main_part = lacks_main_part && failures.total() == 1;
    let outcome = Outcome::from_failures(failures);
    match is_only_main_part {
        true => outcome.with_severity(Severity::Info),
        false => outcome,
    }
}

fn is_main_or_article(element: ElementRef<'_>) -> bool {
    element.is("main")
        || element.is("article")
        || element.has_token("role", "main")
        || element.has_token("role", "article")
}

fn is_heading(element: ElementRef<'_>) -> bool {
    ["h1", "h2", "h3", "h4", "h5", "h6"]
        .iter()
        .any(|name| element.is(name))
        || element.has_token("role", "heading")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn text() -> String {
        format!("<p>{}", "word ".repeat(301))
    }

    #[test]
    fn a_small_page_passes() {
        assert_passes(&SEMANTIC_STRUCTURE, "<p>Hello");
        assert_passes(&SEMANTIC_STRUCTURE, &format!("<p>{}", "word ".repeat(300)));
    }

    #[test]
    fn words_in_the_navigation_do_not_count() {
        let links = "<li><a href=a>word</a> ".repeat(301);
        assert_passes(
            &SEMANTIC_STRUCTURE,
            &format!("<p>Hello<ul class=nav>{links}</ul>"),
        );
    }

    #[test]
    fn long_text_with_main_and_heading_passes() {
        for (open, close) in [
            ("<main>", "</main>"),
            ("<article>", "</article>"),
            ("<div role=main>", "</div>"),
        ] {
            let html = format!("{open}<h2>Title</h2>{}{close}", text());
            assert_passes(&SEMANTIC_STRUCTURE, &html);
        }
    }

    #[test]
    fn each_missing_structure_is_a_finding() {
        assert_fails(&SEMANTIC_STRUCTURE, &format!("<h1>T</h1>{}", text()), 1);
        assert_fails(&SEMANTIC_STRUCTURE, &format!("<main>{}", text()), 1);
        assert_fails(&SEMANTIC_STRUCTURE, &text(), 2);
    }

    #[test]
    fn headings_in_old_layout_tables_count() {
        let html = format!("<table><tr><td><h1>T</h1>{}</table>", text());
        assert_fails(&SEMANTIC_STRUCTURE, &html, 1);
    }

    #[test]
    fn an_element_with_the_heading_role_counts() {
        let html = format!(
            "<main><div role=heading aria-level=1>T</div>{}</main>",
            text()
        );
        assert_passes(&SEMANTIC_STRUCTURE, &html);
    }

    #[test]
    fn a_frameset_is_not_applicable() {
        assert_not_applicable(&SEMANTIC_STRUCTURE, "<frameset><frame src=a></frameset>");
    }

    #[test]
    fn an_empty_page_passes() {
        assert_passes(&SEMANTIC_STRUCTURE, "<body>");
    }
}
