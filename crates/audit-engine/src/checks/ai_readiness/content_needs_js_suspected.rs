//! The text is there before any script runs.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;
use crate::view::script_shell::{self, FEW_WORDS};

declare_check! {
    /// ## What it checks
    /// The HTML is not an empty frame that a script fills: fewer than 50 words, a script file, and
    /// an empty element that application frameworks render into, such as `<div id="root">`.
    ///
    /// ## Why it matters
    /// Most crawlers of AI services do not run scripts. They see an empty page, so assistants know
    /// nothing of its content.
    ///
    /// ## How to fix it
    /// Render the page on the server or when the site is built, so that the HTML holds headings and
    /// text. Most application frameworks have a mode for that.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><div id="root"></div><script src="/app.js"></script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><div id="root"><h1>Ferries</h1><p>Our two ferries cross the bay every day.</p></div><script src="/app.js"></script></html>
    /// ```
    ///
    /// ## Limits
    /// This is a hint from the HTML alone; what the script writes is not looked at. Applications
    /// that render into an element without a usual name are not noticed.
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    CONTENT_NEEDS_JS_SUSPECTED {
        id: "content-needs-js-suspected",
        title: "Pages that seem empty without scripts",
        dimension: AiReadiness,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Large,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    if page.body().is_none() || script_shell::is_frameset(page) {
        return Outcome::NotApplicable;
    }
    script_shell::mount_point(page).map_or(Outcome::Passed, |mount| {
        let words = page.words();
        Outcome::failed(vec![Evidence::node(mount).message(format!(
            "The HTML has {words} words, at least {FEW_WORDS} are expected, and this element is empty until a script fills it."
        ))])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn an_empty_root_fails() {
        assert_fails(
            &CONTENT_NEEDS_JS_SUSPECTED,
            "<noscript>Enable JavaScript</noscript><div id=root></div><script src=a.js></script>",
            1,
        );
    }

    #[test]
    fn a_short_page_with_scripts_passes() {
        assert_passes(
            &CONTENT_NEEDS_JS_SUSPECTED,
            "<p>Hi<script src=a.js></script>",
        );
    }

    #[test]
    fn a_data_block_is_no_script() {
        assert_passes(
            &CONTENT_NEEDS_JS_SUSPECTED,
            "<div id=root></div><script type='application/json' src=a.json></script>",
        );
    }

    #[test]
    fn a_frameset_is_not_applicable() {
        assert_not_applicable(
            &CONTENT_NEEDS_JS_SUSPECTED,
            "<frameset><frame src=a></frameset>",
        );
    }
}
