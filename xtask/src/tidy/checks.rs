//! A check is one file, named after its id, in the list of its dimension.

use std::collections::BTreeMap;

use audit_engine::check::Check;

use crate::new_check::{PROMPT, valid_id};
use crate::workspace::TextFile;

/// Where the folders of the dimensions are.
pub(super) const FOLDER: &str = "crates/audit-engine/src/checks";

/// Violations of the layout of the catalogue.
pub(super) fn problems(catalogue: &[&Check], files: &[TextFile]) -> Vec<String> {
    let listed: Vec<Listed<'_>> = catalogue
        .iter()
        .map(|check| Listed {
            id: check.id,
            folder: check.dimension.folder(),
            docs: check.docs,
        })
        .collect();
    let mut found = ids(&listed);
    found.extend(unlisted(&listed, files));
    found.extend(misplaced(&listed, files));
    found
}

/// What the rules need to know of a check in the catalogue.
#[derive(Debug, Clone, Copy)]
struct Listed<'a> {
    id: &'a str,
    folder: &'a str,
    docs: &'a str,
}

impl Listed<'_> {
    fn path(&self) -> String {
        format!("{FOLDER}/{}/{}.rs", self.folder, self.id.replace('-', "_"))
    }
}

fn ids(listed: &[Listed<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeMap::new();
    for check in listed {
        if let Err(error) = valid_id(check.id) {
            found.push(error.to_string());
        }
        if let Some(other) = seen.insert(check.id, check.folder) {
            found.push(format!(
                "the id `{}` is used twice, in {other} and in {}",
                check.id, check.folder
            ));
        }
        if check.docs.contains(PROMPT) {
            found.push(format!(
                "the documentation of `{}` still contains the scaffold's placeholder `{PROMPT}`",
                check.id
            ));
        }
    }
    found
}

/// Files of checks that are in no list.
fn unlisted(listed: &[Listed<'_>], files: &[TextFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let declared = declared_ids(&file.text);
        if declared.len() > 1 {
            found.push(format!(
                "{} declares {} checks: declare one check per file",
                file.path,
                declared.len()
            ));
        }
        for id in declared {
            if !listed.iter().any(|check| check.id == id) {
                found.push(format!(
                    "{} declares `{id}`, which is not in the list of its dimension: add it to CHECKS in mod.rs",
                    file.path
                ));
            }
        }
    }
    found
}

/// Checks of the catalogue that are not declared in the file of their name.
fn misplaced(listed: &[Listed<'_>], files: &[TextFile]) -> Vec<String> {
    listed
        .iter()
        .filter(|check| {
            let path = check.path();
            !files
                .iter()
                .any(|file| file.path == path && declared_ids(&file.text).contains(&check.id))
        })
        .map(|check| {
            format!(
                "the check `{}` must be declared in {}",
                check.id,
                check.path()
            )
        })
        .collect()
}

/// The ids behind each `declare_check!` of a source.
fn declared_ids(source: &str) -> Vec<&str> {
    source
        .split("\ndeclare_check! {")
        .skip(1)
        .filter_map(|declaration| {
            declaration
                .lines()
                .find_map(|line| line.trim().strip_prefix("id: \""))?
                .split('"')
                .next()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(id: &'static str) -> Listed<'static> {
        Listed {
            id,
            folder: "seo",
            docs: "",
        }
    }

    fn file(name: &str, ids: &[&str]) -> TextFile {
        let declarations: Vec<String> = ids
            .iter()
            .map(|id| format!("\ndeclare_check! {{\n    X {{\n        id: \"{id}\",\n"))
            .collect();
        TextFile {
            path: format!("{FOLDER}/seo/{name}.rs"),
            text: declarations.concat(),
        }
    }

    #[test]
    fn a_listed_check_in_the_file_of_its_name_is_fine() {
        let listed = [listed("title-missing")];
        let files = [file("title_missing", &["title-missing"]), file("mod", &[])];
        assert!(ids(&listed).is_empty());
        assert!(unlisted(&listed, &files).is_empty());
        assert!(misplaced(&listed, &files).is_empty());
    }

    #[test]
    fn a_check_in_a_file_of_another_name_is_found() {
        let found = misplaced(
            &[listed("title-missing")],
            &[file("titles", &["title-missing"])],
        );
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("seo/title_missing.rs"), "{found:?}");
    }

    #[test]
    fn a_file_that_is_in_no_list_is_found() {
        let found = unlisted(&[], &[file("title_missing", &["title-missing"])]);
        assert!(found[0].contains("add it to CHECKS"), "{found:?}");
    }

    #[test]
    fn two_checks_in_one_file_are_found() {
        let both = [listed("a"), listed("b")];
        let found = unlisted(&both, &[file("a", &["a", "b"])]);
        assert!(found[0].contains("declares 2 checks"), "{found:?}");
    }

    #[test]
    fn bad_and_repeated_ids_are_found() {
        let found = ids(&[listed("no-title"), listed("a"), listed("a")]);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn a_prompt_that_nobody_replaced_is_found() {
        let docs = format!("## What it checks\n{PROMPT} what.");
        let check = Listed {
            docs: &docs,
            ..listed("a")
        };
        assert_eq!(ids(&[check]).len(), 1);
    }
}
