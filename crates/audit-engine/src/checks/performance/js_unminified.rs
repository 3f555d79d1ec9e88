//! Scripts with white space and comments.

use crate::check::Verdicts;
use crate::common::documents::minified::{js_waste, judge_own_files};
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site's own scripts are minified: leaving out comments and white space would save less than
    /// 2,048 bytes of the transfer, or less than ten percent.
    ///
    /// ## Why it matters
    /// Comments and indentation are for the people who write the file. Visitors load them with every
    /// copy and have no use for them.
    ///
    /// ## How to fix it
    /// Let the build minify the file, for example with esbuild or terser.
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
    /// Only comments and white space are counted. Comments with a licence have to stay and do not count.
    /// Files of more than 1 MiB are not judged. The saving is a share of the bytes that travel.
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Minify JavaScript
    JS_UNMINIFIED {
        id: "js-unminified",
        title: "Scripts are not minified",
        dimension: Performance,
        scope: Resource,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// A smaller share of the file is not worth a finding.
const LEAST_PERCENT: u64 = 10;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    judge_own_files(
        site,
        verdicts,
        ResourceKind::Script,
        LEAST_PERCENT,
        js_waste,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(body: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n<script src=/a defer></script>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\n{body}"
        );
        let tallied = audit(&JS_UNMINIFIED, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn indentation_and_comments_fail() {
        assert_eq!(
            judged("%repeat 200 /* Adds a tide. */      addTide( 12, 30 );"),
            (1, 1)
        );
    }

    #[test]
    fn minified_and_small_files_pass() {
        assert_eq!(judged("%repeat 300 addTide(12,30);"), (1, 0));
        assert_eq!(judged("/* Adds a tide. */      addTide( 12, 30 );"), (1, 0));
    }

    #[test]
    fn a_licence_is_no_waste() {
        assert_eq!(
            judged("/*! licence\n%repeat 3000 licence text \n*/"),
            (1, 0)
        );
    }
}
