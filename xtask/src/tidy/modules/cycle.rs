//! Modules below one parent that import each other.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::FileImport;
use super::tree::{ModuleId, Tree};

/// Of the imports that make a cycle, so many are named.
const MOST_IMPORTS_NAMED: usize = 12;

/// The imports between the modules below one parent, by the pair.
type Edges = BTreeMap<(ModuleId, ModuleId), Vec<FileImport>>;

/// Every cycle with a folder in it, a sentence each.
pub(super) fn problems(tree: &Tree, imports: &BTreeSet<FileImport>) -> Vec<String> {
    let mut by_parent: BTreeMap<ModuleId, Edges> = BTreeMap::new();
    for import in imports {
        if let Some((parent, from, to)) = below_one_parent(tree, *import) {
            let edges = by_parent.entry(parent).or_default();
            edges.entry((from, to)).or_default().push(*import);
        }
    }
    by_parent
        .iter()
        .flat_map(|(parent, edges)| {
            cycles(edges)
                .into_iter()
                .filter(|cycle| cycle.iter().any(|module| tree.is_folder(*module)))
                .map(|cycle| sentence(tree, *parent, edges, &cycle))
        })
        .collect()
}

/// The nearest module above both ends, and the two modules just below it; none where one end is above
/// the other.
fn below_one_parent(tree: &Tree, import: FileImport) -> Option<(ModuleId, ModuleId, ModuleId)> {
    let from = tree.way(import.from);
    let to = tree.way(import.to);
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let parent = from.get(shared.checked_sub(1)?)?;
    Some((*parent, *from.get(shared)?, *to.get(shared)?))
}

/// The sets of modules of which each reaches every other.
fn cycles(edges: &Edges) -> Vec<BTreeSet<ModuleId>> {
    let modules: BTreeSet<ModuleId> = edges.keys().flat_map(|(from, to)| [*from, *to]).collect();
    let reached: BTreeMap<ModuleId, BTreeSet<ModuleId>> = modules
        .iter()
        .map(|module| (*module, reached_from(edges, *module)))
        .collect();
    let reaches = |from: &ModuleId, to: &ModuleId| {
        reached
            .get(from)
            .is_some_and(|modules| modules.contains(to))
    };
    let mut found = BTreeSet::new();
    for module in &modules {
        let cycle: BTreeSet<ModuleId> = modules
            .iter()
            .copied()
            .filter(|other| reaches(module, other) && reaches(other, module))
            .collect();
        if !cycle.is_empty() {
            found.insert(cycle);
        }
    }
    found.into_iter().collect()
}

fn reached_from(edges: &Edges, start: ModuleId) -> BTreeSet<ModuleId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(module) = open.pop() {
        for (from, to) in edges.keys() {
            if *from == module && reached.insert(*to) {
                open.push(*to);
            }
        }
    }
    reached
}

fn sentence(tree: &Tree, parent: ModuleId, edges: &Edges, cycle: &BTreeSet<ModuleId>) -> String {
    let mut names: Vec<String> = cycle
        .iter()
        .map(|module| format!("`{}`", tree.module(*module).name))
        .collect();
    names.sort();
    let last = names.pop().unwrap_or_default();
    let mut imports: Vec<String> = edges
        .iter()
        .filter(|((from, to), _)| cycle.contains(from) && cycle.contains(to))
        .flat_map(|(_, imports)| imports)
        .map(|import| {
            format!(
                "{} imports {}",
                tree.module(import.from).file,
                tree.module(import.to).file
            )
        })
        .collect();
    let left = imports.len().saturating_sub(MOST_IMPORTS_NAMED);
    imports.truncate(MOST_IMPORTS_NAMED);
    if left > 0 {
        imports.push(format!("{left} more"));
    }
    format!(
        "{}: {} and {last} import each other: {}: move their shared code into a module below them",
        folder(&tree.module(parent).file),
        names.join(", "),
        imports.join("; "),
    )
}

/// The folder in which the modules below a file are.
fn folder(file: &str) -> &str {
    file.strip_suffix("/lib.rs")
        .or_else(|| file.strip_suffix("/main.rs"))
        .or_else(|| file.strip_suffix("/mod.rs"))
        .or_else(|| file.strip_suffix(".rs"))
        .unwrap_or(file)
}
