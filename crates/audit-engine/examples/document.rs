//! Evaluates one document, without a network: `cargo run --example document -- page.html`.
//!
//! Only checks of a page run. Checks of headers, resources, links and the site need the audit of a site
//! (`examples/audit.rs`).

use audit_engine::check::Outcome;
use audit_engine::checks::catalogue;
use audit_engine::view::Page;
use audit_engine::{Evaluated, evaluate_page};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
#[expect(clippy::disallowed_methods, reason = "the caller is the example")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name an HTML file")?;
    for line in evaluate(&std::fs::read(path)?) {
        println!("{line}");
    }
    Ok(())
}

/// A line for each finding: the check, the line of the document, what is wrong.
fn evaluate(document: &[u8]) -> Vec<String> {
    let page = Page::builder()
        .url("https://example.com/menu.html")
        .body(document);
    let checks = catalogue();
    let evaluated = checks.iter().zip(evaluate_page(&checks, &page));
    let mut lines = Vec::new();
    for (check, found) in evaluated {
        let Evaluated::Answered(Outcome::Failed(failures) | Outcome::Graded(_, failures)) = found
        else {
            continue;
        };
        lines.extend(failures.iter().map(|found| {
            let line = found.line.map_or(String::new(), |line| format!(":{line}"));
            format!("{}{line}: {}", check.id, found.message)
        }));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::evaluate;

    #[test]
    fn an_image_without_alternative_is_found_in_its_line() {
        let lines =
            evaluate(b"<!doctype html>\n<html lang=en><title>Menu</title>\n<img src=cake.jpg>");
        let mut found = lines.iter().filter(|line| line.starts_with("image-alt:"));
        assert!(
            found
                .next()
                .is_some_and(|line| line.starts_with("image-alt:3: ")),
            "{lines:?}"
        );
    }
}
