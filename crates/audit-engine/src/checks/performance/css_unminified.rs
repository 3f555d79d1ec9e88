//! Style sheets with white space and comments.

use crate::check::Verdicts;
use crate::common::documents::minified::{css_waste, judge_own_files};
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site's own style sheets are minified: leaving out comments and white space would save less than
    /// 2,048 bytes of the transfer, or less than five percent.
    ///
    /// ## Why it matters
    /// Comments and indentation are for the people who write the file. Visitors load them with every
    /// copy and have no use for them.
    ///
    /// ## How to fix it
    /// Let the build minify the file, for example with esbuild or Lightning CSS.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.css"><p>Open from nine to five.</p></html>
    /// === /site.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// %repeat 100 /* A tide. */      .tide {  color : navy ; }
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.css"><p>Open from nine to five.</p></html>
    /// === /site.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// %repeat 100 .tide{color:navy}
    /// ```
    ///
    /// ## Limits
    /// Only comments and white space are counted. Comments with a licence have to stay and do not count.
    /// Files of more than 1 MiB are not judged. The saving is a share of the bytes that travel.
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Minify CSS
    CSS_UNMINIFIED {
        id: "css-unminified",
        title: "Style sheets are not minified",
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
const LEAST_PERCENT: u64 = 5;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    judge_own_files(
        site,
        verdicts,
        ResourceKind::Stylesheet,
        LEAST_PERCENT,
        css_waste,
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn judged(body: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n<link rel=stylesheet href=/a>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n{body}"
        );
        let tallied = audit(&CSS_UNMINIFIED, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn indentation_and_comments_fail() {
        assert_eq!(
            judged("%repeat 200 /* A tide. */      .tide {  color : navy ; }"),
            (1, 1)
        );
    }

    #[test]
    fn minified_and_small_files_pass() {
        assert_eq!(judged("%repeat 300 .tide{color:navy}"), (1, 0));
        assert_eq!(
            judged("/* A tide. */      .tide {  color : navy ; }"),
            (1, 0)
        );
    }

    #[test]
    fn a_licence_is_no_waste() {
        assert_eq!(
            judged("/*! licence\n%repeat 3000 licence text \n*/"),
            (1, 0)
        );
    }
}
