//! The title fits into a line of search results.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::refresh_redirect;
use crate::common::measures::numbers::grouped;
use crate::common::text::text_width::text_width;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The title has no more than 60 characters. A Chinese, Japanese or Korean character counts
    /// as two.
    ///
    /// ## Why it matters
    /// Search results show about 60 characters of a title on one line and cut off the rest. What
    /// tells the page from its neighbours should not stand in the part that is cut off.
    ///
    /// ## How to fix it
    /// Put the subject of the page first and shorten the title to 60 characters. Drop repeated
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
    /// Search results cut by width on the screen, not by characters, so 60 is an estimate; a long
    /// title does no harm beyond being cut. A page that only redirects to another is not judged.
    ///
    /// ## References
    /// - Google Search Central, Influencing your title links in search results
    TITLE_LONG {
        id: "title-long",
        title: "The title is too long for search results",
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
    if refresh_redirect(page).is_some() {
        return Outcome::NotApplicable;
    }
    let width = text_width(title);
    Outcome::of(width <= MAX_WIDTH, || {
        Evidence::node(element).message(format!(
            "The title is {} characters long; search results show about {MAX_WIDTH}.",
            grouped(width)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn sixty_characters_pass_and_sixty_one_do_not() {
        assert_passes(&TITLE_LONG, &format!("<title>{}</title>", "x".repeat(60)));
        assert_fails(
            &TITLE_LONG,
            &format!("<title>{}</title>", "x".repeat(61)),
            1,
        );
    }

    #[test]
    fn white_space_of_the_source_does_not_count() {
        assert_passes(
            &TITLE_LONG,
            &format!("<title>a{}b</title>", "\n  ".repeat(60)),
        );
    }

    #[test]
    fn ideographs_are_two_wide() {
        assert_fails(
            &TITLE_LONG,
            &format!("<title>{}</title>", "語".repeat(31)),
            1,
        );
    }

    #[test]
    fn no_title_is_another_checks_question() {
        assert_not_applicable(&TITLE_LONG, "<p>x");
    }
}
