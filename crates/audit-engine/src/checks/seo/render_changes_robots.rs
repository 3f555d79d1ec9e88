//! Scripts do not change whether search engines may index a page.

use domain::Severity;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::http::soft_404;
use crate::common::rendering::directives::directives;
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::wording::quoted;
use crate::declare_check;
use crate::page::{DirectiveSource, RobotsDirectives};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The robots directives of the response and those of the page after its scripts agree on `noindex` and
    /// `nofollow`, for all crawlers and for Googlebot. `none` means both.
    ///
    /// ## Why it matters
    /// Google may skip the rendering of a page whose response has `noindex`. A script that removes the directive then
    /// never runs there, and the page stays out of search results. Crawlers that run no scripts, as most of AI services
    /// and social networks do, see only what the response says: for them a directive that a script adds does not exist.
    ///
    /// ## How to fix it
    /// Send the directive that should apply in the HTML of the response, and remove the script that changes it. To keep
    /// a page out of search results, send `noindex` in the response; otherwise send no `noindex` at any time.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><meta name="robots" content="noindex"><h1>Ferries</h1><script>document.querySelector("meta[name=robots]").content = "index, follow"</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><meta name="robots" content="index, follow"><h1>Ferries</h1><script>document.documentElement.className = "ready"</script></html>
    /// ```
    ///
    /// ## Limits
    /// The check compares what directives mean and not how they are written: letter case, order and directives that
    /// repeat the default make no difference. It accepts a `noindex` that a script adds to a page whose title or heading
    /// announces an error, because Google recommends that for applications without error statuses. It ignores
    /// directives for other crawlers.
    ///
    /// ## Also known as
    /// - Screaming Frog: JavaScript: Noindex Only in Original HTML
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - Google Search Central, Robots meta tag, data-nosnippet, and X-Robots-Tag specifications
    RENDER_CHANGES_ROBOTS {
        id: "render-changes-robots",
        title: "Scripts change the robots directives",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    compare(page, agree)
}

fn agree(forms: Forms<'_>) -> Outcome {
    let (served, shown) = (directives(forms.served), directives(forms.shown));
    if served.iter().chain(shown.iter()).next().is_none() {
        return Outcome::NotApplicable;
    }
    let noindex = (served.noindex().is_some(), shown.noindex().is_some());
    let nofollow = (served.nofollow(), shown.nofollow());
    let texts = [&served, &shown].map(written);
    let mut failures = Failures::default();
    match noindex {
        (true, false) => failures.push(finding(
            forms.served,
            &texts,
            "Google may not render a page with noindex, and then never sees the change.",
            ("noindex-removed", "Scripts remove noindex"),
        )),
        (false, true) if !soft_404::is_suspect(forms.shown) => failures.push(finding(
            forms.shown,
            &texts,
            "Crawlers that run no scripts index the page.",
            ("noindex-added", "Scripts add noindex"),
        )),
        _ => {}
    }
    // Of a page that is not indexed, links are not followed for long either.
    if failures.is_none() && !noindex.0 && !noindex.1 {
        match nofollow {
            (true, false) => failures.push(finding(
                forms.served,
                &texts,
                "Crawlers that read the response do not follow the links of the page.",
                ("nofollow-removed", "Scripts remove nofollow"),
            )),
            (false, true) => failures.push(finding(
                forms.shown,
                &texts,
                "Crawlers have read the links of the response by then.",
                ("nofollow-added", "Scripts add nofollow"),
            )),
            _ => {}
        }
    }
    let outcome = Outcome::from_failures(failures);
    match noindex {
        // The page is lost.
        (true, false) => outcome,
        _ => outcome.with_severity(Severity::Moderate),
    }
}

/// The directives as a reader finds them, with what they are for where that is not all crawlers.
fn written(directives: &RobotsDirectives) -> Option<String> {
    let tokens = directives.iter().map(|directive| {
        let place = match directive.source {
            DirectiveSource::Meta => "",
            DirectiveSource::Header => " (X-Robots-Tag)",
        };
        let agent = match directive.agent.as_str() {
            "robots" => String::new(),
            agent => format!("{agent}: "),
        };
        format!("{agent}{}{place}", directive.token)
    });
    let tokens: Vec<String> = tokens.collect();
    (!tokens.is_empty()).then(|| quoted(&tokens.join(", ")))
}

/// The finding at the element that restricts the page, which is in this form of it.
fn finding(
    form: &Page,
    [served, shown]: &[Option<String>; 2],
    effect: &str,
    (key, title): (&str, &str),
) -> Evidence {
    let restricts = |content: &str| {
        let mut tokens = content.split(',').map(|token| token.trim().to_lowercase());
        tokens.any(|token| matches!(token.as_str(), "noindex" | "nofollow" | "none"))
    };
    let element = ["robots", "googlebot"]
        .into_iter()
        .flat_map(|name| form.metas(name))
        .find(|meta| meta.attr("content").is_some_and(restricts));
    let before = match served {
        Some(text) => format!("The response has the robots directives {text}"),
        None => "The response has no robots directives".to_owned(),
    };
    let after = match shown {
        Some(text) => format!("after scripts they are {text}"),
        None => "after scripts there are none".to_owned(),
    };
    element
        .map_or_else(Evidence::here, Evidence::node)
        .message(format!("{before}; {after}. {effect}"))
        .cause(key, title)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    const SCRIPT: &str = "<title>Ferries</title><script>x()</script>";

    fn outcome(served: &str, after: &str) -> Outcome {
        let (served, after) = (format!("{SCRIPT}{served}"), format!("{SCRIPT}{after}"));
        outcome_shown(&RENDER_CHANGES_ROBOTS, &served, &after)
    }

    #[test]
    fn a_noindex_that_a_script_removes_fails_with_both_values() {
        let message = message_shown(
            &RENDER_CHANGES_ROBOTS,
            &format!("{SCRIPT}<meta name=robots content=noindex>"),
            &format!("{SCRIPT}<meta name=robots content='index, follow'>"),
        );
        assert_eq!(
            message,
            "The response has the robots directives \"noindex\"; after scripts they are \"index, follow\". Google may not render a page with noindex, and then never sees the change."
        );
    }

    #[rstest]
    #[case::removed("<meta name=robots content=none>", "", "noindex-removed")]
    #[case::added("", "<meta name=googlebot content=noindex>", "noindex-added")]
    #[case::follow("<meta name=robots content=nofollow>", "", "nofollow-removed")]
    #[case::nofollow("", "<meta name=robots content='index,nofollow'>", "nofollow-added")]
    fn each_change_has_a_cause(#[case] served: &str, #[case] after: &str, #[case] key: &str) {
        let Outcome::Failed(failures) = outcome(served, after) else {
            panic!("{served} {after}");
        };
        let keys: Vec<_> = failures.iter().map(Evidence::cause_key).collect();
        assert_eq!(keys, [key]);
    }

    #[rstest]
    #[case::case(
        "<meta name=robots content=NOINDEX>",
        "<meta name=ROBOTS content=noindex>"
    )]
    #[case::order(
        "<meta name=robots content='noindex,nofollow'>",
        "<meta name=robots content=none>"
    )]
    #[case::defaults(
        "<meta name=robots content='index, follow'>",
        "<meta name=robots content=all>"
    )]
    #[case::removed_default("<meta name=robots content='index, follow'>", "")]
    #[case::snippets("", "<meta name=robots content='max-image-preview:large'>")]
    #[case::other_crawler(
        "<meta name=robots content=all>",
        "<meta name=robots content=all><meta name=bingbot content=noindex>"
    )]
    #[case::links_of_an_unindexed_page(
        "<meta name=robots content='noindex,nofollow'>",
        "<meta name=robots content=noindex>"
    )]
    fn directives_with_the_same_meaning_pass(#[case] served: &str, #[case] after: &str) {
        assert_eq!(outcome(served, after), Outcome::Passed);
    }

    #[test]
    fn a_noindex_on_an_error_page_passes() {
        let after =
            "<title>Page not found</title><meta name=robots content=noindex><script>x()</script>";
        let outcome = outcome_shown(&RENDER_CHANGES_ROBOTS, SCRIPT, after);
        assert_eq!(outcome, Outcome::Passed);
    }

    #[test]
    fn a_noindex_of_the_header_holds_in_both_forms() {
        let builder = Page::builder().header("X-Robots-Tag", "noindex");
        let page = shown(
            builder,
            SCRIPT,
            &format!("{SCRIPT}<meta name=robots content=noindex>"),
        );
        assert_eq!(outcome_of(&RENDER_CHANGES_ROBOTS, &page), Outcome::Passed);
    }

    #[test]
    fn pages_without_directives_are_not_applicable() {
        assert_eq!(outcome("", ""), Outcome::NotApplicable);
    }
}
