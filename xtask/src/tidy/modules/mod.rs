//! No import cycle between the folders of a crate.
//!
//! A folder is a module with child modules in separate files. Among the modules below one parent, import cycles
//! that include a folder are not allowed, whether direct or through a third module. Two files may import each
//! other, because they often contain one type. Imports between a module and its child modules are ignored, and so
//! is code compiled only for tests.

mod cycle;
mod imports;
mod source;
mod tree;

use std::collections::BTreeMap;

use crate::workspace::TextFile;
use tree::Tree;

/// Every cycle, a sentence each.
pub(super) fn problems(sources: &[TextFile]) -> Vec<String> {
    let files: BTreeMap<&str, &str> = sources
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let mut found = Vec::new();
    for root in files.keys().filter(|path| is_crate_root(path)) {
        match Tree::read(root, &files) {
            Ok(tree) => found.extend(cycle::problems(&tree, &imports::find(&tree))),
            Err(error) => found.push(error),
        }
    }
    found
}

/// The root module of a library or of a program.
fn is_crate_root(path: &str) -> bool {
    path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<TextFile> = files
            .iter()
            .map(|(path, text)| TextFile {
                path: format!("crates/a/src/{path}"),
                text: (*text).to_owned(),
            })
            .collect();
        problems(&sources)
    }

    #[test]
    fn folders_that_import_each_other_are_found() {
        let found = found(&[
            ("lib.rs", "mod crawl; mod run;"),
            ("crawl/mod.rs", "mod visit;"),
            (
                "crawl/visit.rs",
                "use crate::run::{Budget, start::Start as S};",
            ),
            ("run/mod.rs", "mod start; pub struct Budget;"),
            ("run/start.rs", "fn f() { crate::crawl::visit::go() }"),
        ]);
        assert_eq!(
            found,
            ["crates/a/src: `crawl` and `run` import each other: \
                 crates/a/src/crawl/visit.rs imports crates/a/src/run/mod.rs; \
                 crates/a/src/crawl/visit.rs imports crates/a/src/run/start.rs; \
                 crates/a/src/run/start.rs imports crates/a/src/crawl/visit.rs: \
                 move their shared code into a module below them"]
        );
    }

    #[test]
    fn a_cycle_may_go_by_a_third_module() {
        let found = found(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use super::b::B;"),
            ("b/mod.rs", "mod d; use crate::c;"),
            ("b/d.rs", ""),
            ("c.rs", "use crate::a::A;"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("`a`, `b` and `c` import each other"),
            "{found:?}"
        );
    }

    #[test]
    fn a_name_stands_for_the_module_that_declares_it() {
        let found = found(&[
            ("lib.rs", "mod a; mod b; pub use a::Thing;"),
            (
                "a/mod.rs",
                "mod thing; pub use thing::Thing; use crate::b::f;",
            ),
            ("a/thing.rs", "pub struct Thing;"),
            ("b.rs", "use crate::Thing; pub fn f() {}"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("crates/a/src/b.rs imports crates/a/src/a/thing.rs"),
            "{found:?}"
        );
    }

    #[test]
    fn glob_imports_and_macro_bodies_count() {
        let found = found(&[
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod inner; pub use inner::*;"),
            ("a/inner.rs", "declare! { BODY => crate::b::judge(x) }"),
            ("b.rs", "use crate::a::*;"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn folders_below_a_folder_are_looked_at_too() {
        let found = found(&[
            ("lib.rs", "mod top;"),
            ("top.rs", "mod a; mod b;"),
            ("top/a.rs", "use super::b;"),
            ("top/b/mod.rs", "mod c; use super::a;"),
            ("top/b/c.rs", ""),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("crates/a/src/top: `a` and `b` "),
            "{found:?}"
        );
    }

    #[test]
    fn two_files_tests_and_ones_own_parent_are_left_alone() {
        let found = found(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::a::A; pub struct B;"),
            ("c/mod.rs", "mod d; pub struct C; use d::D;"),
            (
                "c/d.rs",
                "use super::C; pub struct D; #[cfg(test)] mod tests { use crate::e::E; } #[cfg(test)] use crate::a::A;",
            ),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn a_file_that_is_missing_or_no_rust_is_named() {
        let missing = found(&[("lib.rs", "mod a;")]);
        assert_eq!(
            missing,
            [
                "crates/a/src/lib.rs: declares the module `a`, but neither crates/a/src/a.rs nor crates/a/src/a/mod.rs exists"
            ]
        );
        let broken = found(&[("lib.rs", "fn f( {")]);
        assert!(
            broken[0].starts_with("crates/a/src/lib.rs: is not valid Rust: "),
            "{broken:?}"
        );
    }
}
