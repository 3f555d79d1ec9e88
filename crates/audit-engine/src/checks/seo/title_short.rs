//! The page title is long enough to describe the page.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::common::text::text_width::{described_width, text_width};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The title has at least 10 characters. A Chinese, Japanese or Korean character counts as two.
    ///
    /// ## Why it matters
    /// A title of one short word rarely describes a page, so users skip it in search results.
    ///
    /// ## How to fix it
    /// Name the subject of the page and the site: `<title>Timetable – Island Line ferries</title>`
    /// instead of `<title>Times</title>`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Times</title><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Timetable – Island Line ferries</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// Ten characters is a rule of thumb; search engines publish no limit. `title-missing` reports
    /// a page without a title. The check does not evaluate a page that only redirects to another
    /// page.
    ///
    /// ## Also known as
    /// - Common name: Title tag too short
    /// - Screaming Frog: Page Titles: Below 30 Characters
    ///
    /// ## References
    /// - Google Search Central, Influencing your title links in search results
    TITLE_SHORT {
        id: "title-short",
        title: "Page title is too short",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MIN_WIDTH: usize = 10;

fn evaluate(page: &Page) -> Outcome {
    let (Some(title), Some(element)) = (page.title(), page.titles().next()) else {
        return Outcome::NotApplicable;
    };
    if is_redirect_stub(page) {
        return Outcome::NotApplicable;
    }
    let width = text_width(title);
    Outcome::pass_if(width >= MIN_WIDTH, || {
        Evidence::node(element).message(format!(
            "The title has {}; expected at least {MIN_WIDTH}.",
            described_width(title)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn ten_characters_pass_and_nine_fail() {
        assert_passes(&TITLE_SHORT, "<title> 1234567890 </title>");
        assert_fails(&TITLE_SHORT, "<title>123456789</title>", 1);
    }

    #[test]
    fn five_ideographs_count_as_ten_characters() {
        assert_passes(&TITLE_SHORT, "<title>渡船時刻表</title>");
    }

    #[test]
    fn a_missing_title_is_left_to_title_missing() {
        assert_not_applicable(&TITLE_SHORT, "<title> </title>");
    }

    #[test]
    fn a_page_that_redirects_is_not_applicable() {
        assert_not_applicable(
            &TITLE_SHORT,
            "<meta http-equiv=refresh content='0; url=/b'><title>Moved</title>",
        );
    }
}
