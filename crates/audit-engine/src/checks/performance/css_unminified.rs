//! Style sheets with comments and white space that a minifier would remove.

use crate::check::Verdicts;
use crate::common::documents::minified::{Minification, css_waste};
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site's own style sheets are minified, and so are the `style` elements of its pages.
    /// Removing comments and white space would save less than 2,048 bytes of the transfer size of a
    /// file, or of all `style` elements of a page, or less than five percent of it.
    ///
    /// ## Why it matters
    /// Comments and indentation help only the people who edit the file. Every visitor downloads
    /// them and has no use for them.
    ///
    /// ## How to fix it
    /// Minify the style sheet in the build, for example with esbuild or Lightning CSS, and link the minified file.
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
    /// Only comments and white space are counted, and not what a minifier saves with shorter values
    /// and merged rules: the saving is a lower bound. License comments must stay and are not
    /// counted. Style sheets of other sites are not checked, because the site cannot change them.
    /// Files larger than 5 MiB are not checked, and of the `style` elements of a page only the first
    /// MiB. The saving is computed as a share of the transfer size.
    /// The more bytes minification would save in one visit, the more points the check costs; from 256 KiB on, it costs
    /// all its points. The visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// ## Also known as
    /// - Lighthouse: `unminified-css`
    /// - Common name: Minification
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Minify CSS
    CSS_UNMINIFIED {
        id: "css-unminified",
        title: "Unminified CSS",
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
    kind: ResourceKind::Stylesheet,
    least_percent: 5,
    waste: css_waste,
    inline: |page| page.inline_css,
    element: "style",
};

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    MINIFICATION.evaluate(site, verdicts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn audited(body: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n<link rel=stylesheet href=/a>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n{body}"
        );
        let tallied = audit(&CSS_UNMINIFIED, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn indentation_and_comments_fail() {
        assert_eq!(
            audited("%repeat 200 /* A tide. */      .tide {  color : navy ; }"),
            (1, 1)
        );
    }

    #[test]
    fn minified_and_small_files_pass() {
        assert_eq!(audited("%repeat 300 .tide{color:navy}"), (1, 0));
        assert_eq!(
            audited("/* A tide. */      .tide {  color : navy ; }"),
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
        let tallied = audit(&CSS_UNMINIFIED, &format!("=== /\n{markup}"));
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn style_elements_are_judged_together() {
        const RULE: &str = "%repeat 100 /* A tide. */      .tide {  color : navy ; }";
        let one = format!("<style>\n{RULE}\n</style>");
        assert_eq!(inline(&one), (1, 1));
        assert_eq!(inline(&format!("{one}\n<p>x\n{one}")), (1, 1));
        assert_eq!(
            inline("<style>\n%repeat 300 .tide{color:navy}\n</style>"),
            (1, 0)
        );
        // Too little code to save anything.
        assert_eq!(inline("<style>.tide {  color : navy ; }</style>"), (0, 0));
    }

    #[test]
    fn files_beyond_the_kept_part_are_judged() {
        // 2.9 MiB each.
        let padded = "%repeat 55000 /* A tide. */      .tide {  color : navy ;     }";
        assert_eq!(audited(padded), (1, 1));
        assert_eq!(audited("%repeat 160000 .tide{color:navy}.a"), (1, 0));
    }

    #[test]
    fn files_that_are_not_read_completely_are_not_judged() {
        assert_eq!(audited("%repeat 300000 .tide {  color : navy ; }"), (0, 0));
    }
}
