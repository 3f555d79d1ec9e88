//! Title, description and main heading do not depend on scripts.

use std::collections::HashSet;

use crate::check::{Evidence, Outcome, Verdict};
use crate::common::links::refresh::is_redirect_stub;
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::overlay::Overlays;
use crate::common::rendering::wording::{quoted, says_the_same, words};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// If a page has a title, a meta description or an H1 heading after its scripts, the response has one as well, and
    /// both say the same.
    ///
    /// ## Why it matters
    /// Google uses the text of the rendered page, which may be days after it has read the response. Most crawlers of AI
    /// services, the previews of social networks and messengers, and some search engines run no scripts: they show the
    /// text of the response, such as "Loading…", for every page of the site.
    ///
    /// ## How to fix it
    /// Render the title, the description and the H1 of each page on the server or when the site is built, with the same
    /// text that the script sets.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Loading…</title></head><body><h1>Ferries</h1><script>document.title = "Ferry times – Island Line"</script></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title></head><body><h1>Ferries</h1><script>document.title = "(2) Ferry times – Island Line"</script></body></html>
    /// ```
    ///
    /// ## Limits
    /// Texts say the same if one of five words differs, or one word of a shorter text: experiments and counters change
    /// so much. Letter case, punctuation and words without letters make no difference. An H1 differs only if no word of
    /// it is in the response's H1. The check ignores headings of dialogs and of cookie banners, and what a script
    /// removes: `title-missing`, `description-missing` and `h1-missing` report what is missing after scripts.
    ///
    /// ## Also known as
    /// - Screaming Frog: JavaScript: Page Title Only in Rendered HTML
    /// - Screaming Frog: JavaScript: Page Title Updated by JavaScript
    /// - Screaming Frog: JavaScript: H1 Only in Rendered HTML
    ///
    /// ## References
    /// - Google Search Central, Understand the JavaScript SEO basics
    /// - Google Search Central, Influencing your title links in search results
    RENDER_CHANGES_TITLE {
        id: "render-changes-title",
        title: "Title, description or H1 depends on scripts",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Main headings of a page that are compared.
const MAX_HEADINGS: usize = 50;

/// Bytes of a heading that are compared.
const MAX_HEADING_BYTES: usize = 2_000;

fn evaluate(page: &Page) -> Outcome {
    if is_redirect_stub(page.as_served()) {
        return Outcome::NotApplicable;
    }
    compare(page, |forms| {
        let parts = [title(forms), description(forms), heading(forms)];
        Outcome::for_each(parts.into_iter().flatten(), |verdict| verdict)
    })
}

/// What a part of the page is called, and the text that each form has of it.
struct Part<'a> {
    key: &'static str,
    name: &'static str,
    served: Option<&'a str>,
    shown: &'a str,
    element: Option<ElementRef<'a>>,
}

impl Part<'_> {
    fn verdict(&self, is_same: impl FnOnce(&str, &str) -> bool) -> Verdict {
        let (name, after) = (self.name, quoted(self.shown));
        let message = match self.served {
            Some(served) if is_same(served, self.shown) => return Verdict::Pass,
            Some(served) => format!(
                "The response has the {name} {}; after scripts it is {after}.",
                quoted(served)
            ),
            None => format!("The response has no {name}; after scripts it is {after}."),
        };
        let evidence = self.element.map_or_else(Evidence::here, Evidence::node);
        let headline = format!("The {name} depends on scripts");
        Verdict::Fail(evidence.message(message).cause(self.key, headline))
    }
}

fn title(forms: Forms<'_>) -> Option<Verdict> {
    let part = Part {
        key: "title",
        name: "title",
        served: forms.served.title(),
        shown: forms.shown.title()?,
        element: forms.shown.titles().next(),
    };
    Some(part.verdict(says_the_same))
}

fn description(forms: Forms<'_>) -> Option<Verdict> {
    let mut metas = forms.shown.metas("description");
    let part = Part {
        key: "description",
        name: "meta description",
        served: forms.served.meta("description"),
        shown: forms.shown.meta("description")?,
        element: metas.find(|meta| {
            meta.attr("content")
                .is_some_and(|text| !text.trim().is_empty())
        }),
    };
    Some(part.verdict(says_the_same))
}

fn heading(forms: Forms<'_>) -> Option<Verdict> {
    let (served, shown) = (headings(forms.served), headings(forms.shown));
    let (element, first) = shown.first()?;
    let words_of = |headings: &[(ElementRef<'_>, String)]| -> HashSet<String> {
        headings.iter().flat_map(|(_, text)| words(text)).collect()
    };
    let (before, after) = (words_of(&served), words_of(&shown));
    let shares_a_word = !before.is_disjoint(&after) || (before.is_empty() && after.is_empty());
    let part = Part {
        key: "h1",
        name: "H1 heading",
        served: served.first().map(|(_, text)| text.as_str()),
        shown: first,
        element: Some(*element),
    };
    Some(part.verdict(|_, _| shares_a_word))
}

/// The main headings of the page with their texts, or the names of images in them; at most [`MAX_HEADINGS`].
fn headings(page: &Page) -> Vec<(ElementRef<'_>, String)> {
    let by_role = page
        .elements_with(Traits::ROLE)
        .filter(|element| element.attr_is("role", "heading") && element.attr_is("aria-level", "1"));
    let overlays = Overlays::new(page);
    page.html("h1")
        .chain(by_role)
        .take(MAX_HEADINGS)
        .filter(|heading| !overlays.have(*heading))
        .filter_map(|heading| Some((heading, name(heading)?)))
        .collect()
}

fn name(heading: ElementRef<'_>) -> Option<String> {
    let text = heading.text_start(MAX_HEADING_BYTES);
    if !text.is_empty() {
        return Some(text);
    }
    let named = |element: ElementRef<'_>| {
        let names = ["aria-label", "alt"].into_iter();
        let mut names = names.filter_map(|name| element.attr(name));
        names
            .find(|name| !name.trim().is_empty())
            .map(str::to_owned)
    };
    named(heading).or_else(|| heading.descendants().find_map(named))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    const SCRIPT: &str = "<script>x()</script>";

    fn outcome(served: &str, after: &str) -> Outcome {
        let (served, after) = (format!("{SCRIPT}{served}"), format!("{SCRIPT}{after}"));
        outcome_shown(&RENDER_CHANGES_TITLE, &served, &after)
    }

    #[rstest]
    #[case::title(
        "<title>Loading…</title>",
        "<title>Ferries</title>",
        "The response has the title \"Loading…\"; after scripts it is \"Ferries\"."
    )]
    #[case::no_title(
        "",
        "<title>Ferries</title>",
        "The response has no title; after scripts it is \"Ferries\"."
    )]
    #[case::description(
        "",
        "<meta name=description content='All ferries.'>",
        "The response has no meta description; after scripts it is \"All ferries.\"."
    )]
    #[case::other_description(
        "<meta name=description content='An app.'>",
        "<meta name=description content='All ferries.'>",
        "The response has the meta description \"An app.\"; after scripts it is \"All ferries.\"."
    )]
    #[case::heading(
        "<p>x",
        "<p>x<h1>Ferries</h1>",
        "The response has no H1 heading; after scripts it is \"Ferries\"."
    )]
    #[case::empty_heading(
        "<h1></h1>",
        "<h1>Ferries</h1>",
        "The response has no H1 heading; after scripts it is \"Ferries\"."
    )]
    #[case::other_heading(
        "<h1>Please wait</h1>",
        "<h1>Ferries</h1>",
        "The response has the H1 heading \"Please wait\"; after scripts it is \"Ferries\"."
    )]
    #[case::heading_role(
        "",
        "<div role=heading aria-level=1>Ferries</div>",
        "The response has no H1 heading; after scripts it is \"Ferries\"."
    )]
    fn each_difference_fails_with_both_values(
        #[case] served: &str,
        #[case] after: &str,
        #[case] expected: &str,
    ) {
        let (served, after) = (format!("{SCRIPT}{served}"), format!("{SCRIPT}{after}"));
        assert_eq!(
            message_shown(&RENDER_CHANGES_TITLE, &served, &after),
            expected
        );
    }

    #[rstest]
    #[case::counter("<title>Inbox</title>", "<title>(3) Inbox</title>")]
    #[case::entities("<title>Fish &amp; chips</title>", "<title>Fish & chips</title>")]
    #[case::white_space("<title>\n Ferry  times\n</title>", "<title>Ferry times</title>")]
    #[case::experiment("<h1>Book your ferry now</h1>", "<h1>Reserve your ferry now</h1>")]
    #[case::typed("<h1>We build apps</h1>", "<h1>We build web</h1>")]
    #[case::second_heading("<h1>Ferries</h1>", "<h1>Hello</h1><h1>Ferries</h1>")]
    #[case::logo("<h1><img alt='Island Line'></h1>", "<h1>Island Line</h1>")]
    #[case::time(
        "<meta name=description content='Departures at 12:45'>",
        "<meta name=description content='Departures at 12:46'>"
    )]
    #[case::removed("<title>x</title><h1>Ferries</h1>", "<title>x</title>")]
    fn texts_that_say_the_same_pass(#[case] served: &str, #[case] after: &str) {
        assert_eq!(outcome(served, after), Outcome::Passed);
    }

    #[test]
    fn headings_of_a_cookie_banner_are_ignored() {
        let after = "<title>x</title><div id=cookie-notice><h2>We</h2></div><dialog><h1>We use cookies</h1></dialog>";
        assert_eq!(outcome("<title>x</title>", after), Outcome::Passed);
    }

    #[test]
    fn all_three_parts_are_reported_alone() {
        let after = "<title>Ferries</title><meta name=description content=All><h1>Ferries</h1>";
        let Outcome::Failed(failures) = outcome("", after) else {
            panic!("it must fail");
        };
        let causes: Vec<_> = failures.iter().map(Evidence::cause_key).collect();
        assert_eq!(causes, ["title", "description", "h1"]);
    }

    #[test]
    fn headings_are_compared_up_to_a_limit() {
        let outcome_after = |count: usize| {
            let before = "<h1>a</h1>".repeat(count);
            outcome("<h1>b</h1>", &format!("{before}<h1>b</h1>"))
        };
        assert_eq!(outcome_after(MAX_HEADINGS - 1), Outcome::Passed);
        assert!(matches!(outcome_after(MAX_HEADINGS), Outcome::Failed(_)));
    }

    #[test]
    fn redirects_and_pages_with_none_of_them_are_not_applicable() {
        assert_eq!(outcome("", "<p>x"), Outcome::NotApplicable);
        let refresh = "<meta http-equiv=refresh content='0;url=/b'>";
        assert_eq!(outcome(refresh, "<title>x</title>"), Outcome::NotApplicable);
        let page = shown(Page::builder(), "<p>x", "<title>x</title>");
        assert_eq!(
            outcome_of(&RENDER_CHANGES_TITLE, &page),
            Outcome::NotApplicable
        );
    }
}
