//! Scripts with code that does not run while pages load.

use crate::check::Verdicts;
use crate::common::documents::unused_code::UnusedCode;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Of each script file less than 20 KiB of the transfer size is code that does not run while pages load. Code that runs
    /// on one of the pages is used.
    ///
    /// ## Why it matters
    /// The browser downloads and parses the whole file before any of it runs. Code that only other pages or later clicks
    /// need delays every visit.
    ///
    /// ## How to fix it
    /// Split the script, so that each page loads what it uses and loads the rest on demand with `import()`. Remove
    /// libraries of which little is used.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/tides.js" defer></script><p>Open from nine to five.</p></html>
    /// === /tides.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// const tides = [];
    /// %repeat 600 tides.push(function () { return "Nobody calls this while the page loads."; });
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/tides.js" defer></script><p>Open from nine to five.</p></html>
    /// === /tides.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// const tides = [];
    /// %repeat 10 tides.push(function () { return "Nobody calls this while the page loads."; });
    /// ```
    ///
    /// ## Limits
    /// The browser notes what runs on the first ten pages of a crawl, until they have settled. Scripts in the page itself,
    /// in frames of other sites and in workers are not evaluated, nor is a script on a page where it throws an exception that
    /// nobody catches, because what follows does not run there. A function counts as a whole. The unused part is computed
    /// as a share of the transfer size.
    /// The more bytes of unused code one visit transfers, the more points the check costs; from 256 KiB on, it costs all its
    /// points. The visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// ## Also known as
    /// - Lighthouse: `unused-javascript`
    /// - Common name: Dead code, tree shaking
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Remove unused JavaScript
    JS_UNUSED {
        id: "js-unused",
        title: "Unused JavaScript",
        dimension: Performance,
        scope: Resource,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [Browser, Coverage],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The unused bytes of a file from which it fails: the threshold of Lighthouse.
const LEAST_BYTES: u64 = 20 * 1_024;

const UNUSED: UnusedCode = UnusedCode {
    kind: ResourceKind::Script,
    least_bytes: LEAST_BYTES,
    visit_limit: 256 * 1_024,
    unused: |_, coverage| Some(coverage.unused_chars()),
    words: "of the script did not run on",
};

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    UNUSED.evaluate(site, verdicts);
}
