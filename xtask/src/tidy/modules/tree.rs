//! The modules of a crate.

use std::collections::BTreeMap;

use super::source::{Imported, Source};

/// The place of a module in a [`Tree`].
pub(super) type ModuleId = usize;

/// A path may lead over this many imports until it is given up: imports can go round.
const MOST_IMPORTS_OF_A_PATH: u8 = 16;

/// A module.
#[derive(Debug)]
pub(super) struct Module {
    /// Its name; that of the root is empty.
    pub(super) name: String,
    /// The file that it is written in.
    pub(super) file: String,
    /// Whether it has a file of its own.
    pub(super) has_file: bool,
    pub(super) parent: Option<ModuleId>,
    pub(super) children: Vec<ModuleId>,
    pub(super) source: Source,
}

/// The modules of a crate, the root first.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) modules: Vec<Module>,
}

impl Tree {
    /// Reads the crate whose root module is in the file `root`.
    ///
    /// # Errors
    /// A sentence, where a file is missing or no Rust.
    pub(super) fn read(root: &str, files: &BTreeMap<&str, &str>) -> Result<Self, String> {
        let mut tree = Self::default();
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.add_file("", root, folder, None, files)?;
        Ok(tree)
    }

    fn add_file(
        &mut self,
        name: &str,
        file: &str,
        folder: &str,
        parent: Option<ModuleId>,
        files: &BTreeMap<&str, &str>,
    ) -> Result<(), String> {
        let text = files.get(file).copied().unwrap_or_default();
        let source =
            Source::parse(text).map_err(|error| format!("{file}: is not valid Rust: {error}"))?;
        let id = self.add(name, file, true, parent, source);
        self.add_below(id, folder, files)
    }

    /// Adds the modules that a module declares.
    fn add_below(
        &mut self,
        id: ModuleId,
        folder: &str,
        files: &BTreeMap<&str, &str>,
    ) -> Result<(), String> {
        let module = self.module_mut(id);
        let file = module.file.clone();
        let inline = std::mem::take(&mut module.source.inline);
        for child in module.source.files.clone() {
            let beside = format!("{folder}/{child}.rs");
            let inside = format!("{folder}/{child}/mod.rs");
            let found = [beside.as_str(), inside.as_str()]
                .into_iter()
                .find(|path| files.contains_key(path))
                .ok_or_else(|| {
                    format!("{file}: declares the module `{child}`, but neither {beside} nor {inside} exists")
                })?;
            self.add_file(&child, found, &format!("{folder}/{child}"), Some(id), files)?;
        }
        for (name, source) in inline {
            let inner = self.add(&name, &file, false, Some(id), source);
            self.add_below(inner, &format!("{folder}/{name}"), files)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        name: &str,
        file: &str,
        has_file: bool,
        parent: Option<ModuleId>,
        source: Source,
    ) -> ModuleId {
        let id = self.modules.len();
        self.modules.push(Module {
            name: name.to_owned(),
            file: file.to_owned(),
            has_file,
            parent,
            children: Vec::new(),
            source,
        });
        if let Some(parent) = parent {
            self.module_mut(parent).children.push(id);
        }
        id
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "an id is the place of a module that was added, and none is removed"
    )]
    pub(super) fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id]
    }

    #[expect(clippy::indexing_slicing, reason = "as for `module`")]
    fn module_mut(&mut self, id: ModuleId) -> &mut Module {
        &mut self.modules[id]
    }

    /// The module that declares what a path names, as it is written in the module `from`; none where
    /// that is another crate's, or a name that is not a module's.
    pub(super) fn resolve(&self, from: ModuleId, path: &[String]) -> Option<ModuleId> {
        self.resolve_within(from, path, MOST_IMPORTS_OF_A_PATH)
    }

    fn resolve_within(&self, from: ModuleId, path: &[String], imports: u8) -> Option<ModuleId> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.walk(0, rest, imports),
            "self" => self.walk(from, rest, imports),
            "super" => self.walk(self.module(from).parent?, rest, imports),
            name => self.walk(self.child(from, name)?, rest, imports),
        }
    }

    fn walk(&self, from: ModuleId, path: &[String], imports: u8) -> Option<ModuleId> {
        let Some((name, rest)) = path.split_first() else {
            return Some(from);
        };
        if name == "super" {
            return self.walk(self.module(from).parent?, rest, imports);
        }
        if let Some(child) = self.child(from, name) {
            return self.walk(child, rest, imports);
        }
        let imported = imports
            .checked_sub(1)
            .and_then(|left| self.imported(from, name, left))
            .and_then(|(module, is_module)| {
                if is_module {
                    self.walk(module, rest, imports - 1)
                } else {
                    Some(module)
                }
            });
        Some(imported.unwrap_or(from))
    }

    /// The module behind a name that `from` imports, and whether the name is the module's own.
    fn imported(&self, from: ModuleId, name: &str, imports: u8) -> Option<(ModuleId, bool)> {
        for import in &self.module(from).source.imports {
            match &import.name {
                Imported::One(one) if one == name => {
                    let module = self.resolve_within(from, &import.path, imports)?;
                    let is_module = import.path.last() == Some(&self.module(module).name);
                    return Some((module, is_module));
                }
                Imported::All => {
                    let module = self.resolve_within(from, &import.path, imports)?;
                    if let Some(child) = self.child(module, name) {
                        return Some((child, true));
                    }
                    if module != from
                        && let Some(left) = imports.checked_sub(1)
                        && let Some(found) = self.imported(module, name, left)
                    {
                        return Some(found);
                    }
                }
                Imported::One(_) => {}
            }
        }
        None
    }

    fn child(&self, of: ModuleId, name: &str) -> Option<ModuleId> {
        let children = &self.module(of).children;
        children
            .iter()
            .copied()
            .find(|child| self.module(*child).name == name)
    }

    /// The module itself, or the one that holds it where it has no file of its own.
    pub(super) fn file_module(&self, id: ModuleId) -> ModuleId {
        match self.module(id) {
            Module {
                has_file: false,
                parent: Some(parent),
                ..
            } => self.file_module(*parent),
            _ => id,
        }
    }

    /// The modules from the root to this one.
    pub(super) fn way(&self, id: ModuleId) -> Vec<ModuleId> {
        let mut way = self
            .module(id)
            .parent
            .map_or_else(Vec::new, |parent| self.way(parent));
        way.push(id);
        way
    }

    /// Whether modules below it have files of their own.
    pub(super) fn is_folder(&self, id: ModuleId) -> bool {
        self.module(id)
            .children
            .iter()
            .any(|child| self.module(*child).has_file)
    }
}
