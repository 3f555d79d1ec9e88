//! Rules of the repository that the compiler does not check. Each rule is a function over plain data.

mod budget;
mod checks;
mod comments;
mod conformance;
mod edges;
mod forbidden;
mod lints;
mod migrations;
mod modules;
mod no_unsafe;
mod retired;
mod snapshots;
mod sockets;

use audit_engine::checks::catalogue;

use crate::cargo_tree::external_crates;
use crate::workspace::{Workspace, paths_below, read, texts_below};

pub(crate) use budget::BUDGETS;

/// Folders with Rust sources.
const SOURCES: [&str; 2] = ["crates", "xtask"];

/// All violations of rules, one sentence each.
pub(crate) fn problems(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let root = &workspace.root;
    let mut sources = Vec::new();
    let mut snapshot_files = Vec::new();
    let mut paths = Vec::new();
    for folder in SOURCES {
        sources.extend(texts_below(root, folder, ".rs")?);
        snapshot_files.extend(texts_below(root, folder, ".snap")?);
        paths.extend(paths_below(root, folder)?);
    }
    let check_files = texts_below(root, checks::FOLDER, ".rs")?;
    let migration_files = paths_below(root, migrations::FOLDER)?;

    let mut found = edges::problems(&workspace.crates, edges::EDGES);
    found.extend(forbidden::problems(&workspace.crates, forbidden::FORBIDDEN));
    found.extend(lints::problems(&workspace.crates, &workspace.clippy)?);
    found.extend(sockets::problems(&workspace.crates, &sources)?);
    found.extend(no_unsafe::problems(&sources));
    found.extend(modules::problems(&sources));
    found.extend(snapshots::unreferenced(&snapshot_files, &sources));
    found.extend(snapshots::pending(&paths));
    found.extend(checks::problems(&catalogue(), &check_files));
    found.extend(comments::problems(&sources));
    found.extend(retired::problems(&sources));
    found.extend(migrations::problems(&migration_files));
    let versions = std::fs::read_to_string(root.join(migrations::VERSIONS)).unwrap_or_default();
    found.extend(migrations::unlisted(&migration_files, &versions));
    let mut counted = Vec::new();
    for budget in BUDGETS {
        counted.push((budget.name, external_crates(root, budget.name)?.len()));
    }
    found.extend(budget::exceeded(&counted));
    let manifest = read(&root.join("Cargo.toml"))?;
    let lock = read(&root.join("Cargo.lock"))?;
    found.extend(budget::unknown_packages(&manifest, &lock)?);
    let page = std::fs::read_to_string(root.join(conformance::PAGE)).unwrap_or_default();
    found.extend(conformance::problems(&page, &sources));
    Ok(found)
}
