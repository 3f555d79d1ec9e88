//! Creates the scaffold of a check.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use audit_engine::checks;
use domain::Dimension;

use crate::workspace;

/// The placeholder in the scaffold; `tidy` reports remaining placeholders.
pub(crate) const PROMPT: &str = "(Replace this:)";

/// The dimension with this wire name or folder name.
pub(crate) fn dimension(name: &str) -> Result<Dimension, String> {
    Dimension::ALL
        .into_iter()
        .find(|dimension| dimension.as_str() == name || dimension.folder() == name)
        .ok_or_else(|| {
            let known = Dimension::ALL.map(Dimension::as_str).join(", ");
            format!("unknown dimension; use one of {known}")
        })
}

/// Validates the id of a check.
///
/// # Errors
/// When it is not lower-case words joined by hyphens, or begins with `no-`.
pub(crate) fn valid_id(id: &str) -> anyhow::Result<()> {
    ensure!(
        !id.starts_with("no-"),
        "the id `{id}` begins with `no-`: use a noun for what the check finds"
    );
    let words = id.split('-').all(|word| {
        !word.is_empty()
            && word
                .bytes()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
    });
    ensure!(
        words && id.starts_with(|letter: char| letter.is_ascii_lowercase()),
        "the id `{id}` must be lower-case words joined by hyphens"
    );
    Ok(())
}

/// Writes the scaffold and adds it to the list; returns what was done and the next steps.
pub(crate) fn write(root: &Path, dimension: Dimension, id: &str) -> anyhow::Result<Vec<String>> {
    valid_id(id)?;
    if let Some(known) = checks::find(id) {
        bail!("`{id}` is already a check of {}", known.dimension);
    }
    let module = id.replace('-', "_");
    let folder = format!("crates/audit-engine/src/checks/{}", dimension.folder());
    let file = format!("{folder}/{module}.rs");
    ensure!(!root.join(&file).exists(), "{file} already exists");
    let list = format!("{folder}/mod.rs");
    let listed = with_module(&workspace::read(&root.join(&list))?, &module)
        .with_context(|| format!("cannot add the check to {list}"))?;

    workspace::write(&root.join(&file), &scaffold(dimension, id))?;
    workspace::write(&root.join(&list), &listed)?;
    Ok(vec![
        format!("wrote {file} and listed it in {list}"),
        format!("next: replace each `{PROMPT}` and the text after it, write the rule and its tests,"),
        "then run `cargo fmt --all`, `cargo xtask generate` and `scripts/test`, and add a line to CHANGELOG.md"
            .to_owned(),
    ])
}

/// The dimension's `mod.rs` with the module declared and its check listed, both in order.
fn with_module(source: &str, module: &str) -> anyhow::Result<String> {
    const START: &str = "const CHECKS: &[&Check] = &[";
    let (before, rest) = source
        .split_once(START)
        .context("`const CHECKS: &[&Check] = &[` not found")?;
    let (entries, after) = rest.split_once("];").context("CHECKS has no end")?;
    ensure!(
        !entries.contains("//"),
        "CHECKS contains a comment: add the check manually"
    );
    let entry = format!("&{module}::{}", module.to_uppercase());
    let mut entries: Vec<&str> = entries
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .collect();
    entries.push(&entry);
    entries.sort_unstable();
    let entries = entries.join(",\n    ");
    Ok(format!(
        "{}{START}\n    {entries},\n];{after}",
        with_declaration(before, module)
    ))
}

fn with_declaration(source: &str, module: &str) -> String {
    let line = format!("mod {module};");
    let is_declaration = |line: &&str| line.starts_with("mod ") && line.ends_with(';');
    let mut lines: Vec<&str> = source.lines().collect();
    if let Some(at) = lines
        .iter()
        .position(|other| is_declaration(other) && *other > line.as_str())
    {
        lines.insert(at, &line);
    } else if let Some(last) = lines.iter().rposition(is_declaration) {
        lines.insert(last + 1, &line);
    } else {
        // Behind the module's documentation and an empty line.
        let at = lines
            .iter()
            .position(|line| line.starts_with("use "))
            .unwrap_or(0);
        lines.insert(at, "");
        lines.insert(at, &line);
    }
    // What follows is in the middle of the last line, where there is one.
    let end = if source.ends_with('\n') { "\n" } else { "" };
    lines.join("\n") + end
}

fn scaffold(dimension: Dimension, id: &str) -> String {
    let name = id.replace('-', "_").to_uppercase();
    let variant = match dimension {
        Dimension::Performance => "Performance",
        Dimension::Accessibility => "Accessibility",
        Dimension::Seo => "Seo",
        Dimension::Security => "Security",
        Dimension::Content => "Content",
        Dimension::AiReadiness => "AiReadiness",
    };
    TEMPLATE
        .replace("{prompt}", PROMPT)
        .replace("{NAME}", &name)
        .replace("{id}", id)
        .replace("{Dimension}", variant)
        .replace("{version}", env!("CARGO_PKG_VERSION"))
}

/// The scaffold compiles, and its examples and tests hold: it judges `blink` elements.
const TEMPLATE: &str = include_str!("new_check.template");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_nouns_in_lower_case() {
        for id in ["image-alt", "h1", "x-content-type-options", "noindex"] {
            assert!(valid_id(id).is_ok(), "{id}");
        }
        for id in [
            "",
            "no-title",
            "Image",
            "image_alt",
            "image--alt",
            "-a",
            "404",
        ] {
            assert!(valid_id(id).is_err(), "{id}");
        }
    }

    #[test]
    fn a_dimension_has_a_wire_name_and_a_folder() {
        assert_eq!(dimension("aiReadiness"), Ok(Dimension::AiReadiness));
        assert_eq!(dimension("ai_readiness"), Ok(Dimension::AiReadiness));
        assert!(dimension("speed").is_err());
    }

    const EMPTY: &str = "//! Doc.\n\nuse crate::check::Check;\n\n/// Every check.\npub(super) const CHECKS: &[&Check] = &[];\n";

    #[test]
    fn the_first_check_of_a_dimension_is_listed() {
        assert_eq!(
            with_module(EMPTY, "title_missing").unwrap(),
            "//! Doc.\n\nmod title_missing;\n\nuse crate::check::Check;\n\n/// Every check.\npub(super) const CHECKS: &[&Check] = &[\n    &title_missing::TITLE_MISSING,\n];\n"
        );
    }

    #[test]
    fn further_checks_are_listed_in_order() {
        let list = ["canonical", "zebra", "title_missing"]
            .iter()
            .try_fold(EMPTY.to_owned(), |list, module| with_module(&list, module))
            .unwrap();
        assert!(
            list.contains("\nmod canonical;\nmod title_missing;\nmod zebra;\n"),
            "{list}"
        );
        assert!(
            list.contains(
                "&canonical::CANONICAL,\n    &title_missing::TITLE_MISSING,\n    &zebra::ZEBRA,\n"
            ),
            "{list}"
        );
    }

    #[test]
    fn a_list_in_another_form_is_refused() {
        assert!(with_module("mod a;", "b").is_err());
        let commented = EMPTY.replace("&[];", "&[\n    // why\n];");
        assert!(with_module(&commented, "b").is_err());
    }

    #[test]
    fn the_scaffold_has_no_open_place() {
        let text = scaffold(Dimension::AiReadiness, "llms-txt");
        assert!(
            text.contains("LLMS_TXT {\n        id: \"llms-txt\","),
            "{text}"
        );
        assert!(text.contains("dimension: AiReadiness"), "{text}");
        assert!(!text.contains("{id}") && !text.contains("{NAME}"), "{text}");
    }
}
