//! The workspace as plain data: its crates, their manifests, its files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cargo_metadata::{DependencyKind, MetadataCommand};

/// The repository.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The folder of the workspace manifest.
    pub(crate) root: PathBuf,
    /// `clippy.toml` of the root.
    pub(crate) clippy: String,
    /// The workspace's crates.
    pub(crate) crates: Vec<Crate>,
}

/// A crate of the workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crate {
    /// The package name.
    pub(crate) name: String,
    /// The text of `Cargo.toml`.
    pub(crate) manifest: String,
    /// The text of `clippy.toml`, where there is one.
    pub(crate) clippy: Option<String>,
    /// The declared dependencies.
    pub(crate) dependencies: Vec<Dependency>,
}

/// A line under a crate's dependencies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The package name.
    pub(crate) name: String,
    /// Whether only tests see it.
    pub(crate) dev: bool,
    /// Whether it is there only with a feature.
    pub(crate) optional: bool,
}

impl Workspace {
    /// Reads the workspace of the current folder.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let metadata = MetadataCommand::new()
            .no_deps()
            .exec()
            .context("cannot read the workspace from cargo")?;
        let root = metadata.workspace_root.clone().into_std_path_buf();
        let mut crates = Vec::new();
        for package in &metadata.packages {
            let manifest = package.manifest_path.as_std_path();
            crates.push(Crate {
                name: package.name.to_string(),
                manifest: read(manifest)?,
                clippy: fs::read_to_string(manifest.with_file_name("clippy.toml")).ok(),
                dependencies: package
                    .dependencies
                    .iter()
                    .map(|dependency| Dependency {
                        name: dependency.name.clone(),
                        dev: dependency.kind == DependencyKind::Development,
                        optional: dependency.optional,
                    })
                    .collect(),
            });
        }
        crates.sort_by(|a, b| a.name.cmp(&b.name));
        let clippy = read(&root.join("clippy.toml"))?;
        Ok(Self {
            root,
            clippy,
            crates,
        })
    }
}

/// A text file, its path relative to the root with forward slashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextFile {
    /// The path.
    pub(crate) path: String,
    /// The content.
    pub(crate) text: String,
}

/// Reads a text file; the error names it.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a text file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The paths of all files below `folder`, relative to `root`, in order; none where it is missing.
pub(crate) fn paths_below(root: &Path, folder: &str) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut open = vec![root.join(folder)];
    while let Some(folder) = open.pop() {
        if !folder.is_dir() {
            continue;
        }
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if let Some(relative) = relative(root, &path) {
                found.push(relative);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The text files below `folder` whose names end in `suffix`.
pub(crate) fn texts_below(
    root: &Path,
    folder: &str,
    suffix: &str,
) -> anyhow::Result<Vec<TextFile>> {
    paths_below(root, folder)?
        .into_iter()
        .filter(|path| path.ends_with(suffix))
        .map(|path| {
            Ok(TextFile {
                text: read(&root.join(&path))?,
                path,
            })
        })
        .collect()
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path
        .strip_prefix(root)
        .ok()?
        .components()
        .map(|part| part.as_os_str().to_str())
        .collect();
    Some(parts?.join("/"))
}
