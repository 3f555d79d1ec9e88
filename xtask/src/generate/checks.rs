//! `docs/checks`: a page for each check, and the index of the catalogue.

use std::collections::BTreeMap;
use std::fmt::Write;

use audit_engine::check::{Check, Documentation, Example, ExampleKind, Stability};
use audit_engine::checks::{CATALOGUE_VERSION, catalogue};
use domain::Dimension;
use domain::score::penalty;

use super::NOTICE;
use super::markdown::{code_block, inline};

/// Where the pages are.
pub(super) const FOLDER: &str = "docs/checks";

/// The index and the pages.
pub(super) fn files() -> BTreeMap<String, String> {
    let checks = catalogue();
    let mut files: BTreeMap<String, String> = checks
        .iter()
        .map(|check| (format!("{FOLDER}/{}", path(check)), page(check)))
        .collect();
    files.insert(format!("{FOLDER}/README.md"), index(&checks));
    files
}

fn path(check: &Check) -> String {
    format!("{}/{}.md", check.dimension.folder(), check.id)
}

fn index(checks: &[&Check]) -> String {
    let mut text = format!(
        "{NOTICE}\n\n# Checks\n\nCatalogue version {CATALOGUE_VERSION}: {} in {} dimensions. A dimension\nhas 100 points. The points of a check are those that it costs if it fails everywhere; they depend on its severity. A check whose\nrequirements an audit does not meet is not run and does not affect the score.\n",
        crate::count(checks.len(), "check"),
        Dimension::ALL.len()
    );
    for dimension in Dimension::ALL {
        let of_dimension: Vec<_> = checks
            .iter()
            .filter(|check| check.dimension == dimension)
            .collect();
        section(&mut text, dimension.label());
        if of_dimension.is_empty() {
            text.push_str("None yet.\n");
            continue;
        }
        text.push_str(
            "| Check | Finding | Also known as | Severity | Points | Scope | Needs |\n| --- | --- | --- | --- | ---: | --- | --- |\n",
        );
        for check in of_dimension {
            line(
                &mut text,
                format_args!(
                    "| [`{}`]({}) | {} | {} | {} | {} | {} | {} |",
                    check.id,
                    path(check),
                    inline(check.title),
                    known_as(&check.documentation()),
                    check.severity,
                    penalty(check.severity).to_score(),
                    check.scope.as_str(),
                    needs(check),
                ),
            );
        }
    }
    text
}

fn page(check: &Check) -> String {
    let docs = check.documentation();
    let mut text = format!(
        "{NOTICE}\n\n# {}\n\n| | |\n| --- | --- |\n",
        inline(check.title)
    );
    let Stability::Stable { since } = check.stability;
    let facts = [
        ("Check", format!("`{}`", check.id)),
        ("Dimension", check.dimension.label().to_owned()),
        (
            "Severity",
            format!(
                "{} (up to {} points)",
                check.severity,
                penalty(check.severity).to_score()
            ),
        ),
        ("Confidence", check.confidence.to_string()),
        ("Scope", check.scope.as_str().to_owned()),
        ("Needs", needs(check)),
        ("Effort of a fix", check.effort.as_str().to_owned()),
        ("Since", since.to_owned()),
    ];
    for (name, value) in facts {
        line(&mut text, format_args!("| {name} | {value} |"));
    }
    for (heading, body) in [
        ("What it checks", &docs.what),
        ("Why it matters", &docs.why),
        ("How to fix it", &docs.fix),
    ] {
        prose(&mut text, heading, body);
    }
    if let Some(example) = &docs.failing {
        section(&mut text, "Example");
        text.push_str("This fails:\n\n");
        text.push_str(&block(example));
        if let Some(example) = &docs.passing {
            text.push_str("\nThis passes:\n\n");
            text.push_str(&block(example));
        }
    }
    prose(&mut text, "Limits", &docs.limits);
    list(&mut text, "Also known as", &docs.known_as);
    list(&mut text, "References", &docs.references);
    text
}

/// The names that other tools and standards have for a check, for a cell of the index.
fn known_as(docs: &Documentation) -> String {
    let names = docs.known_as.iter();
    let names: Vec<&str> = names
        .filter(|name| !name.starts_with("None:"))
        .map(String::as_str)
        .collect();
    names.join("; ")
}

fn needs(check: &Check) -> String {
    let needs: Vec<&str> = check.needs.iter().map(|need| need.as_str()).collect();
    if needs.is_empty() {
        "–".to_owned()
    } else {
        needs.join(", ")
    }
}

fn block(example: &Example) -> String {
    let language = match example.kind {
        ExampleKind::Html => "html",
        ExampleKind::Http => "http",
        ExampleKind::Site => "text",
    };
    code_block(language, &example.text)
}

fn prose(text: &mut String, heading: &str, body: &str) {
    if !body.is_empty() {
        section(text, heading);
        line(text, format_args!("{body}"));
    }
}

fn list(text: &mut String, heading: &str, items: &[String]) {
    if !items.is_empty() {
        section(text, heading);
        for item in items {
            line(text, format_args!("- {item}"));
        }
    }
}

fn section(text: &mut String, heading: &str) {
    line(text, format_args!("\n## {heading}\n"));
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_page_and_a_line_in_the_index() {
        let files = files();
        let index = files.get("docs/checks/README.md").unwrap();
        for check in catalogue() {
            let path = path(check);
            assert!(index.contains(&format!("({path})")), "{path}");
            assert!(files.contains_key(&format!("{FOLDER}/{path}")), "{path}");
        }
    }

    #[test]
    fn a_page_holds_every_section_of_the_documentation() {
        let check = catalogue()[0];
        let text = page(check);
        for heading in [
            "What it checks",
            "Why it matters",
            "How to fix it",
            "Example",
            "Limits",
            "Also known as",
            "References",
        ] {
            assert!(text.contains(&format!("\n## {heading}\n\n")), "{heading}");
        }
        assert!(text.contains("This fails:\n\n```"), "{text}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
    }
}
