//! Reads the dependencies of the workspace's crates from `cargo tree`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

/// Counts the crates compiled for one platform, because other platforms have crates that our builds do not use.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The external crates that a crate of the workspace is built from, as `name version`.
pub(crate) fn external_crates(root: &Path, name: &str) -> anyhow::Result<BTreeSet<String>> {
    let tree = output(Command::new("cargo").current_dir(root).args([
        "tree",
        "--locked",
        "--package",
        name,
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--target",
        PLATFORM,
        "--format",
        "{p}",
    ]))?;
    Ok(outside(&tree))
}

/// The crates of a tree that come from a registry: crates of the workspace have a folder.
fn outside(tree: &str) -> BTreeSet<String> {
    tree.lines()
        .filter(|line| !line.contains('/'))
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let version = |word: &str| word.trim_start_matches('v').to_owned();
            Some(format!("{} {}", words.next()?, version(words.next()?)))
        })
        .collect()
}

/// The output of a command.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let program = format!("{command:?}");
    let done = command
        .output()
        .with_context(|| format!("cannot run {program}"))?;
    ensure!(
        done.status.success(),
        "{program} failed: {}",
        String::from_utf8_lossy(&done.stderr).trim_end()
    );
    String::from_utf8(done.stdout).with_context(|| format!("{program} printed invalid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_the_workspace_and_repetitions_are_not_counted() {
        let tree = "api v0.1.0 (/somewhere/crates/api)\nserde v1.0.2\nserde_derive v1.0.2 (proc-macro)\nserde v1.0.2 (*)\n";
        let found: Vec<_> = outside(tree).into_iter().collect();
        assert_eq!(found, ["serde 1.0.2", "serde_derive 1.0.2"]);
    }
}
