//! Finds pages that reload or redirect after more than 20 hours.

use super::meta_refresh::{EXEMPT_AFTER_SECONDS, refresh};
use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The page has no `meta` refresh that reloads or redirects it after more than 20 hours.
    ///
    /// ## Why it matters
    /// The text that a user is reading or the form that they are filling in disappears without a warning.
    ///
    /// ## How to fix it
    /// Remove the refresh, and offer a link or a button that reloads the page.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><head><title>Scores</title><meta http-equiv="refresh" content="86400"></head></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><head><title>Scores</title><meta http-equiv="refresh" content="0; url=/scores/live"></head></html>
    /// ```
    ///
    /// ## Limits
    /// Level AAA is not required for a whole site, so this check never affects the score. `meta-refresh` reports
    /// shorter delays, and has the same limits.
    ///
    /// ## Also known as
    /// - axe: `meta-refresh-no-exceptions`
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 2.2.4 Interruptions and 3.2.5 Change on Request (AAA)
    /// - W3C ACT rule bisz58, Meta element has no refresh delay (no exception)
    META_REFRESH_NO_EXCEPTIONS {
        id: "meta-refresh-no-exceptions",
        title: "Meta refresh after more than 20 hours",
        dimension: Accessibility,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let Some((meta, seconds)) = refresh(page) else {
        return Outcome::NotApplicable;
    };
    Outcome::pass_if(seconds <= EXEMPT_AFTER_SECONDS, || {
        Evidence::node(meta).message(format!(
            "The page reloads or redirects after {seconds} seconds; expected no delay."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn page(content: &str) -> String {
        format!("<meta http-equiv=refresh content=\"{content}\">")
    }

    #[test]
    fn a_delay_of_more_than_20_hours_fails() {
        for content in ["72001", "86400; url=/x", "99999999999999999999999"] {
            assert_fails(&META_REFRESH_NO_EXCEPTIONS, &page(content), 1);
        }
    }

    #[test]
    fn other_delays_are_left_to_the_other_check() {
        for content in ["0", "0; url=/x", "30", "72000"] {
            assert_passes(&META_REFRESH_NO_EXCEPTIONS, &page(content));
        }
        assert_not_applicable(&META_REFRESH_NO_EXCEPTIONS, &page("x"));
        assert_not_applicable(&META_REFRESH_NO_EXCEPTIONS, "<p>x");
    }
}
