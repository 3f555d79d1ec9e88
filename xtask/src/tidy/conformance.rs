//! `docs/conformance.md`: every line of the specification names tests, and these exist.

use crate::workspace::TextFile;

/// The page.
pub(super) const PAGE: &str = "docs/conformance.md";

/// The text before the name of a test.
const TEST_ATTRIBUTES: [&str; 3] = ["#[test]", "#[rstest]", "::test]"];
/// The contract suite of the stores.
const CONTRACT: &str = "crates/storage/tests/contract/";
/// Lines of attributes that a test has at most.
const ATTRIBUTE_LINES: usize = 80;

/// The errors of the page, one sentence each. `sources` are Rust files.
pub(super) fn problems(page: &str, sources: &[TextFile]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rows = 0;
    for (number, line) in (1..).zip(page.lines()) {
        let Some(row) = row(line) else { continue };
        rows += 1;
        let at = format!("{PAGE}:{number}");
        let mut named = 0;
        for reference in code_spans(row).filter(|span| span.contains(".rs::")) {
            named += 1;
            if let Err(why) = check(reference, sources) {
                found.push(format!("{at}: `{reference}`: {why}"));
            }
        }
        if named == 0 {
            found.push(format!("{at}: the line names no test"));
        }
    }
    if rows == 0 {
        found.push(format!("{PAGE}: the table is empty"));
    }
    found
}

/// The last cell of a row of a table that is neither its head nor the rule below that.
fn row(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    if inner.chars().all(|c| "-| :".contains(c)) || inner.ends_with("| Shown by") {
        return None;
    }
    inner.rsplit(" | ").next()
}

fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn check(reference: &str, sources: &[TextFile]) -> Result<(), &'static str> {
    let (path, name) = reference.split_once("::").ok_or("not FILE::TEST")?;
    let file = sources.iter().find(|file| file.path == path);
    let file = file.ok_or("no such file")?;
    let before = file
        .text
        .split_once(&format!("fn {name}("))
        .map(|(before, _)| before)
        .ok_or("no such function in the file")?;
    // What stands before the name on its own line says `async` at most.
    let above = before.rsplit_once('\n').map_or("", |(above, _)| above);
    let is_test = above
        .lines()
        .rev()
        .take(ATTRIBUTE_LINES)
        .take_while(|line| !line.starts_with('}') && !line.ends_with(';'))
        .any(|line| TEST_ATTRIBUTES.iter().any(|known| line.contains(known)));
    // The behaviours of the contract suite are run over every store by one macro.
    let is_behaviour = path.starts_with(CONTRACT)
        && file
            .text
            .contains(&format!("pub(crate) fn {name}(stores: &dyn Stores)"));
    if is_test || is_behaviour {
        Ok(())
    } else {
        Err("the function is not a test")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "| Line | What it says | Shown by |\n|---|---|---|\n";

    fn check(row: &str) -> Vec<String> {
        let text = "use a;\n\nfn helper() {\n}\n\n#[rstest]\n#[case(1)]\nasync fn it_works(n: u8) {\n}\n\n#[test]\nfn it_works_too() {\n}\n\nfn none() {\n}\n";
        let sources = [TextFile {
            path: "crates/a/tests/b.rs".to_owned(),
            text: text.to_owned(),
        }];
        problems(&format!("{HEAD}{row}\n"), &sources)
    }

    #[test]
    fn tests_that_exist_are_fine() {
        for name in ["it_works", "it_works_too"] {
            let row = format!("| 1 | It works. | `crates/a/tests/b.rs::{name}` |");
            assert_eq!(check(&row), Vec::<String>::new());
        }
    }

    #[test]
    fn all_else_is_named_with_its_line() {
        for (row, why) in [
            ("| 1 | It works. | - |", "names no test"),
            (
                "| 1 | It works. | `crates/a/tests/c.rs::it_works` |",
                "no such file",
            ),
            (
                "| 1 | It works. | `crates/a/tests/b.rs::it_fails` |",
                "no such function",
            ),
            (
                "| 1 | It works. | `crates/a/tests/b.rs::helper` |",
                "is not a test",
            ),
            (
                "| 1 | It works. | `crates/a/tests/b.rs::none` |",
                "is not a test",
            ),
        ] {
            let found = check(row);
            assert_eq!(found.len(), 1, "{row}");
            assert!(
                found[0].starts_with("docs/conformance.md:3: ") && found[0].contains(why),
                "{found:?}"
            );
        }
        assert_eq!(problems("", &[]).len(), 1);
    }
}
