//! Start pages without structured data about the site or its owner.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::structured::json_ld::{self, Entity, short_type};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The start page has structured data about the site or its owner: an `Organization`, `Person`
    /// or `WebSite` with a name, in JSON-LD, microdata or RDFa.
    ///
    /// ## Why it matters
    /// Search engines and AI assistants take the name, the logo and the other profiles of a site
    /// from this entity. Without it they guess, and can confuse the site with another one of a
    /// similar name.
    ///
    /// ## How to fix it
    /// Paste the structured data that is proposed for the site into the head of the start page, inside `<script
    /// type="application/ld+json">`. Better, describe the owner: an `Organization` with `name`, `url`, `logo`, and in
    /// `sameAs` the URLs of its profiles elsewhere.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour Ferries</title><h1>Harbour Ferries</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Harbour Ferries</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization", "name": "Harbour Ferries", "url": "https://example.com/", "logo": "https://example.com/logo.png"}</script><h1>Harbour Ferries</h1></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate what the visible text says about the site. Only the page at the
    /// root of the site is checked. Any JSON-LD entity that has a name and an address, logo or link
    /// to itself counts, because there are many types of organization.
    ///
    /// ## Also known as
    /// - Common name: Missing schema markup
    ///
    /// ## References
    /// - Google Search Central, Organization (Organization) structured data
    /// - Schema.org, Organization
    STRUCTURED_ENTITY_MISSING {
        id: "structured-entity-missing",
        title: "Missing Organization or WebSite structured data",
        dimension: AiReadiness,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const TYPES: [&str; 4] = ["Organization", "WebSite", "Person", "LocalBusiness"];

/// Properties of organizations and people.
const OWNER_PROPERTIES: [&str; 5] = ["url", "logo", "sameAs", "address", "contactPoint"];

fn evaluate(page: &Page) -> Outcome {
    if page.url().path() != "/" || page.url().query().is_some() {
        return Outcome::NotApplicable;
    }
    let found = json_ld::has_entity(page, is_owner_entity)
        || (page.elements().any(is_typed) && has_name_property(page));
    Outcome::pass_if(found, || {
        Evidence::here().message(format!(
            "The start page has no structured data about the site or its owner; expected an Organization, Person or WebSite with a name, at least {}.",
            least(page)
        ))
    })
}

/// The shortest structured data that passes, with the name and the URL of the site.
fn least(page: &Page) -> String {
    const LONGEST: usize = 80;
    let name = page
        .html("meta")
        .filter(|meta| meta.attr_is("property", "og:site_name"))
        .filter_map(|meta| meta.attr("content"))
        .chain(page.title())
        .map(str::trim)
        .find(|name| !name.is_empty() && name.len() <= LONGEST)
        .or_else(|| page.url().host_str())
        .unwrap_or_default();
    format!(
        "{{\"@context\":\"https://schema.org\",\"@type\":\"WebSite\",\"name\":{},\"url\":\"{}\"}}",
        serde_json::Value::from(name),
        page.url()
    )
}

fn is_owner_entity(entity: Entity<'_>) -> bool {
    let is_kind = entity.is_any(&TYPES)
        || entity
            .types()
            .iter()
            .any(|name| name.ends_with("Organization"))
        || OWNER_PROPERTIES.iter().any(|property| entity.has(property));
    is_kind && (entity.has("name") || entity.has("legalName"))
}

/// Whether the element declares an organization, person or website in microdata or RDFa.
fn is_typed(element: ElementRef<'_>) -> bool {
    let declared = element.attr("itemtype").or_else(|| element.attr("typeof"));
    declared.is_some_and(|types| {
        types
            .split_ascii_whitespace()
            .map(short_type)
            .any(|name| TYPES.contains(&name) || name.ends_with("Organization"))
    })
}

fn has_name_property(page: &Page) -> bool {
    page.elements().any(|element| {
        element.has_token("itemprop", "name")
            || element.has_token("property", "name")
            || element.has_token("property", "schema:name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes, outcome_of};

    fn json(text: &str) -> String {
        format!("<script type='application/ld+json'>{text}</script>")
    }

    #[test]
    fn an_organization_with_a_name_passes() {
        assert_passes(
            &STRUCTURED_ENTITY_MISSING,
            &json(r#"{"@type":"Organization","name":"A"}"#),
        );
        assert_passes(
            &STRUCTURED_ENTITY_MISSING,
            &json(r#"{"@graph":[{"@type":"WebPage"},{"@type":["WebSite"],"name":"A"}]}"#),
        );
        assert_passes(
            &STRUCTURED_ENTITY_MISSING,
            &json(r#"{"@type":"Restaurant","name":"A","address":"B"}"#),
        );
    }

    #[test]
    fn microdata_and_rdfa_count() {
        assert_passes(
            &STRUCTURED_ENTITY_MISSING,
            "<div itemscope itemtype='http://schema.org/Organization'><b itemprop=name>A</b></div>",
        );
        assert_passes(
            &STRUCTURED_ENTITY_MISSING,
            "<div vocab='https://schema.org/' typeof=Person><b property=name>A</b></div>",
        );
    }

    #[test]
    fn a_missing_entity_or_one_without_a_name_fails() {
        assert_fails(&STRUCTURED_ENTITY_MISSING, "<h1>A</h1>", 1);
        assert_fails(
            &STRUCTURED_ENTITY_MISSING,
            &json(r#"{"@type":"Organization"}"#),
            1,
        );
        assert_fails(
            &STRUCTURED_ENTITY_MISSING,
            &json(r#"{"@type":"BreadcrumbList"}"#),
            1,
        );
    }

    #[test]
    fn pages_below_the_start_page_are_not_applicable() {
        let page = Page::builder().url("/about").html("<h1>A</h1>");
        assert_eq!(
            outcome_of(&STRUCTURED_ENTITY_MISSING, &page),
            Outcome::NotApplicable
        );
    }
}
