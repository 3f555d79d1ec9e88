//! Breadcrumb structured data has valid positions, names and targets.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::structured::{Item, Value};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// In structured data of type `BreadcrumbList`, the items have the positions 1, 2, 3 and so on.
    /// Every item has a name. Every item except the last has a target URL (`item`). The list has at
    /// least two items, and none of them is a text.
    ///
    /// ## Why it matters
    /// Search engines can show the breadcrumb trail in a result in place of the URL. They show no
    /// trail if its items cannot be sorted or have no target.
    ///
    /// ## How to fix it
    /// Number the items from 1 without gaps, and give each item a `name` and the URL of its page as
    /// `item`. The last item is the page itself and needs no URL.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": "Home"}, {"@type": "ListItem", "position": 3, "name": "Times"}]}</script></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": "Home", "item": "https://example.com/"}, {"@type": "ListItem", "position": 2, "name": "Times"}]}</script></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check reads JSON-LD and Microdata, but not RDFa. The order in the source does not matter.
    /// The check skips lists with items that are only references to definitions elsewhere. It does not compare the structured data with the visible breadcrumbs.
    ///
    /// ## Also known as
    /// - Search Console: Either "name" or "item.name" should be specified
    /// - Common name: Invalid BreadcrumbList markup
    ///
    /// ## References
    /// - Google Search Central, Breadcrumb (BreadcrumbList) structured data
    /// - schema.org, BreadcrumbList
    BREADCRUMB_POSITIONS {
        id: "breadcrumb-positions",
        title: "Invalid breadcrumb structured data",
        dimension: Seo,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let lists = page
        .structured()
        .items()
        .filter(|item| item.is_any(&["BreadcrumbList"]))
        .filter(|list| !has_parts_elsewhere(*list));
    Outcome::for_each(lists, |list| match list_problem(list) {
        None => Verdict::Pass,
        Some((cause, message)) => {
            let at = list
                .element(page)
                .map_or_else(Evidence::here, Evidence::node);
            Verdict::Fail(at.message(message).cause(cause, title(cause)))
        }
    })
}

const ELEMENTS: &str = "itemListElement";

/// Whether some items of the list are not defined on the page.
fn has_parts_elsewhere(list: Item<'_>) -> bool {
    list.values(ELEMENTS)
        .any(|value| *value == Value::Elsewhere)
}

fn list_problem(list: Item<'_>) -> Option<(&'static str, String)> {
    if let Some(text) = list.texts(ELEMENTS).next() {
        let text: String = text.chars().take(80).collect();
        return Some((
            "text",
            format!("The breadcrumb `{text}` is a text; expected an item of the type ListItem."),
        ));
    }
    let crumbs: Vec<Item<'_>> = list.items(ELEMENTS).collect();
    if crumbs.len() < 2 {
        let count = match crumbs.len() {
            0 => "no items",
            _ => "one item",
        };
        return Some((
            "count",
            format!("The breadcrumb list has {count}; expected at least two."),
        ));
    }
    problem(&crumbs)
}

fn problem(crumbs: &[Item<'_>]) -> Option<(&'static str, String)> {
    let mut placed: Vec<(usize, Item<'_>)> = Vec::with_capacity(crumbs.len());
    for crumb in crumbs {
        let written = crumb.texts("position").next();
        let Some(written) = written else {
            let name = breadcrumb_name(*crumb);
            return Some((
                "position",
                format!("The breadcrumb {name} has no position; expected a whole number."),
            ));
        };
        match whole_number(written) {
            Some(position) => placed.push((position, *crumb)),
            None => {
                let message = format!(
                    "The breadcrumb {} has the position `{written}`; expected a whole number.",
                    breadcrumb_name(*crumb)
                );
                return Some(("position", message));
            }
        }
    }
    placed.sort_by_key(|(position, _)| *position);
    let wrong = (1..)
        .zip(&placed)
        .find(|(expected, (found, _))| expected != found);
    if let Some((expected, (found, crumb))) = wrong {
        let message = format!(
            "The breadcrumb {} has the position {found}; expected {expected}, because positions count from 1 without gaps.",
            breadcrumb_name(*crumb)
        );
        return Some(("position", message));
    }
    let nameless = placed.iter().find(|(_, crumb)| !is_named(*crumb));
    if let Some((position, _)) = nameless {
        let message = format!("The breadcrumb at position {position} has no name.");
        return Some(("name", message));
    }
    let leading = placed.split_last().map_or(&[][..], |(_, leading)| leading);
    let (position, crumb) = leading.iter().find(|(_, crumb)| !crumb.has("item"))?;
    let message = format!(
        "The breadcrumb {} at position {position} has no target URL (`item`); only the last breadcrumb may omit it.",
        breadcrumb_name(*crumb)
    );
    Some(("item", message))
}

/// Parses a whole number. Some generators write `2.0` for `2`.
fn whole_number(written: &str) -> Option<usize> {
    written.strip_suffix(".0").unwrap_or(written).parse().ok()
}

/// Whether the breadcrumb or its target item has a name.
fn is_named(crumb: Item<'_>) -> bool {
    let target_is_named = |target: Item<'_>| target.has("name");
    crumb.has("name")
        || crumb.items("item").any(target_is_named)
        || crumb.values("item").any(|value| *value == Value::Elsewhere)
}

fn breadcrumb_name(crumb: Item<'_>) -> String {
    let of_target = || crumb.items("item").find_map(Item::label);
    crumb
        .label()
        .or_else(of_target)
        .map_or_else(|| "without a name".to_owned(), |name| format!("“{name}”"))
}

fn title(cause: &str) -> &'static str {
    match cause {
        "name" => "Breadcrumbs without a name",
        "item" => "Breadcrumbs without a target URL",
        "text" => "Breadcrumbs that are texts",
        "count" => "Breadcrumb lists with fewer than two items",
        _ => "Breadcrumb positions missing or not numbered from 1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    fn list(crumbs: &str) -> String {
        format!(
            r#"<script type="application/ld+json">{{"@context":"https://schema.org","@type":"BreadcrumbList","itemListElement":[{crumbs}]}}</script>"#
        )
    }

    #[test]
    fn items_numbered_from_one_pass_in_any_order_and_notation() {
        for crumbs in [
            r#"{"@type":"ListItem","position":1,"name":"Home","item":"/"},{"@type":"ListItem","position":2,"name":"Times"}"#,
            r#"{"@type":"ListItem","position":"2","name":"Times"},{"@type":"ListItem","position":"1","item":{"@id":"/","name":"Home"}}"#,
        ] {
            assert_passes(&BREADCRUMB_POSITIONS, &list(crumbs));
        }
        assert_passes(
            &BREADCRUMB_POSITIONS,
            "<ol itemscope itemtype='https://schema.org/BreadcrumbList'>\
             <li itemprop=itemListElement itemscope itemtype='https://schema.org/ListItem'><a itemprop=item href=/><b itemprop=name>Home</b></a><meta itemprop=position content=1>\
             <li itemprop=itemListElement itemscope itemtype='https://schema.org/ListItem'><b itemprop=name>Times</b><meta itemprop=position content=2></ol>",
        );
    }

    #[test]
    fn gaps_duplicate_positions_and_counting_from_zero_fail() {
        for (one, two) in [("0", "1"), ("1", "3"), ("1", "1"), ("1", "\"second\"")] {
            let crumbs = format!(
                r#"{{"@type":"ListItem","position":{one},"name":"Home","item":"/"}},{{"@type":"ListItem","position":{two},"name":"Times"}}"#
            );
            assert_fails(&BREADCRUMB_POSITIONS, &list(&crumbs), 1);
        }
    }

    #[test]
    fn the_message_names_the_missing_property() {
        for (crumbs, expected) in [
            (
                r#"{"@type":"ListItem","position":1,"name":"Home"},{"@type":"ListItem","position":2,"name":"Times"}"#,
                "“Home” at position 1 has no target URL",
            ),
            (
                r#"{"@type":"ListItem","position":1,"item":"/"},{"@type":"ListItem","position":2,"name":"Times"}"#,
                "position 1 has no name",
            ),
            (
                r#"{"@type":"ListItem","name":"Home","item":"/"},{"@type":"ListItem","position":2,"name":"Times"}"#,
                "“Home” has no position",
            ),
        ] {
            let Outcome::Failed(evidence) = outcome(&BREADCRUMB_POSITIONS, &list(crumbs)) else {
                panic!("{crumbs}");
            };
            assert!(
                evidence[0].message.contains(expected),
                "{}",
                evidence[0].message
            );
        }
    }

    #[test]
    fn lists_with_one_no_or_text_items_fail() {
        for crumbs in [
            r#"{"@type":"ListItem","position":1,"name":"Home","item":"/"}"#,
            "",
            r#""Home","Times""#,
            r#"{"@type":"ListItem","position":1,"name":"Home","item":"/"},"Times""#,
        ] {
            let list =
                list(crumbs).replace("\"itemListElement\"", "\"name\":\"x\",\"itemListElement\"");
            assert_fails(&BREADCRUMB_POSITIONS, &list, 1);
        }
    }

    #[test]
    fn items_defined_elsewhere_are_not_applicable() {
        assert_not_applicable(
            &BREADCRUMB_POSITIONS,
            &list(r##"{"@id":"#a"},{"@id":"#b"}"##),
        );
        assert_not_applicable(&BREADCRUMB_POSITIONS, "<p>x");
    }
}
