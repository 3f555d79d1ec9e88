//! Pages with Open Graph or Twitter tags have a Twitter (X) card.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A page with Open Graph or Twitter properties has a `twitter:card`, or the three Open Graph properties
    /// that X uses as a fallback: `og:type`, `og:title` and `og:description`.
    ///
    /// ## Why it matters
    /// X shows a link to the page as a bare URL instead of a card with title, text and image. Other networks
    /// read the same properties.
    ///
    /// ## How to fix it
    /// Say how X should show links to the page: add `<meta name="twitter:card" content="summary_large_image">` to the
    /// head, or `summary` for a small square image. X then takes title, text and image from Open Graph.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><meta name="twitter:site" content="@islandline"><meta name="twitter:title" content="Ferry times"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><meta name="twitter:card" content="summary"><meta name="twitter:site" content="@islandline"><meta name="twitter:title" content="Ferry times"></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not apply to a page without any such property: many sites do not need them. If
    /// `og:title` or `og:type` is missing among Open Graph properties, `og-incomplete` reports it instead.
    /// Properties in the `name` attribute count as in `property`, because consumers read both. In rendered
    /// mode, too, the check judges the response, because the crawlers of social networks run no scripts.
    ///
    /// ## Also known as
    /// - Common name: `twitter:card` missing
    ///
    /// ## References
    /// - X Developer Platform, Cards markup: Open Graph as a fallback for summary cards
    /// - The Open Graph protocol, basic metadata
    TWITTER_CARD_MISSING {
        id: "twitter-card-missing",
        title: "Missing Twitter (X) card",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Small,
        needs: [Dom, Indexable, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The social properties of the page.
#[derive(Default)]
struct Found {
    card: bool,
    twitter: bool,
    og: bool,
    og_type: bool,
    og_title: bool,
    og_description: bool,
}

fn evaluate(page: &Page) -> Outcome {
    let mut found = Found::default();
    for meta in page.html("meta") {
        let has_content = meta
            .attr("content")
            .is_some_and(|content| !content.trim().is_empty());
        for name in ["name", "property"]
            .iter()
            .filter_map(|name| meta.attr(name))
        {
            if has_content {
                name.split_ascii_whitespace()
                    .for_each(|name| found.record(name));
            }
        }
    }
    found.outcome()
}

impl Found {
    fn record(&mut self, name: &str) {
        let has_prefix = |prefix: &str| {
            name.get(..prefix.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        self.twitter |= has_prefix("twitter:");
        self.og |= has_prefix("og:");
        self.card |= name.eq_ignore_ascii_case("twitter:card");
        self.og_type |= name.eq_ignore_ascii_case("og:type");
        self.og_title |= name.eq_ignore_ascii_case("og:title");
        self.og_description |= name.eq_ignore_ascii_case("og:description");
    }

    fn outcome(&self) -> Outcome {
        if self.card {
            return Outcome::Passed;
        }
        match (self.twitter, self.og) {
            (false, false) => Outcome::NotApplicable,
            // og-incomplete reports the missing properties.
            (_, true) if !self.og_type || !self.og_title => Outcome::NotApplicable,
            (_, true) => Outcome::pass_if(self.og_description, || {
                Evidence::here().message(
                    "The page has neither `twitter:card` nor `og:description`; a card requires one of them.",
                )
            }),
            (true, false) => Outcome::failed(vec![Evidence::here().message(
                "The page has `twitter:` properties, but no `twitter:card` and no Open Graph properties as a fallback.",
            )]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_card_passes_in_either_attribute() {
        for attribute in ["name", "property"] {
            assert_passes(
                &TWITTER_CARD_MISSING,
                &format!("<meta {attribute}=twitter:card content=summary>"),
            );
        }
    }

    #[test]
    fn open_graph_properties_as_a_fallback_pass() {
        assert_passes(
            &TWITTER_CARD_MISSING,
            "<meta property=og:type content=a><meta property=OG:title content=b><meta property=og:description content=c>",
        );
    }

    #[test]
    fn properties_without_a_card_fail() {
        assert_fails(
            &TWITTER_CARD_MISSING,
            "<meta name=twitter:title content=a>",
            1,
        );
        assert_fails(
            &TWITTER_CARD_MISSING,
            "<meta property=og:type content=a><meta property=og:title content=b>",
            1,
        );
        assert_fails(
            &TWITTER_CARD_MISSING,
            "<meta name=twitter:card content=' '><meta name=twitter:site content=@a>",
            1,
        );
    }

    #[test]
    fn incomplete_open_graph_is_left_to_og_incomplete() {
        assert_not_applicable(&TWITTER_CARD_MISSING, "<meta property=og:title content=b>");
    }

    #[test]
    fn a_page_without_social_properties_is_not_applicable() {
        assert_not_applicable(&TWITTER_CARD_MISSING, "<meta name=description content=a>");
    }
}
