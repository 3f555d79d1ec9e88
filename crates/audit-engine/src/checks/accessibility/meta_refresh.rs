//! Finds pages that reload or redirect after a delay with `meta` refresh.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The first valid `meta http-equiv="refresh"` takes effect immediately or after more than 20 hours.
    ///
    /// ## Why it matters
    /// A delayed reload or redirect interrupts users who read slowly. A screen reader starts again from the
    /// top. Users cannot stop it.
    ///
    /// ## How to fix it
    /// Remove the element. To move a page, respond with an HTTP redirect. To show new content, offer a button
    /// that loads it.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><head><title>Scores</title><meta http-equiv="refresh" content="30"></head></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><head><title>Scores</title><meta http-equiv="refresh" content="0; url=/scores/live"></head></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate the `Refresh` response header and reloads by script. An immediate refresh
    /// passes; an HTTP redirect is still better.
    ///
    /// ## Also known as
    /// - axe: `meta-refresh`
    /// - Lighthouse: `meta-refresh`
    /// - WCAG: Failure F40
    /// - WCAG: Failure F41
    /// - WAVE: Page refreshes or redirects
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.2.1 Timing Adjustable (A)
    /// - W3C ACT rule bc659a, Meta element has no refresh delay
    /// - W3C ACT rule bisz58, Meta element has no refresh delay (no exception), for delays of up to 20 hours
    META_REFRESH {
        id: "meta-refresh",
        title: "Delayed meta refresh",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// WCAG 2.2 exempts time limits longer than 20 hours (2.2.1).
pub(super) const EXEMPT_AFTER_SECONDS: u64 = 72_000;

fn evaluate(page: &Page) -> Outcome {
    let Some((meta, seconds)) = refresh(page) else {
        return Outcome::NotApplicable;
    };
    Outcome::pass_if(seconds == 0 || seconds > EXEMPT_AFTER_SECONDS, || {
        Evidence::node(meta).message(format!(
            "The page reloads or redirects after {seconds} seconds; expected 0 seconds or more than {EXEMPT_AFTER_SECONDS} seconds."
        ))
    })
}

/// The refresh of the page and its delay in seconds. Browsers use the first valid element and ignore the others.
pub(super) fn refresh(page: &Page) -> Option<(ElementRef<'_>, u64)> {
    page.html("meta")
        .filter(|meta| meta.attr_is("http-equiv", "refresh"))
        .find_map(|meta| Some((meta, delay_seconds(meta.attr("content")?)?)))
}

/// The delay of a refresh in whole seconds; none if browsers ignore it (HTML, shared declarative refresh steps).
fn delay_seconds(content: &str) -> Option<u64> {
    let content = content.trim_ascii_start();
    let digits: String = content.chars().take_while(char::is_ascii_digit).collect();
    let rest = content.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.is_empty() && !rest.starts_with('.') {
        return None;
    }
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let ends_well = rest.is_empty()
        || rest.starts_with(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ','));
    ends_well.then(|| {
        if digits.is_empty() {
            0
        } else {
            digits.parse().unwrap_or(u64::MAX)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn page(content: &str) -> String {
        format!("<meta http-equiv=Refresh content=\"{content}\">")
    }

    #[test]
    fn immediate_and_very_long_delays_pass() {
        for content in [
            "0",
            "0; url=/x",
            "0.9;url=/x",
            "72001; https://w3.org",
            ".5",
        ] {
            assert_passes(&META_REFRESH, &page(content));
        }
    }

    #[test]
    fn a_delay_fails() {
        for content in [
            "30",
            " 5; URL='/x'",
            "72000; https://w3.org",
            "1,/x",
            "1 /x",
        ] {
            assert_fails(&META_REFRESH, &page(content), 1);
        }
    }

    #[test]
    fn invalid_refreshes_are_not_applicable() {
        for content in ["", "foo; url=/x", "-1", "5x"] {
            assert_not_applicable(&META_REFRESH, &page(content));
        }
        assert_not_applicable(&META_REFRESH, "<meta content=30>");
    }

    #[test]
    fn the_first_refresh_counts() {
        assert_passes(&META_REFRESH, &(page("0; /x") + &page("30; /x")));
        assert_fails(&META_REFRESH, &(page("foo") + &page("30; /x")), 1);
    }
}
