//! Every crate uses the workspace's lints and has a `clippy.toml` with the bans of its layer.

use anyhow::Context;
use toml::Table;

use crate::workspace::Crate;

/// Crates without their own lints or `clippy.toml`, and keys that a `clippy.toml` fails to repeat.
///
/// Clippy reads only the nearest `clippy.toml`, so each must repeat the settings of the root's.
pub(super) fn problems(crates: &[Crate], root_clippy: &str) -> anyhow::Result<Vec<String>> {
    let root: Table = root_clippy.parse().context("clippy.toml of the root")?;
    let mut found = Vec::new();
    for checked in crates {
        let name = &checked.name;
        let manifest: Table = checked
            .manifest
            .parse()
            .with_context(|| format!("Cargo.toml of `{name}`"))?;
        if !takes_workspace_lints(&manifest) {
            found.push(format!(
                "Cargo.toml of `{name}` must contain `[lints]` with `workspace = true`"
            ));
        }
        let Some(clippy) = &checked.clippy else {
            found.push(format!(
                "`{name}` has no clippy.toml: write one with the root's keys and the bans of its layer"
            ));
            continue;
        };
        let clippy: Table = clippy
            .parse()
            .with_context(|| format!("clippy.toml of `{name}`"))?;
        found.extend(
            root.iter()
                .filter(|(key, value)| clippy.get(key.as_str()) != Some(*value))
                .map(|(key, value)| {
                    format!("clippy.toml of `{name}` must repeat the root's `{key} = {value}`")
                }),
        );
    }
    Ok(found)
}

fn takes_workspace_lints(manifest: &Table) -> bool {
    manifest
        .get("lints")
        .and_then(|lints| lints.get("workspace"))
        .and_then(toml::Value::as_bool)
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(manifest: &str, clippy: Option<&str>) -> Vec<String> {
        let user = Crate {
            name: "api".to_owned(),
            manifest: manifest.to_owned(),
            clippy: clippy.map(str::to_owned),
            ..Crate::default()
        };
        problems(&[user], "allow-panic-in-tests = true\n").unwrap()
    }

    const GOOD: &str = "[package]\nname = 'api'\n[lints]\nworkspace = true\n";

    #[test]
    fn a_crate_with_both_is_fine() {
        let clippy = "allow-panic-in-tests = true\ndisallowed-types = []\n";
        assert_eq!(checked(GOOD, Some(clippy)), Vec::<String>::new());
    }

    #[test]
    fn lints_of_its_own_are_found() {
        let found = checked("[lints.rust]\n", Some("allow-panic-in-tests = true"));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("workspace = true"), "{found:?}");
    }

    #[test]
    fn a_missing_clippy_toml_is_found() {
        assert!(checked(GOOD, None)[0].contains("no clippy.toml"));
    }

    #[test]
    fn a_key_that_is_not_repeated_is_found() {
        for clippy in ["", "allow-panic-in-tests = false"] {
            let found = checked(GOOD, Some(clippy));
            assert_eq!(found.len(), 1);
            assert!(
                found[0].contains("allow-panic-in-tests = true"),
                "{found:?}"
            );
        }
    }
}
