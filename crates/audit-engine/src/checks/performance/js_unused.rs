//! Scripts with code that does not run while pages load.

use std::collections::HashMap;

use domain::score::Share;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
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

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 256 * 1_024;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut wasted = HashMap::new();
    let files = site.resources.iter();
    let scripts = files.filter(|file| file.ok() && file.kind == ResourceKind::Script);
    for file in scripts {
        let Some(script) = site.coverage.file(file.url.as_str()) else {
            continue;
        };
        let (unused, all) = (script.coverage.unused_chars(), script.coverage.chars);
        let share = |of: u64| of.saturating_mul(u64::from(unused)) / u64::from(all.max(1));
        let bytes = share(file.wire_bytes);
        let outcome = Outcome::pass_if(bytes < LEAST_BYTES, || {
            let (percent, pages) = (share(100), script.pages);
            let pages = match pages {
                1 => "the page that a browser examined".to_owned(),
                _ => format!("any of the {pages} pages that a browser examined"),
            };
            Evidence::here().message(format!(
                "{percent} percent of the script did not run on {pages}: about {} of its transfer size of {}; expected less than {}.",
                size(bytes),
                size(file.wire_bytes),
                size(LEAST_BYTES),
            ))
        });
        if verdicts.record(file.url.as_str(), outcome) {
            wasted.insert(file.id, bytes);
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}
