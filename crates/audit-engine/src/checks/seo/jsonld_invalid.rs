//! JSON-LD structured data is valid JSON.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::gather::media_type;
use crate::view::Page;
use serde_json::Value;

declare_check! {
    /// ## What it checks
    /// Every `script type="application/ld+json"` contains valid JSON whose outermost value is an
    /// object or an array of objects. An object with a `@type` has a `@context`.
    ///
    /// ## Why it matters
    /// Search engines discard a block that they cannot parse, including its prices, ratings,
    /// breadcrumbs or events.
    ///
    /// ## How to fix it
    /// Correct the block of structured data at the position of the error. Common mistakes are a trailing comma, a
    /// line break inside a string, and quotation marks that the template did not escape.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization", "name": "Island Line",}</script></head><body><h1>Ferry times</h1></body></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><head><title>Ferry times – Island Line</title><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization", "name": "Island Line"}</script></head><body><h1>Ferry times</h1></body></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the types and properties exist or suffice for a rich
    /// result. It skips empty blocks, which a script may fill.
    ///
    /// ## Also known as
    /// - Search Console: Unparsable structured data
    /// - Common name: JSON-LD syntax error
    ///
    /// ## References
    /// - JSON-LD 1.1, embedding JSON-LD in HTML documents
    /// - RFC 8259, The JavaScript Object Notation (JSON) Data Interchange Format
    JSONLD_INVALID {
        id: "jsonld-invalid",
        title: "Invalid JSON-LD structured data",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let blocks = page
        .html("script")
        .filter(|script| media_type(script.attr("type")) == "application/ld+json")
        .map(|script| (script, script.raw_text()))
        .filter(|(_, text)| !text.trim().is_empty());
    Outcome::for_each(blocks, |(script, text)| {
        match serde_json::from_str(&text) {
        Ok(value) if !is_json_ld(&value) => Verdict::Fail(Evidence::node(script).message(
            "The outermost value of the block has the wrong type; expected an object or an array of objects.",
        )),
        Ok(value) => match type_without_context(&value) {
            None => Verdict::Pass,
            Some(name) => Verdict::Fail(Evidence::node(script).message(format!(
                "The object of the type `{}` has no @context; expected \"@context\": \"https://schema.org\".",
                name.chars().take(MAX_TYPE_CHARS).collect::<String>()
            ))),
        },
        Err(error) if error.to_string().starts_with("recursion limit") => {
            Verdict::CannotTell("A block of structured data is nested too deeply to parse.")
        }
        Err(error) => Verdict::Fail(
            Evidence::node(script)
                .snippet(
                    text.lines()
                        .nth(error.line().saturating_sub(1))
                        .unwrap_or_default()
                        .trim(),
                )
                .message(format!(
                    "The block is not valid JSON: {error} of the block."
                )),
        ),
    }
    })
}

const MAX_TYPE_CHARS: usize = 60;

/// The type of an outermost object that has no context, without which the type has no meaning. A type that is
/// an absolute URL needs none.
fn type_without_context(value: &Value) -> Option<&str> {
    let Value::Object(object) = value else {
        return value.as_array()?.iter().find_map(type_without_context);
    };
    let has_context = match object.get("@context") {
        None | Some(Value::Null) => false,
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(_) => true,
    };
    if has_context {
        return None;
    }
    let own = match object.get("@type") {
        Some(Value::Array(names)) => names.first().and_then(Value::as_str),
        name => name.and_then(Value::as_str),
    };
    own.or_else(|| object.get("@graph").and_then(type_without_context))
        .filter(|name| !name.contains(':'))
}

fn is_json_ld(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => items.iter().all(Value::is_object),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    fn block(json: &str) -> String {
        format!("<script type='application/ld+json'>{json}</script>")
    }

    #[test]
    fn objects_and_arrays_of_objects_pass() {
        assert_passes(
            &JSONLD_INVALID,
            &block(r#" {"@context":"https://schema.org","@type":"Thing","name":"a \u0026 b"} "#),
        );
        assert_passes(
            &JSONLD_INVALID,
            &block(r#"[{"@context":"https://schema.org","@type":"Thing"},{}]"#),
        );
    }

    #[test]
    fn invalid_json_fails() {
        for json in [
            r#"{"a":1,}"#,
            "{\"a\":\"line\nbreak\"}",
            "{'a':1}",
            "{\"a\":1} // note",
            "{&quot;a&quot;:1}",
            r#"{"a":1"#,
        ] {
            assert_fails(&JSONLD_INVALID, &block(json), 1);
        }
    }

    #[test]
    fn a_type_without_a_context_fails() {
        for json in [
            r#"{"@type":"Product","name":"Mug"}"#,
            r#"{"@context":"","@type":["Product"]}"#,
            r#"[{"@context":"https://schema.org","@type":"A"},{"@type":"B"}]"#,
            r#"{"@graph":[{"@type":"Product"}]}"#,
        ] {
            assert_fails(&JSONLD_INVALID, &block(json), 1);
        }
        for json in [
            r#"{"@type":"https://schema.org/Product"}"#,
            r#"{"@context":{"@vocab":"https://schema.org/"},"@graph":[{"@type":"Product"}]}"#,
            r#"{"name":"Mug"}"#,
        ] {
            assert_passes(&JSONLD_INVALID, &block(json));
        }
    }

    #[test]
    fn a_bare_value_fails() {
        assert_fails(&JSONLD_INVALID, &block("\"text\""), 1);
    }

    #[test]
    fn a_type_with_parameters_is_checked() {
        let html = "<script type='application/ld+json; charset=utf-8'>{</script>";
        assert_fails(&JSONLD_INVALID, html, 1);
    }

    #[test]
    fn excessive_nesting_cannot_tell() {
        assert!(matches!(
            outcome(&JSONLD_INVALID, &block(&"[".repeat(10_000))),
            Outcome::CannotTell(_)
        ));
    }

    #[test]
    fn other_scripts_and_empty_blocks_are_not_applicable() {
        assert_not_applicable(&JSONLD_INVALID, "<script type=application/json>{</script>");
        assert_not_applicable(&JSONLD_INVALID, &block(" \n "));
    }
}
