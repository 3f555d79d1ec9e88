//! The page title fits on one line of search results.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::common::text::text_width::{described_width, text_width};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The title has no more than 60 characters. Chinese, Japanese, Korean and other full-width
    /// characters count as two, because they are twice as wide; the finding says so.
    ///
    /// ## Why it matters
    /// Search results show about 60 characters of a title on one line and truncate the rest. The
    /// part that distinguishes the page should not be in the truncated part.
    ///
    /// ## How to fix it
    /// Put the subject of the page first and shorten the title to 60 characters. Remove repeated
    /// product names and section names before anything else.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Island Line ferries, excursions and harbour tours: the timetable for spring and summer</title><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Spring and summer timetable – Island Line ferries</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// Search engines truncate by width on the screen, not by characters, so 60 is an estimate. A
    /// long title causes no problem other than truncation. The check does not evaluate a page that
    /// only redirects to another page.
    ///
    /// ## Also known as
    /// - Screaming Frog: Page Titles: Over 60 Characters
    /// - Common name: Title tag too long
    ///
    /// ## References
    /// - Google Search Central, Influencing your title links in search results
    TITLE_LONG {
        id: "title-long",
        title: "Page title is too long",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MAX_WIDTH: usize = 60;

fn evaluate(page: &Page) -> Outcome {
    let (Some(title), Some(element)) = (page.title(), page.titles().next()) else {
        return Outcome::NotApplicable;
    };
    if is_redirect_stub(page) {
        return Outcome::NotApplicable;
    }
    let width = text_width(title);
    Outcome::pass_if(width <= MAX_WIDTH, || {
        Evidence::node(element).message(format!(
            "The title has {}; search results show about {MAX_WIDTH}.",
            described_width(title)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn sixty_characters_pass_and_sixty_one_fail() {
        assert_passes(&TITLE_LONG, &format!("<title>{}</title>", "x".repeat(60)));
        assert_fails(
            &TITLE_LONG,
            &format!("<title>{}</title>", "x".repeat(61)),
            1,
        );
    }

    #[test]
    fn whitespace_in_the_source_does_not_count() {
        assert_passes(
            &TITLE_LONG,
            &format!("<title>a{}b</title>", "\n  ".repeat(60)),
        );
    }

    #[test]
    fn ideographs_count_as_two() {
        assert_fails(
            &TITLE_LONG,
            &format!("<title>{}</title>", "語".repeat(31)),
            1,
        );
    }

    #[test]
    fn the_finding_says_what_counts_twice() {
        let message = |title: &str| match outcome(&TITLE_LONG, &format!("<title>{title}</title>")) {
            Outcome::Failed(evidence) => evidence[0].message.clone(),
            other => panic!("{other:?}"),
        };
        let latin = message(&"x".repeat(61));
        assert!(latin.starts_with("The title has 61 characters;"), "{latin}");
        for (title, start) in [
            (
                "語".repeat(31),
                "The title has 31 characters and is as wide as 62,",
            ),
            (
                "ｘ".repeat(40),
                "The title has 40 characters and is as wide as 80,",
            ),
            (
                "語".repeat(11) + &"x".repeat(40),
                "The title has 51 characters and is as wide as 62,",
            ),
        ] {
            let found = message(&title);
            assert!(found.starts_with(start), "{found}");
        }
        assert_passes(&TITLE_LONG, &format!("<title>{}</title>", "ｘ".repeat(30)));
    }

    #[test]
    fn a_missing_title_is_left_to_title_missing() {
        assert_not_applicable(&TITLE_LONG, "<p>x");
    }
}
