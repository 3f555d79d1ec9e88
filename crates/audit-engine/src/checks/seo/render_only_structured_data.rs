//! The structured data of a page is in its response.

use std::collections::HashSet;

use domain::Severity;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::rendering::forms::{Forms, compare};
use crate::declare_check;
use crate::structured::Structured;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Structured data (JSON-LD and Microdata) of a type that a page has after its scripts is also in the response.
    ///
    /// ## Why it matters
    /// Google reads structured data that scripts write, once it has rendered the page. It recommends `Product` data in
    /// the response, because it reads prices and availability of rendered pages less often and less reliably. Crawlers
    /// that run no scripts, as most of AI services do, never see it.
    ///
    /// ## How to fix it
    /// Write the JSON-LD into the HTML on the server or when the site is built. A tag manager that adds it can be
    /// replaced by the template of the page.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Day ticket</title><script>
    /// const data = document.createElement("script");
    /// data.type = "application/ld+json";
    /// data.text = `{"@context":"https://schema.org","@type":"Product","name":"Day ticket"}`;
    /// document.head.append(data);
    /// </script></head><body><h1>Day ticket</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Day ticket</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Day ticket"}</script><script>document.documentElement.className = "ready"</script></head><body><h1>Day ticket</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The finding affects the score only for types of products and offers, because Google reads all others after it has
    /// rendered the page. The check compares types and not values, and does not read RDFa.
    ///
    /// ## Also known as
    /// - Common name: Structured data injected by JavaScript
    ///
    /// ## References
    /// - Google Search Central, Generate structured data with JavaScript
    RENDER_ONLY_STRUCTURED_DATA {
        id: "render-only-structured-data",
        title: "Structured data that only exists after scripts",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: High,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Types of what is sold.
const OF_PRODUCTS: [&str; 2] = ["Product", "Offer"];

/// Types that are reported of a page. There are a dozen on the richest ones.
const MAX_TYPES: usize = 20;

fn evaluate(page: &Page) -> Outcome {
    compare(page, are_served)
}

fn are_served(forms: Forms<'_>) -> Outcome {
    let shown = forms.shown.structured();
    if shown.items().next().is_none() {
        return Outcome::NotApplicable;
    }
    let served: HashSet<&str> = types(forms.served.structured()).collect();
    let mut failures = Failures::default();
    let mut severity = Severity::Info;
    let mut reported: Vec<&str> = Vec::new();
    for item in shown.items().filter(|item| !item.is_nested()) {
        let Some(kind) = item.types().find(|kind| !served.contains(kind)) else {
            continue;
        };
        if reported.contains(&kind) {
            continue;
        }
        if reported.len() == MAX_TYPES {
            break;
        }
        reported.push(kind);
        if item.type_below(&OF_PRODUCTS).is_some() {
            severity = Severity::Minor;
        }
        let label = item
            .label()
            .map(|label| format!(" \"{label}\""))
            .unwrap_or_default();
        let evidence = item
            .element(forms.shown)
            .map_or_else(Evidence::here, Evidence::node);
        failures.push(evidence.message(format!(
            "The response has no structured data of type {kind}; after scripts there is the {kind}{label}."
        )).cause(kind, format!("Structured data of type {kind} only exists after scripts")));
    }
    Outcome::from_failures(failures).with_severity(severity)
}

fn types(structured: &Structured) -> impl Iterator<Item = &str> {
    structured.items().flat_map(|item| item.types())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::{message_shown, outcome_of, outcome_shown, shown};

    const SCRIPT: &str = "<title>x</title><script>x()</script>";

    fn outcome(served: &str, after: &str) -> Outcome {
        let (served, after) = (format!("{SCRIPT}{served}"), format!("{SCRIPT}{after}"));
        outcome_shown(&RENDER_ONLY_STRUCTURED_DATA, &served, &after)
    }

    fn json(body: &str) -> String {
        format!(
            "<script type=application/ld+json>{{\"@context\":\"https://schema.org\",{body}}}</script>"
        )
    }

    #[test]
    fn the_message_names_type_and_item() {
        let after = format!(
            "{SCRIPT}{}",
            json(r#""@type":"Product","name":"Day ticket""#)
        );
        let message = message_shown(&RENDER_ONLY_STRUCTURED_DATA, SCRIPT, &after);
        assert_eq!(
            message,
            "The response has no structured data of type Product; after scripts there is the Product \"Day ticket\"."
        );
    }

    #[rstest]
    #[case("Product", Severity::Minor)]
    #[case("Article", Severity::Info)]
    fn only_products_affect_the_score(#[case] kind: &str, #[case] expected: Severity) {
        let after = json(&format!(r#""@type":"{kind}","name":"x""#));
        let Outcome::Failed(failures) = outcome("", &after) else {
            panic!("{kind}");
        };
        assert_eq!(failures.severity(Severity::Minor), expected);
    }

    #[rstest]
    #[case::same(
        json(r#""@type":"Event","name":"x""#),
        json(r#""@type":"Event","name":"x""#)
    )]
    #[case::white_space(
        json(r#""@type":"Event","name":"x""#),
        json("\n \"name\" : \"x\",\n\"@type\":\"Event\" ")
    )]
    #[case::value(
        json(r#""@type":"Event","name":"x""#),
        json(r#""@type":"Event","name":"y""#)
    )]
    #[case::microdata("<div itemscope itemtype=https://schema.org/Event><p itemprop=name>x</div>".to_owned(), json(r#""@type":"Event","name":"x""#))]
    #[case::graph(
        json(r#""@type":"Event","name":"x""#),
        json(r#""@graph":[{"@type":"Event","name":"x"}]"#)
    )]
    #[case::more_of_a_type(
        json(r#""@type":"Event","name":"x""#),
        json(r#""@graph":[{"@type":"Event","name":"x"},{"@type":"Event","name":"y"}]"#)
    )]
    #[case::nested(
        json(r#""@type":"Event","name":"x""#),
        json(r#""@type":"Event","name":"x","location":{"@type":"Place","name":"y"}"#)
    )]
    fn types_of_the_response_pass(#[case] served: String, #[case] after: String) {
        assert_eq!(outcome(&served, &after), Outcome::Passed);
    }

    #[test]
    fn the_number_of_findings_is_limited() {
        let items: Vec<String> = (0..MAX_TYPES + 5)
            .map(|n| format!(r#"{{"@type":"T{n}","name":"x"}}"#))
            .collect();
        let after = json(&format!(r#""@graph":[{}]"#, items.join(",")));
        let outcome = outcome("", &after);
        assert!(matches!(outcome, Outcome::Failed(failures) if failures.len() == MAX_TYPES));
    }

    #[test]
    fn pages_without_structured_data_or_scripts_are_not_applicable() {
        assert_eq!(
            outcome(&json(r#""@type":"Event","name":"x""#), ""),
            Outcome::NotApplicable
        );
        let page = shown(
            Page::builder(),
            "<p>x",
            &json(r#""@type":"Event","name":"x""#),
        );
        assert_eq!(
            outcome_of(&RENDER_ONLY_STRUCTURED_DATA, &page),
            Outcome::NotApplicable
        );
    }
}
