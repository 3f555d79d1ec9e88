//! Pages whose content probably requires JavaScript.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;
use crate::view::script_shell::{self, FEW_WORDS};

declare_check! {
    /// ## What it checks
    /// The HTML is not an empty application shell that a script fills. A shell has fewer than 50
    /// words, a script file, and an empty element that application frameworks render into, such as
    /// `<div id="root">`.
    ///
    /// ## Why it matters
    /// Most crawlers of AI services do not run scripts. They see an empty page, so AI assistants do
    /// not know its content.
    ///
    /// ## How to fix it
    /// Render the page on the server or at build time, so that the HTML contains headings and text.
    /// Most application frameworks have a mode for that.
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
    /// The check uses only the HTML; it does not evaluate what the script writes. Applications that render
    /// into an element without a common name are not detected. In rendered mode, too, the check judges the
    /// response, because its subject is what the page is without scripts.
    ///
    /// ## Also known as
    /// - Common name: Client-side rendering (CSR) without server-side rendering
    /// - Common name: Empty application shell
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    CONTENT_NEEDS_JS_SUSPECTED {
        id: "content-needs-js-suspected",
        title: "Content probably requires JavaScript",
        dimension: AiReadiness,
        scope: Page,
        severity: Critical,
        confidence: Medium,
        effort: Large,
        needs: [Dom, AsServed],
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
            "The HTML has {words} words and this element is empty until a script fills it; expected at least {FEW_WORDS} words."
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
    fn a_data_block_does_not_count_as_a_script() {
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
