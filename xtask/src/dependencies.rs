//! The external dependencies of the workspace's crates: their number, and which a change adds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use clap::Args;

use crate::cargo_tree::{external_crates, output};
use crate::count;
use crate::tidy::BUDGETS;
use crate::workspace::read;

/// The arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct DependenciesArgs {
    /// Also print the crates added to and removed from `Cargo.lock` since this commit.
    #[arg(long, value_name = "COMMIT")]
    since: Option<String>,
}

/// The lines of `cargo xtask dependencies`.
pub(crate) fn report(root: &Path, args: &DependenciesArgs) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for budget in BUDGETS {
        let external = external_crates(root, budget.name)?;
        lines.push(format!(
            "{:14} {:4} of at most {}",
            budget.name,
            external.len(),
            count(budget.most, "crate")
        ));
    }
    if let Some(commit) = &args.since {
        let lock_before = lock_file_at(root, commit)?;
        let lock_now = read(&root.join("Cargo.lock"))?;
        lines.extend(changes(
            &locked_packages(&lock_before)?,
            &locked_packages(&lock_now)?,
        ));
    }
    Ok(lines)
}

fn lock_file_at(root: &Path, commit: &str) -> anyhow::Result<String> {
    let object = format!("{commit}:Cargo.lock");
    output(
        Command::new("git")
            .current_dir(root)
            .args(["show", object.as_str()]),
    )
}

/// The packages of a lock file: the versions of each name.
fn locked_packages(text: &str) -> anyhow::Result<BTreeMap<String, BTreeSet<String>>> {
    let lock: toml::Table = toml::from_str(text).context("cannot read Cargo.lock")?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let mut found: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for package in packages.into_iter().flatten() {
        let text = |key| package.get(key).and_then(toml::Value::as_str);
        if let (Some(name), Some(version)) = (text("name"), text("version")) {
            let versions = found.entry(name.to_owned()).or_default();
            versions.insert(version.to_owned());
        }
    }
    Ok(found)
}

/// The added and removed crates, one per line, and their numbers.
fn changes(
    before: &BTreeMap<String, BTreeSet<String>>,
    now: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut numbers = [0, 0];
    let sides = [(now, before, '+'), (before, now, '-')];
    for ((from, other, sign), number) in sides.into_iter().zip(&mut numbers) {
        for (name, versions) in from {
            let known = other.get(name);
            let is_new = |version: &&String| known.is_none_or(|known| !known.contains(*version));
            for version in versions.iter().filter(is_new) {
                *number += 1;
                lines.push(format!("{sign} {name} {version}"));
            }
        }
    }
    let [gained, lost] = numbers;
    lines.push(format!(
        "Cargo.lock: {} added, {lost} removed",
        count(gained, "crate")
    ));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_by_names_and_versions() {
        let lock = |packages: &[(&str, &str)]| {
            let texts = packages.iter().map(|(name, version)| {
                format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n")
            });
            locked_packages(&texts.collect::<String>()).unwrap()
        };
        let before = lock(&[("a", "1.0.0"), ("b", "1.0.0")]);
        let now = lock(&[("a", "1.0.0"), ("a", "2.0.0"), ("c", "0.1.0")]);
        assert_eq!(
            changes(&before, &now),
            [
                "+ a 2.0.0",
                "+ c 0.1.0",
                "- b 1.0.0",
                "Cargo.lock: 2 crates added, 1 removed"
            ]
        );
    }
}
