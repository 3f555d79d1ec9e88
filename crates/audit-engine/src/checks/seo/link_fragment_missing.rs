//! Links to a place on a page lead to one that is there.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::declare_check;
use crate::site::{LinkFact, LinkPlace, PageFacts, Site};
use crate::view::fragments::place;

declare_check! {
    /// ## What it checks
    /// Every link to a place on a page of the site (`#times`, `/ferries#times`) names an element that is there, by its
    /// `id` or as the `name` of an `a` element.
    ///
    /// ## Why it matters
    /// People who follow such a link stay where they are, or land at the top of a page, and do not know why. Entries of a table of
    /// contents that lead nowhere make a long page hard to use, and search engines cannot lead to
    /// its parts.
    ///
    /// ## How to fix it
    /// Give the element the `id` that the link names, or correct the link. Upper and lower case make
    /// a difference.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><a href="#prices">Prices</a><h2 id="price">Prices</h2></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><a href="#prices">Prices</a><h2 id="prices">Prices</h2></html>
    /// ```
    ///
    /// ## Limits
    /// Links to pages that were not audited are not judged. Nor are those that a script is likely to handle:
    /// links that are buttons or tabs by role, that say what they control or open, and fragments that
    /// look like routes or settings (`#/times`, `#!times`, `#view=map`) or name lines of a source (`#L7-L12`). Directives such as
    /// `:~:text=` are left out of the fragment. Skip links are judged by skip-link-broken. Elements that
    /// scripts add are not seen.
    ///
    /// ## References
    /// - HTML Standard, Scrolling to a fragment
    LINK_FRAGMENT_MISSING {
        id: "link-fragment-missing",
        title: "Links to places that are not there",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    for page in &site.pages {
        let links = page.links.iter();
        let naming = links.filter(|link| link.place != LinkPlace::None);
        let reason = "No page that a link leads to a place of could be read to its end.";
        let outcome = Outcome::for_each_known(naming, reason, |link| judge(site, page, link));
        verdicts.judge(page.url.as_str(), outcome);
    }
}

/// Whether the place that the link names is there; none where nobody can know.
fn judge(site: &Site, page: &PageFacts, link: &LinkFact) -> Option<Verdict> {
    match link.place {
        LinkPlace::None => return None,
        // The page itself was asked, while it was at hand.
        LinkPlace::Found => return Some(Verdict::Pass),
        LinkPlace::Missing | LinkPlace::Elsewhere => {}
    }
    let href = site.urls.href(link.href);
    let (_, fragment) = href.split_once('#')?;
    // What addresses may have in them and browsers leave out.
    let fragment = fragment.trim_end().replace(['\t', '\n', '\r'], "");
    let named = place(&fragment)?;
    let (target, is_there) = if link.place == LinkPlace::Missing {
        (page, false)
    } else {
        // A redirect may name another place.
        let target = site.page_at(link.target)?;
        (target, target.places.may_have(named))
    };
    if !target.places.is_complete() {
        return None;
    }
    if is_there {
        return Some(Verdict::Pass);
    }
    let (message, cause, title) = if target.id == page.id {
        (
            format!("The link leads to “#{named}”; no element of the page has that id."),
            named.to_owned(),
            format!("Links lead to “#{named}”, which is not on their page"),
        )
    } else {
        let url = &target.url;
        (
            format!("The link leads to “#{named}” on {url}; no element there has that id."),
            format!("{url}#{named}"),
            format!("Links lead to “#{named}” on {url}, which is not there"),
        )
    };
    Some(Verdict::Fail(
        link_evidence(site, link)
            .message(message)
            .cause(cause, title),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    /// The page at `/`, and another one.
    fn tallied(page: &str, other: &str) -> Tallied {
        audit(
            &LINK_FRAGMENT_MISSING,
            &format!("=== /\n{page}\n=== /other\n{other}"),
        )
    }

    fn affected(page: &str) -> (u64, u64) {
        let found = tallied(page, "x");
        (found.applicable, found.affected)
    }

    #[test]
    fn places_that_are_there_pass() {
        let page = "<a href=#a>a</a><a href=/#b>b</a><a href=#top>up</a><a href='#c:~:text=x'>c</a><p id=a><a name=b></a><p id=c>";
        assert_eq!(affected(page), (1, 0));
        let found = tallied(
            "<a href=/other#a>x</a><a href='/other#%C3%BC'>x</a><a href=/other#Top>x</a>",
            "<p id=a><a name=ü></a>",
        );
        assert_eq!((found.applicable, found.affected), (1, 0));
    }

    #[test]
    fn places_that_are_missing_fail_each_with_its_cause() {
        let found = tallied(
            "<a href=#a>a</a><a href=#a>again</a><a href=https://example.com/#B>b</a><p id=b>",
            "x",
        );
        assert_eq!((found.affected, found.findings.len()), (1, 2));
    }

    #[test]
    fn places_that_are_missing_on_another_page_name_it() {
        let found = tallied("<a href=/other#a>x</a><a href=/other#b>y</a>", "<p id=b>");
        assert_eq!((found.affected, found.findings.len()), (1, 1));
        let title = &found.findings[0].title;
        assert!(
            title.contains("“#a” on https://example.com/other"),
            "{title}"
        );
    }

    #[test]
    fn pages_that_are_none_are_not_judged() {
        assert_eq!(affected("<a href=/gone#a>x</a>"), (0, 0));
        assert_eq!(affected("<a href=https://other.example/#a>x</a>"), (0, 0));
    }

    #[test]
    fn what_a_script_is_likely_to_handle_is_not_judged() {
        for html in [
            "<a href=#>x</a>",
            "<a href='#/times'>x</a>",
            "<a href='#view=map'>x</a>",
            "<a href=#7-12>x</a>",
            "<a href=#L7-L12>x</a>",
            "<a href=#menu role=button>x</a>",
            "<a href=#menu data-toggle=collapse>x</a>",
            "<a href=#menu aria-controls=m>x</a>",
            "<a href='#:~:text=x'>x</a>",
        ] {
            assert_eq!(affected(html), (0, 0), "{html}");
        }
    }

    #[test]
    fn lines_of_a_source_are_marked_by_scripts() {
        let found = tallied(
            "<a href=/other#525-530>Source</a><a href=/other#L1-L3>Source</a>",
            "<script src=x></script><span id=525>525</span>",
        );
        assert_eq!(found.applicable, 0);
        assert_eq!(affected("<a href=#7>x</a><a href=#12-7>x</a>"), (1, 1));
    }

    #[test]
    fn a_base_makes_another_page_of_it() {
        let found = tallied("<base href=/other><a href=#a>x</a><p id=a>", "<p id=b>");
        assert_eq!(found.affected, 1);
    }

    #[test]
    fn the_query_makes_another_page() {
        let site = "=== /\n<a href=/list?page=2>x</a>\n=== /list?page=2\n<a href=#a>a</a><a href=/list#b>b</a>\n=== /list\n<p id=b>";
        let found = audit(&LINK_FRAGMENT_MISSING, site);
        assert_eq!((found.affected, found.findings.len()), (1, 1));
    }

    #[test]
    fn skip_links_are_another_checks_matter() {
        assert_eq!(affected("<a href=#gone>Skip to content</a>"), (1, 0));
    }

    #[test]
    fn a_page_that_waits_for_its_script_cannot_be_judged() {
        let shell = "<div id=root></div><script src=app.js></script>";
        assert_eq!(affected(&format!("<a href=#a>a</a>{shell}")), (0, 0));
        let found = tallied("<a href=/other#a>x</a>", shell);
        assert_eq!(found.applicable, 0);
    }
}
