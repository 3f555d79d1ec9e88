//! Scripts with comments and white space that a minifier would remove.

use crate::check::Verdicts;
use crate::common::documents::minified::{Minification, js_waste};
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site's own scripts are minified, and so are the `script` elements of its pages. Removing
    /// comments and white space would save less than 2,048 bytes of the transfer size of a file, or
    /// of all `script` elements of a page, or less than ten percent of it.
    ///
    /// ## Why it matters
    /// Comments and indentation help only the people who edit the file. Every visitor downloads
    /// them and has no use for them.
    ///
    /// ## How to fix it
    /// Let the build minify the script, for example with esbuild or terser, and load the minified file.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/site.js" defer></script><p>Open from nine to five.</p></html>
    /// === /site.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// %repeat 100 /* Adds a tide. */      addTide( 12, 30 );
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/site.js" defer></script><p>Open from nine to five.</p></html>
    /// === /site.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// %repeat 100 addTide(12,30);
    /// ```
    ///
    /// ## Limits
    /// Only comments and white space are counted. License comments must stay and are not counted.
    /// Files larger than 5 MiB are not checked, and of the `script` elements of a page only the first
    /// MiB. The saving is computed as a share of the transfer size.
    /// The more bytes minification would save in one visit, the more points the check costs; from 256 KiB on, it costs
    /// all its points. The visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// ## Also known as
    /// - Lighthouse: `unminified-javascript`
    /// - Common name: Minification
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Minify JavaScript
    JS_UNMINIFIED {
        id: "js-unminified",
        title: "Unminified JavaScript",
        dimension: Performance,
        scope: Resource,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const MINIFICATION: Minification = Minification {
    kind: ResourceKind::Script,
    least_percent: 10,
    waste: js_waste,
    inline: |page| page.inline_js,
    element: "script",
};

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    MINIFICATION.evaluate(site, verdicts);
}

#[cfg(test)]
mod tests {
    use domain::score::Share;

    use super::*;
    use crate::check::testing::audit;

    fn audited(body: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n<script src=/a defer></script>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\n{body}"
        );
        let tallied = audit(&JS_UNMINIFIED, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn indentation_and_comments_fail() {
        assert_eq!(
            audited("%repeat 200 /* Adds a tide. */      addTide( 12, 30 );"),
            (1, 1)
        );
    }

    #[test]
    fn the_check_costs_as_much_as_a_visit_wastes() {
        let reach = |lines: u32| {
            let file = format!("%repeat {lines} /* Adds a tide. */      addTide( 12, 30 );");
            let site = format!(
                "=== /\n<script src=/a defer></script><a href=/b>b</a>\n=== /b\nWithout scripts.\n=== /a\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\n{file}"
            );
            audit(&JS_UNMINIFIED, &site).reach
        };
        let (little, more, much) = (reach(200), reach(2_000), reach(20_000));
        assert!(Share::ZERO < little && little < more, "{little:?} {more:?}");
        assert!(little.to_f64() < 0.05, "{little:?}");
        assert_eq!(much, Share::ONE);
    }

    #[test]
    fn minified_and_small_files_pass() {
        assert_eq!(audited("%repeat 300 addTide(12,30);"), (1, 0));
        assert_eq!(
            audited("/* Adds a tide. */      addTide( 12, 30 );"),
            (1, 0)
        );
    }

    #[test]
    fn license_comments_are_not_counted() {
        assert_eq!(
            audited("/*! licence\n%repeat 3000 licence text \n*/"),
            (1, 0)
        );
    }

    fn inline(markup: &str) -> (u64, u64) {
        let tallied = audit(&JS_UNMINIFIED, &format!("=== /\n{markup}"));
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn script_elements_that_run_are_judged() {
        const CALL: &str = "%repeat 200 /* Adds a tide. */      addTide( 12, 30 );";
        assert_eq!(inline(&format!("<script>\n{CALL}\n</script>")), (1, 1));
        assert_eq!(
            inline(&format!("<script type=module>\n{CALL}\n</script>")),
            (1, 1)
        );
        let data = format!("<script type=application/json>\n{CALL}\n</script>");
        assert_eq!(inline(&data), (0, 0));
    }
}
