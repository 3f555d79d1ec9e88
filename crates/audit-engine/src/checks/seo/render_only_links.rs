//! The internal links of a page are in its response.

use crate::check::{Evidence, Outcome};
use crate::common::links::refresh::is_redirect_stub;
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::new_links::NewLinks;
use crate::declare_check;
use crate::view::Page;
use crate::view::script_shell::MANY_LINKS;

declare_check! {
    /// ## What it checks
    /// Of the internal links that a page has after its scripts, less than 20 % are missing in the response. Each target
    /// counts once. Fewer than three missing links pass.
    ///
    /// ## Why it matters
    /// Google follows the links of the response at once, and those that scripts add only after it has rendered the page.
    /// Crawlers that run no scripts, as most of AI services do, never find pages that only such links lead to.
    ///
    /// ## How to fix it
    /// Send the navigation and the lists of pages as `a` elements with `href` in the HTML of the response, rendered on
    /// the server or when the site is built. Scripts may then replace them.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><nav id="menu"></nav><h1>Ferries</h1><script>document.getElementById("menu").innerHTML = ["times", "fares", "ports"].map(name => `<a href="/${name}">${name}</a>`).join(" ")</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><nav id="menu"><a href="/times">times</a> <a href="/fares">fares</a> <a href="/ports">ports</a></nav><h1>Ferries</h1><script>document.getElementById("menu").className = "ready"</script></html>
    /// ```
    ///
    /// ## Limits
    /// Variants of a URL count as one, such as those with and without a slash at the end or with added parameters. Links
    /// in `noscript` are in the response. The check ignores links of dialogs and cookie banners, and routes in fragments
    /// (`#/times`), which `spa-hash-routes` reports.
    ///
    /// ## Also known as
    /// - Screaming Frog: JavaScript: Contains JavaScript Links
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - Google Search Central, Link best practices for Google
    RENDER_ONLY_LINKS {
        id: "render-only-links",
        title: "Internal links that only exist after scripts",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Fewer links than this are those of a widget.
const FEWEST: usize = 3;

/// Targets that the message names.
const EXAMPLES: usize = 3;

fn evaluate(page: &Page) -> Outcome {
    if is_redirect_stub(page.as_served()) {
        return Outcome::NotApplicable;
    }
    compare(page, are_served)
}

fn are_served(forms: Forms<'_>) -> Outcome {
    let links = NewLinks::new(forms);
    if links.all == 0 {
        return Outcome::NotApplicable;
    }
    let count = links.new.len();
    let Some((first, _)) = links.new.first() else {
        return Outcome::Passed;
    };
    if count < FEWEST || count * 100 < links.all * MANY_LINKS {
        return Outcome::Passed;
    }
    let element = forms.shown.element(first.node);
    let examples = links.new.iter().take(EXAMPLES);
    let examples: Vec<&str> = examples.map(|(_, url)| url.path()).collect();
    let evidence = element.map_or_else(Evidence::here, Evidence::node);
    Outcome::failed([evidence.message(format!(
        "The response has {} of the {} internal links that the page has after scripts; {count} ({} %) only exist then, such as {}. Expected less than {MANY_LINKS} %.",
        links.all - count,
        links.all,
        count * 100 / links.all,
        examples.join(", ")
    ))])
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    /// A document with links to these paths.
    fn page(paths: &[&str]) -> String {
        let links = paths.iter().map(|path| format!("<a href='{path}'>x</a>"));
        format!(
            "<title>x</title><script>x()</script>{}",
            links.collect::<String>()
        )
    }

    fn outcome(served: &[&str], after: &[&str]) -> Outcome {
        outcome_shown(&RENDER_ONLY_LINKS, &page(served), &page(after))
    }

    #[test]
    fn the_message_has_both_numbers_and_examples() {
        let message = message_shown(
            &RENDER_ONLY_LINKS,
            &page(&["/a"]),
            &page(&["/a", "/b", "/c", "/d", "/e"]),
        );
        assert_eq!(
            message,
            "The response has 1 of the 5 internal links that the page has after scripts; 4 (80 %) only exist then, such as /b, /c, /d. Expected less than 20 %."
        );
    }

    #[test]
    fn a_fifth_of_the_links_is_the_limit() {
        let paths: Vec<String> = (0..16).map(|n| format!("/{n}")).collect();
        let all: Vec<&str> = paths.iter().map(String::as_str).collect();
        assert!(matches!(
            outcome(&all[3..15], &all[..15]),
            Outcome::Failed(_)
        ));
        assert_eq!(outcome(&all[3..16], &all), Outcome::Passed);
        assert_eq!(outcome(&[], &["/a", "/b"]), Outcome::Passed);
    }

    #[rstest]
    #[case::slash(&["/a", "/b", "/c"], &["/a/", "/b/", "/c/"])]
    #[case::absolute(&["/a", "/b", "/c"], &["https://www.example.com/a", "http://example.com/b", "/c"])]
    #[case::parameters(&["/a", "/b", "/c"], &["/a?from=home", "/b?_gl=1", "/c?x"])]
    #[case::lost_parameters(&["/a?s=1", "/b?s=1", "/c?s=1"], &["/a", "/b", "/c"])]
    #[case::fragments(&["/a"], &["/a", "/a#b", "#c", "/#d", "/?e"])]
    #[case::external(&["/a"], &["/a", "https://a.example/", "https://b.example/", "https://c.example/"])]
    #[case::removed(&["/a", "/b", "/c"], &["/a"])]
    fn the_same_targets_pass(#[case] served: &[&str], #[case] after: &[&str]) {
        assert_eq!(outcome(served, after), Outcome::Passed);
    }

    #[test]
    fn links_in_noscript_and_of_a_cookie_banner_pass() {
        let links = page(&["/b", "/c", "/d"]);
        let served = format!("{}<noscript>{links}</noscript>", page(&["/a"]));
        let after = page(&["/a", "/b", "/c", "/d"]);
        assert_eq!(
            outcome_shown(&RENDER_ONLY_LINKS, &served, &after),
            Outcome::Passed
        );
        let after = format!("{}<div id=cookie-notice>{links}</div>", page(&["/a"]));
        assert_eq!(
            outcome_shown(&RENDER_ONLY_LINKS, &page(&["/a"]), &after),
            Outcome::Passed
        );
    }

    #[test]
    fn queries_that_select_a_page_are_compared() {
        let served = ["/i?p=1"];
        let after = ["/i?p=1", "/i?p=2", "/i?p=3", "/i?p=4"];
        assert!(matches!(outcome(&served, &after), Outcome::Failed(_)));
    }

    #[test]
    fn pages_without_links_or_scripts_are_not_applicable() {
        assert_eq!(outcome(&["/a"], &[]), Outcome::NotApplicable);
        let page = shown(
            Page::builder(),
            "<p>x",
            "<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>",
        );
        assert_eq!(
            outcome_of(&RENDER_ONLY_LINKS, &page),
            Outcome::NotApplicable
        );
    }
}
