//! Which module of a crate imports which.

use std::collections::BTreeSet;

use super::tree::{ModuleId, Tree};

/// A file and another that it imports from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FileImport {
    pub(super) from: ModuleId,
    pub(super) to: ModuleId,
}

/// The imports between the files of a crate, each once.
pub(super) fn find(tree: &Tree) -> BTreeSet<FileImport> {
    let mut found = BTreeSet::new();
    for (id, module) in tree.modules.iter().enumerate() {
        let imported = module.source.imports.iter().map(|import| &import.path);
        for path in imported.chain(&module.source.paths) {
            let Some(target) = tree.resolve(id, path) else {
                continue;
            };
            let import = FileImport {
                from: tree.file_module(id),
                to: tree.file_module(target),
            };
            if import.from != import.to {
                found.insert(import);
            }
        }
    }
    found
}
