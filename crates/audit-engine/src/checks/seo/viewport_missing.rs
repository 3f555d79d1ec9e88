//! The page has a viewport meta tag for mobile devices.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The document has a `meta name="viewport"` whose content has `width=device-width` or an
    /// `initial-scale`.
    ///
    /// ## Why it matters
    /// Without this tag, a phone lays out the page at desktop width and scales it down until the
    /// text is unreadable. Google indexes the mobile version of a page.
    ///
    /// ## How to fix it
    /// Add `<meta name="viewport" content="width=device-width, initial-scale=1">` to the head of
    /// every page.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// In static mode, the check does not know whether the layout then fits a small screen. The
    /// check does not evaluate a page that only redirects to another page.
    ///
    /// ## Also known as
    /// - Lighthouse: `viewport-insight`
    /// - Lighthouse: `viewport`
    /// - Screaming Frog: Mobile: Viewport Not Set
    ///
    /// ## References
    /// - CSS Viewport Module Level 1, the viewport meta tag
    /// - Google Search Central, Mobile site and mobile-first indexing best practices
    /// - Lighthouse audit viewport-insight
    VIEWPORT_MISSING {
        id: "viewport-missing",
        title: "Missing or ineffective viewport meta tag",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if is_redirect_stub(page) {
        return Outcome::NotApplicable;
    }
    let mut metas = page.metas("viewport").peekable();
    match metas.peek().copied() {
        None => Outcome::failed(vec![Evidence::here().message(
            "The document has no viewport meta tag; expected one with width=device-width.",
        )]),
        Some(first) => Outcome::pass_if(
            metas
                .filter_map(|meta| meta.attr("content"))
                .any(sets_device_width_or_scale),
            || {
                Evidence::node(first).message(
                    "The viewport meta tag has neither width=device-width nor initial-scale.",
                )
            },
        ),
    }
}

/// Commas, semicolons or whitespace separate properties (CSS Viewport, parsing algorithm).
fn sets_device_width_or_scale(content: &str) -> bool {
    let content = content.to_ascii_lowercase().replace([';', ','], " ");
    let compact = content
        .split('=')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join("=");
    compact.split_ascii_whitespace().any(|property| {
        let (name, value) = property.split_once('=').unwrap_or((property, ""));
        match name {
            "width" => value == "device-width",
            "initial-scale" => value.starts_with(|c: char| c.is_ascii_digit() || c == '.'),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn viewport(content: &str) -> String {
        format!("<meta name=viewport content='{content}'>")
    }

    #[test]
    fn device_width_or_an_initial_scale_passes() {
        for content in [
            "width=device-width",
            "WIDTH = Device-Width ; initial-scale=1",
            "initial-scale=1.0",
            "user-scalable=yes width=device-width",
        ] {
            assert_passes(&VIEWPORT_MISSING, &viewport(content));
        }
    }

    #[test]
    fn a_fixed_width_or_no_effective_property_fails() {
        for content in ["width=1024", "", "user-scalable=no", "initial-scale"] {
            assert_fails(&VIEWPORT_MISSING, &viewport(content), 1);
        }
    }

    #[test]
    fn a_page_without_viewport_meta_tag_fails() {
        assert_fails(&VIEWPORT_MISSING, "<p>x", 1);
    }

    #[test]
    fn a_page_that_redirects_is_not_applicable() {
        assert_not_applicable(
            &VIEWPORT_MISSING,
            "<meta http-equiv=refresh content='0;url=b'>",
        );
    }
}
