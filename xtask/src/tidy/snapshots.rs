//! Unreferenced snapshot files, and snapshots that are not accepted.

use crate::workspace::TextFile;

/// Snapshots whose test is gone.
///
/// A snapshot names the source of its test in its head. That source must exist, and must hold the
/// snapshot's name, as a string or as the name of a function.
pub(super) fn unreferenced(snapshots: &[TextFile], sources: &[TextFile]) -> Vec<String> {
    snapshots
        .iter()
        .filter_map(|snapshot| {
            let path = &snapshot.path;
            let Some(source) = source_of(&snapshot.text) else {
                return Some(format!("{path} does not name its source"));
            };
            let Some(source) = sources.iter().find(|file| file.path == source) else {
                return Some(format!(
                    "{path} belongs to {source}, which does not exist: remove the snapshot"
                ));
            };
            let name = snapshot_name(path);
            (!mentions(&source.text, name)).then(|| {
                format!(
                    "{path} is not referenced: {} has no snapshot `{name}`; remove the file",
                    source.path
                )
            })
        })
        .collect()
}

/// Snapshots that a test wrote and that are not accepted.
pub(super) fn pending(paths: &[String]) -> Vec<String> {
    paths
        .iter()
        .filter(|path| path.ends_with(".snap.new") || path.ends_with(".pending-snap"))
        .map(|path| format!("{path} must be reviewed and accepted"))
        .collect()
}

fn source_of(snapshot: &str) -> Option<&str> {
    snapshot
        .lines()
        .skip(1)
        .take_while(|line| *line != "---")
        .find_map(|line| line.strip_prefix("source: "))
        .map(|source| source.trim().trim_matches('"'))
}

/// The name within its module: without the module's path, the suffix and the number of a repetition.
fn snapshot_name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.strip_suffix(".snap").unwrap_or(file);
    let name = stem.rsplit("__").next().unwrap_or(stem);
    let name = name.split('@').next().unwrap_or(name);
    match name.rsplit_once('-') {
        Some((before, number))
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            before
        }
        _ => name,
    }
}

fn mentions(source: &str, name: &str) -> bool {
    // Cases of a parametrized test are numbered; their function's name is in the module's path.
    name.starts_with("case_")
        || source.contains(&format!("\"{name}\""))
        || source.contains(&format!("fn {name}("))
        || source.contains(&format!("fn test_{name}("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    const HEAD: &str = "---\nsource: crates/report/tests/text.rs\nexpression: x\n---\nbody\n";

    #[test]
    fn a_snapshot_of_a_function_or_a_name_is_referenced() {
        let source = file(
            "crates/report/tests/text.rs",
            "fn a_short_report() {}\nassert_snapshot!(\"by_name\", x)",
        );
        for path in [
            "crates/report/tests/snapshots/text__a_short_report.snap",
            "crates/report/tests/snapshots/text__a_short_report-2.snap",
            "crates/report/tests/snapshots/text__a_short_report@wide.snap",
            "crates/report/tests/snapshots/text__by_name.snap",
        ] {
            assert_eq!(
                unreferenced(&[file(path, HEAD)], std::slice::from_ref(&source)),
                Vec::<String>::new(),
                "{path}"
            );
        }
    }

    #[test]
    fn a_snapshot_whose_test_or_source_is_gone_is_found() {
        let snapshot = file("crates/report/tests/snapshots/text__gone.snap", HEAD);
        let source = file("crates/report/tests/text.rs", "fn other() {}");
        let found = unreferenced(std::slice::from_ref(&snapshot), &[source]);
        assert!(found[0].contains("no snapshot `gone`"), "{found:?}");
        let found = unreferenced(&[snapshot], &[]);
        assert!(found[0].contains("does not exist"), "{found:?}");
    }

    #[test]
    fn a_snapshot_without_a_source_is_found() {
        let found = unreferenced(&[file("a/snapshots/x.snap", "---\n---\nsource: y\n")], &[]);
        assert!(found[0].contains("does not name"), "{found:?}");
    }

    #[test]
    fn a_snapshot_that_nobody_accepted_is_found() {
        let paths = ["a/x.snap".to_owned(), "a/x.snap.new".to_owned()];
        assert_eq!(
            pending(&paths),
            ["a/x.snap.new must be reviewed and accepted"]
        );
    }
}
