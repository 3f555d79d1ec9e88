//! Finds text without the color contrast of level AAA.

use super::color_contrast::{ENHANCED, evaluate_level};
use crate::check::Outcome;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Text has a contrast ratio of at least 7:1 against its background. Large text, from 24 px or from 18.66 px in
    /// bold, needs at least 4.5:1.
    ///
    /// ## Why it matters
    /// Users whose low vision needs more than the usual contrast read such text without assistive technology.
    ///
    /// ## How to fix it
    /// Make the text darker or the background lighter, or the reverse, until the contrast ratio is reached. On a
    /// background of medium brightness neither black nor white text has 7:1: change the background there.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>News</title><p style="color: #666; background: #fff">The museum reopens in May.</p></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>News</title><p style="color: #333; background: #fff">The museum reopens in May.</p></html>
    /// ```
    ///
    /// ## Limits
    /// Level AAA is not required for a whole site, so this check never affects the score. `color-contrast` reports
    /// text below level AA, and has the same limits.
    ///
    /// ## Also known as
    /// - axe: `color-contrast-enhanced`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.6 Contrast (Enhanced) (AAA)
    /// - W3C ACT rule 09o5cg, Text has enhanced contrast
    COLOR_CONTRAST_ENHANCED {
        id: "color-contrast-enhanced",
        title: "Color contrast below level AAA",
        dimension: Accessibility,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Small,
        needs: [Dom, Pixels],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    evaluate_level(page, ENHANCED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, message};

    #[test]
    fn text_between_the_levels_fails() {
        for style in [
            "color:#666;background:#fff",
            "color:#000;background:#666;font-size:18pt",
            "color:#666;background:linear-gradient(to right,#fff,#0ff)",
            "color:rgba(0,0,0,.6)",
        ] {
            let html = format!("<p style='{style}'>Some text");
            assert_fails(&COLOR_CONTRAST_ENHANCED, &html, 1);
        }
    }

    #[test]
    fn a_background_on_which_no_text_color_is_enough_is_named() {
        let styled = |style: &str| {
            let html = format!("<p style='{style}'>Some text");
            message(&COLOR_CONTRAST_ENHANCED, &html)
        };
        let medium = styled("color:#fff;background:#0d6efd");
        assert!(
            medium.contains("at least 7:1, which no text color has on this background."),
            "{medium}"
        );
        let light = styled("color:#666;background:#fff");
        assert!(
            light.contains("for example with the text color #5"),
            "{light}"
        );
    }

    #[test]
    fn text_with_enhanced_contrast_passes() {
        for style in [
            "color:#333",
            "color:#000;background:#777;font-size:18pt",
            "color:#000;background:#777;font-size:14pt;font-weight:700",
            "color:#333;background:linear-gradient(to right,#fff,#bbf)",
        ] {
            let html = format!("<p style='{style}'>Some text");
            assert_passes(&COLOR_CONTRAST_ENHANCED, &html);
        }
    }

    #[test]
    fn text_below_the_minimum_is_left_to_the_other_check() {
        assert_passes(&COLOR_CONTRAST_ENHANCED, "<p style='color:#aaa'>Some text");
        assert_not_applicable(&COLOR_CONTRAST_ENHANCED, "<p hidden>Some text");
    }
}
