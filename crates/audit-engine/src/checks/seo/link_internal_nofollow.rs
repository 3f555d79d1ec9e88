//! Internal links may be followed.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No link to an indexable page of the same site is marked `nofollow`, neither by `rel` nor
    /// by a robots instruction of the page it stands on.
    ///
    /// ## Why it matters
    /// The mark tells search engines not to trust the target. On links within a site it only
    /// keeps credit from its own pages.
    ///
    /// ## How to fix it
    /// Remove `nofollow` from the link. If the target should not be found, put `noindex` on the
    /// target instead.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times" rel="nofollow">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><a href="/times">Times</a>
    /// === /times
    /// <!doctype html><html lang="en"><title>Times – Island Line</title>
    /// ```
    ///
    /// ## Limits
    /// Links to pages that are not indexable, such as a login, and to URLs that were not
    /// requested are not judged. A page that links to the same address once with and once without
    /// the mark passes.
    ///
    /// ## References
    /// - Google Search Central, Qualify your outbound links to Google
    LINK_INTERNAL_NOFOLLOW {
        id: "link-internal-nofollow",
        title: "Internal links marked nofollow",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for page in &site.pages {
        let internal = page.links.iter().filter(|link| {
            let target = site.page_behind(link.target);
            target.is_some_and(|target| target.indexable && target.id != page.id)
        });
        let outcome = Outcome::for_each(internal, |link| {
            Verdict::of(!link.nofollow, || {
                let url = site.urls.url(link.target);
                link_evidence(site, link)
                    .message(format!("The link to {url} is marked nofollow."))
                    .cause(url, format!("Internal links marked nofollow: {url}"))
            })
        });
        verdicts.judge(page.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn plain_links_and_marked_links_to_other_sites_pass() {
        let site =
            "=== /\n<a href=/a>a</a><a rel=nofollow href=https://other.test/>o</a>\n=== /a\na";
        let tallied = audit(&LINK_INTERNAL_NOFOLLOW, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_marked_link_to_an_indexable_page_fails() {
        let site = "=== /\n<a rel='noopener NoFollow' href=/a>a</a>\n=== /a\na";
        assert_eq!(audit(&LINK_INTERNAL_NOFOLLOW, site).affected, 1);
    }

    #[test]
    fn a_page_wide_instruction_counts() {
        let site = "=== /\n<meta name=robots content=nofollow><a href=/a>a</a>\n=== /a\na";
        assert_eq!(audit(&LINK_INTERNAL_NOFOLLOW, site).affected, 1);
    }

    #[test]
    fn a_target_that_is_not_indexable_is_not_judged() {
        let site = "=== /\n<a rel=nofollow href=/login>a</a>\n=== /login\n<meta name=robots content=noindex>";
        assert_eq!(audit(&LINK_INTERNAL_NOFOLLOW, site).applicable, 0);
    }
}
