//! Only one file has `unsafe` code.
//!
//! The workspace denies `unsafe`, but a source can allow it: this rule checks that only the file named here does.

use crate::workspace::TextFile;

/// The file, and what it needs `unsafe` for: the allocator's option, which only C can set.
const FILE: &str = "crates/server/src/allocator.rs";

/// This file, which names the lint to look for it.
const OWN: &str = "xtask/src/tidy/no_unsafe.rs";

const LINT: &str = "unsafe_code";

/// Other files that name the lint, in whatever way.
pub(super) fn problems(sources: &[TextFile]) -> Vec<String> {
    sources
        .iter()
        .filter(|file| file.path != FILE && file.path != OWN && file.text.contains(LINT))
        .map(|file| {
            format!(
                "{}: names the lint `{LINT}`, which only {FILE} may allow: use safe code, or a crate that provides it",
                file.path
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn the_lint_is_lifted_in_one_file() {
        let lifted = "#[expect(unsafe_code, reason = \"it must be\")]\nfn f() {}\n";
        let sources = [
            source(FILE, lifted),
            source("crates/api/src/lib.rs", lifted),
            source(
                "crates/domain/src/lib.rs",
                "#![warn(\n    unsafe_code\n)]\n",
            ),
            source("crates/cli/src/lib.rs", "#![expect(dead_code)]\n"),
        ];
        let found = problems(&sources);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("crates/api/src/lib.rs: "));
        assert!(found[1].starts_with("crates/domain/src/lib.rs: "));
    }
}
