//! Links to a fragment lead to an existing element.

use crate::check::{Outcome, Verdict, Verdicts};
use crate::common::links::inlinks::link_evidence;
use crate::declare_check;
use crate::site::{LinkFact, LinkPlace, PageFacts, Site};
use crate::view::fragments::place;

declare_check! {
    /// ## What it checks
    /// Every link to a fragment of a page of the site (`#times`, `/ferries#times`) names an element that
    /// exists, either by its `id` or by the `name` of an `a` element.
    ///
    /// ## Why it matters
    /// Visitors who follow such a link stay where they are or land at the top of a page without an explanation.
    /// A table of contents with broken entries makes a long page hard to use, and search engines cannot link to
    /// its sections.
    ///
    /// ## How to fix it
    /// Add the `id` from the link to the element that it should lead to, or correct the link. Fragments are
    /// case-sensitive.
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
    /// The check skips links to pages that were not audited. It also skips links that a script
    /// probably handles: links with a button or tab role, links that declare what they control or
    /// open, on pages with scripts links with the class of a control (`tab`, `carousel`, `modal`) and
    /// fragments that a script in the page names, and fragments that look like routes or settings (`#/times`, `#!times`, `#view=map`) or
    /// line numbers of source code (`#L7-L12`). It ignores fragment directives such as `:~:text=`.
    /// `skip-link-broken` reports skip links. The check does not see elements that scripts add.
    ///
    /// ## Also known as
    /// - Screaming Frog: URL: Broken Bookmark
    /// - Common name: Broken anchor link
    /// - Common name: Broken jump link
    ///
    /// ## References
    /// - HTML Standard, Scrolling to a fragment
    LINK_FRAGMENT_MISSING {
        id: "link-fragment-missing",
        title: "Broken fragment links",
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
        let with_fragment = links.filter(|link| link.place != LinkPlace::None);
        let reason = "The audit could not read any page with a linked fragment completely.";
        let outcome =
            Outcome::for_each_known(with_fragment, reason, |link| verdict_for(site, page, link));
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// Whether the element that the fragment names exists; `None` if this is unknown.
fn verdict_for(site: &Site, page: &PageFacts, link: &LinkFact) -> Option<Verdict> {
    match link.place {
        LinkPlace::None => return None,
        // Links within the page were resolved when the page was analyzed.
        LinkPlace::Found => return Some(Verdict::Pass),
        LinkPlace::Missing | LinkPlace::Elsewhere => {}
    }
    let href = site.urls.href(link.href);
    let (_, fragment) = href.split_once('#')?;
    // URL parsers remove tabs and line breaks.
    let fragment = fragment.trim_end().replace(['\t', '\n', '\r'], "");
    let named = place(&fragment)?;
    let (target, exists) = if link.place == LinkPlace::Missing {
        (page, false)
    } else {
        // A redirect may set another fragment, so only direct targets are checked.
        let target = site.page_at(link.target)?;
        (target, target.places.may_have(named))
    };
    if !target.places.is_complete() {
        return None;
    }
    if exists {
        return Some(Verdict::Pass);
    }
    let (message, cause, title) = if target.id == page.id {
        (
            format!("The link leads to “#{named}”, but no element of the page has that id."),
            named.to_owned(),
            format!("Links to the missing fragment “#{named}” of the same page"),
        )
    } else {
        let url = &target.url;
        (
            format!(
                "The link leads to “#{named}” on {url}, but no element of that page has that id."
            ),
            format!("{url}#{named}"),
            format!("Links to the missing fragment “#{named}” on {url}"),
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

    /// Audits a page at `/` and another page at `/other`.
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
    fn existing_fragments_pass() {
        let page = "<a href=#a>a</a><a href=/#b>b</a><a href=#top>up</a><a href='#c:~:text=x'>c</a><p id=a><a name=b></a><p id=c>";
        assert_eq!(affected(page), (1, 0));
        let found = tallied(
            "<a href=/other#a>x</a><a href='/other#%C3%BC'>x</a><a href=/other#Top>x</a>",
            "<p id=a><a name=ü></a>",
        );
        assert_eq!((found.applicable, found.affected), (1, 0));
    }

    #[test]
    fn every_missing_fragment_is_one_finding() {
        let found = tallied(
            "<a href=#a>a</a><a href=#a>again</a><a href=https://example.com/#B>b</a><p id=b>",
            "x",
        );
        assert_eq!((found.affected, found.findings.len()), (1, 2));
    }

    #[test]
    fn a_missing_fragment_of_another_page_names_that_page() {
        let found = tallied("<a href=/other#a>x</a><a href=/other#b>y</a>", "<p id=b>");
        assert_eq!((found.affected, found.findings.len()), (1, 1));
        let title = &found.findings[0].title;
        assert!(
            title.contains("“#a” on https://example.com/other"),
            "{title}"
        );
    }

    #[test]
    fn error_pages_and_other_sites_are_not_applicable() {
        assert_eq!(affected("<a href=/gone#a>x</a>"), (0, 0));
        assert_eq!(affected("<a href=https://other.example/#a>x</a>"), (0, 0));
    }

    #[test]
    fn links_that_scripts_probably_handle_are_not_applicable() {
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
    fn controls_of_scripts_are_not_applicable() {
        let script = "<script src=/app.js></script>";
        for html in [
            "<a class='carousel-control-prev' href=#gallery>x</a>",
            "<a class=btn-open-modal href=#dialog>x</a>",
            "<ul class='nav nav-tabs'><li><a href=#one>x</a></ul>",
            "<div role=tablist><span><a href=#one>x</a></span></div>",
            "<a href=#0>x</a>",
            "<a href=#more-items>x</a><script>on('click', '[href=\"#more-items\"]', f)</script>",
        ] {
            let found = tallied(&format!("{html}{script}"), "x");
            assert_eq!((found.applicable, found.affected), (0, 0), "{html}");
        }
    }

    #[test]
    fn links_without_the_signs_of_a_control_fail() {
        let script = "<script src=/app.js></script>";
        for html in [
            "<a class='nav-link js-scroll-trigger' href=#top-of-page>x</a>",
            "<a class=btn href=#more-items>x</a><script>more_items()</script>",
            "<a class=table href=#one>x</a>",
            "<div class=tabs><div><div><div><a href=#one>x</a></div></div></div></div>",
        ] {
            assert_eq!(affected(&format!("{html}{script}")), (1, 1), "{html}");
        }
        // Nothing handles a control on a page without scripts.
        assert_eq!(affected("<a class=modal-open href=#dialog>x</a>"), (1, 1));
    }

    #[test]
    fn line_ranges_of_source_code_are_not_applicable() {
        let found = tallied(
            "<a href=/other#525-530>Source</a><a href=/other#L1-L3>Source</a>",
            "<script src=x></script><span id=525>525</span>",
        );
        assert_eq!(found.applicable, 0);
        assert_eq!(affected("<a href=#7>x</a><a href=#12-7>x</a>"), (1, 1));
    }

    #[test]
    fn a_base_element_changes_the_target_page() {
        let found = tallied("<base href=/other><a href=#a>x</a><p id=a>", "<p id=b>");
        assert_eq!(found.affected, 1);
    }

    #[test]
    fn a_query_is_another_page() {
        let site = "=== /\n<a href=/list?page=2>x</a>\n=== /list?page=2\n<a href=#a>a</a><a href=/list#b>b</a>\n=== /list\n<p id=b>";
        let found = audit(&LINK_FRAGMENT_MISSING, site);
        assert_eq!((found.affected, found.findings.len()), (1, 1));
    }

    #[test]
    fn skip_links_pass_here() {
        assert_eq!(affected("<a href=#gone>Skip to content</a>"), (1, 0));
    }

    #[test]
    fn a_script_rendered_page_is_not_applicable() {
        let shell = "<div id=root></div><script src=app.js></script>";
        assert_eq!(affected(&format!("<a href=#a>a</a>{shell}")), (0, 0));
        let found = tallied("<a href=/other#a>x</a>", shell);
        assert_eq!(found.applicable, 0);
    }
}
