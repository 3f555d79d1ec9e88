//! One file has `unsafe` code.
//!
//! The workspace denies it, which a source could lift: this holds that only the file named here does.

use super::lints::lifts;
use crate::workspace::TextFile;

/// The file, and what it needs `unsafe` for: the allocator's option, which only C can set.
const FILE: &str = "crates/server/src/allocator.rs";

/// Other files that lift the lint.
pub(super) fn problems(sources: &[TextFile]) -> Vec<String> {
    sources
        .iter()
        .filter(|file| file.path != FILE && lifts(&file.text, &["unsafe_code"]))
        .map(|file| {
            format!(
                "{}: lifts the ban on `unsafe`, which {FILE} alone may: find a safe way, or a crate that has one",
                file.path
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, lint: &str) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: format!("use a::b;\n\n#[expect({lint}, reason = \"it must be\")]\nfn f() {{}}\n"),
        }
    }

    #[test]
    fn unsafe_code_is_found_everywhere_but_in_one_file() {
        let sources = [
            source(FILE, "unsafe_code"),
            source("crates/api/src/lib.rs", "unsafe_code"),
            source("crates/cli/src/lib.rs", "dead_code"),
        ];
        let found = problems(&sources);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/api/src/lib.rs: "));
    }
}
