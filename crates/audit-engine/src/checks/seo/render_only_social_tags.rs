//! The social tags of a page are in its response.

use crate::check::{Evidence, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::common::rendering::wording::quoted;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The Open Graph and Twitter card properties that build the preview of a shared page (`og:title`, `og:description`,
    /// `og:image`, `og:type`, `og:url`, `twitter:card`) are in the response if the page has them after its scripts.
    ///
    /// ## Why it matters
    /// The crawlers of social networks and messengers run no scripts. Properties that a script writes do not exist for
    /// them: a shared link has no picture, and a title that the network guesses.
    ///
    /// ## How to fix it
    /// Write the properties into the head of the HTML on the server or when the site is built. A route of an application
    /// can get them from the function that renders the document.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferries</title><script>document.head.insertAdjacentHTML("beforeend", `<meta property="og:title" content="Ferry times">`)</script></head><body><h1>Ferries</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferries</title><meta property="og:title" content="Ferry times"><script>document.documentElement.className = "ready"</script></head><body><h1>Ferries</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not compare the values. `og-incomplete` and `twitter-card-missing` judge the response alone; if
    /// they fail as well, one of them costs.
    ///
    /// ## Also known as
    /// - Common name: Client-side rendered Open Graph tags
    ///
    /// ## References
    /// - The Open Graph protocol, basic metadata
    RENDER_ONLY_SOCIAL_TAGS {
        id: "render-only-social-tags",
        title: "Social tags that only exist after scripts",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const PROPERTIES: [&str; 6] = [
    "og:title",
    "og:description",
    "og:image",
    "og:type",
    "og:url",
    "twitter:card",
];

fn evaluate(page: &Page) -> Outcome {
    compare(page, are_served)
}

fn are_served(forms: Forms<'_>) -> Outcome {
    let shown: Vec<_> = PROPERTIES
        .into_iter()
        .filter_map(|name| Some((name, find(forms.shown, name)?)))
        .collect();
    if shown.is_empty() {
        return Outcome::NotApplicable;
    }
    let mut missing = shown.into_iter();
    let mut missing = missing
        .by_ref()
        .filter(|(name, _)| find(forms.served, name).is_none());
    let Some((first, (meta, value))) = missing.next() else {
        return Outcome::Passed;
    };
    let others: Vec<&str> = missing.map(|(name, _)| name).collect();
    let and_others = if others.is_empty() {
        String::new()
    } else {
        format!(" The same holds for {}.", others.join(", "))
    };
    Outcome::failed([Evidence::node(meta).message(format!(
        "The response has no {first}; after scripts it is {}.{and_others}",
        quoted(value)
    ))])
}

/// The first element with this property and its value. Consumers read properties in the `name` attribute as well, and
/// the parts of `og:image`.
fn find<'a>(page: &'a Page, property: &str) -> Option<(ElementRef<'a>, &'a str)> {
    let is_it = |written: &str| {
        let written = written.to_ascii_lowercase();
        let mut names = written.split_ascii_whitespace();
        names.any(|name| {
            let rest = name.strip_prefix(property);
            rest.is_some_and(|rest| matches!(rest, "" | ":url" | ":secure_url"))
        })
    };
    let mut metas = page.html("meta").filter(|meta| {
        let names = ["property", "name"].into_iter();
        names.filter_map(|name| meta.attr(name)).any(is_it)
    });
    metas.find_map(|meta| {
        let value = meta.attr("content")?.trim();
        (!value.is_empty()).then_some((meta, value))
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    const SCRIPT: &str = "<title>x</title><script>x()</script>";

    fn outcome(served: &str, after: &str) -> Outcome {
        let (served, after) = (format!("{SCRIPT}{served}"), format!("{SCRIPT}{after}"));
        outcome_shown(&RENDER_ONLY_SOCIAL_TAGS, &served, &after)
    }

    #[test]
    fn the_message_quotes_the_value_and_names_the_others() {
        let after = format!(
            "{SCRIPT}<meta property=og:title content='Ferry times'><meta property=og:image content=/a.png>"
        );
        let message = message_shown(&RENDER_ONLY_SOCIAL_TAGS, SCRIPT, &after);
        assert_eq!(
            message,
            "The response has no og:title; after scripts it is \"Ferry times\". The same holds for og:image."
        );
    }

    #[test]
    fn an_empty_property_of_the_response_fails() {
        let (served, after) = (
            "<meta property=og:type content=''>",
            "<meta property=og:type content=website>",
        );
        assert!(matches!(outcome(served, after), Outcome::Failed(_)));
    }

    #[rstest]
    #[case::same(
        "<meta property=og:title content=a>",
        "<meta property=og:title content=a>"
    )]
    #[case::other_value(
        "<meta property=og:title content=a>",
        "<meta property=og:title content=b>"
    )]
    #[case::name("<meta name=og:title content=a>", "<meta property=og:title content=a>")]
    #[case::case(
        "<meta property=OG:Title content=a>",
        "<meta property=og:title content=a>"
    )]
    #[case::part(
        "<meta property=og:image:secure_url content=a>",
        "<meta property=og:image content=a>"
    )]
    fn properties_of_the_response_pass(#[case] served: &str, #[case] after: &str) {
        assert_eq!(outcome(served, after), Outcome::Passed);
    }

    #[test]
    fn pages_without_these_properties_or_scripts_are_not_applicable() {
        assert_eq!(
            outcome("", "<meta property=og:locale content=en>"),
            Outcome::NotApplicable
        );
        assert_eq!(
            outcome("<meta property=og:title content=a>", ""),
            Outcome::NotApplicable
        );
        let page = shown(
            Page::builder(),
            "<p>x",
            "<meta property=og:title content=a>",
        );
        assert_eq!(
            outcome_of(&RENDER_ONLY_SOCIAL_TAGS, &page),
            Outcome::NotApplicable
        );
    }
}
