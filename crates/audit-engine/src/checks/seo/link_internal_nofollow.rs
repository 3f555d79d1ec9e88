//! Internal links have no nofollow.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::declare_check;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// No link to an indexable page of the same site has `nofollow`, neither in its `rel` attribute
    /// nor through a robots directive of the linking page.
    ///
    /// ## Why it matters
    /// `nofollow` declares that the target is not trusted. On internal links, it only
    /// withholds link equity from pages of the same site.
    ///
    /// ## How to fix it
    /// Remove `nofollow` from the link. To exclude the target from search results, set `noindex` on
    /// the target instead.
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
    /// The check skips links to pages that are not indexable, such as a login, and to URLs that
    /// were not requested. A page passes if it links to the same URL once with and once without
    /// `nofollow`.
    ///
    /// ## Also known as
    /// - Screaming Frog: Links: Internal Nofollow Outlinks
    ///
    /// ## References
    /// - Google Search Central, Qualify your outbound links to Google
    LINK_INTERNAL_NOFOLLOW {
        id: "link-internal-nofollow",
        title: "Internal links with nofollow",
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
            target.is_some_and(|target| target.is_indexable() && target.id != page.id)
        });
        let outcome = Outcome::for_each(internal, |link| {
            Verdict::pass_if(!link.nofollow, || {
                let url = site.urls.url(link.target);
                link_evidence(site, link)
                    .message(format!("The internal link to {url} has nofollow."))
                    .cause(url, format!("Internal links with nofollow to {url}"))
            })
        });
        verdicts.record(page.url.as_str(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn links_without_nofollow_and_external_nofollow_links_pass() {
        let site =
            "=== /\n<a href=/a>a</a><a rel=nofollow href=https://other.test/>o</a>\n=== /a\na";
        let tallied = audit(&LINK_INTERNAL_NOFOLLOW, site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_nofollow_link_to_an_indexable_page_fails() {
        let site = "=== /\n<a rel='noopener NoFollow' href=/a>a</a>\n=== /a\na";
        assert_eq!(audit(&LINK_INTERNAL_NOFOLLOW, site).affected, 1);
    }

    #[test]
    fn a_robots_directive_of_the_page_counts() {
        let site = "=== /\n<meta name=robots content=nofollow><a href=/a>a</a>\n=== /a\na";
        assert_eq!(audit(&LINK_INTERNAL_NOFOLLOW, site).affected, 1);
    }

    #[test]
    fn a_target_that_is_not_indexable_is_not_applicable() {
        let site = "=== /\n<a rel=nofollow href=/login>a</a>\n=== /login\n<meta name=robots content=noindex>";
        assert_eq!(audit(&LINK_INTERNAL_NOFOLLOW, site).applicable, 0);
    }
}
