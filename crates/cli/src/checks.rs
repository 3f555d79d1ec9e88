//! `assay checks`: the catalogue.

use anyhow::Result;
use audit_engine::check::Check;
use audit_engine::checks::{catalogue, find};
use domain::Dimension;
use domain::score::penalty;
use serde_json::json;
use textwrap::{Options, WordSeparator, WordSplitter};

use crate::args::ChecksArgs;
use crate::exit::Exit;
use crate::output::{print_error, write_data, write_json};

/// Lists the checks, or explains one.
///
/// # Errors
/// When standard output cannot be written.
pub fn run_checks(args: &ChecksArgs) -> Result<Exit> {
    match &args.id {
        None if args.json => write_json(&list_json())?,
        None => write_data(&list_text())?,
        Some(id) => match find(id) {
            Some(check) if args.json => write_json(&one_json(check))?,
            Some(check) => write_data(&one_text(check))?,
            None => {
                print_error(None, &unknown_check(id));
                return Ok(Exit::CouldNotRun);
            }
        },
    }
    Ok(Exit::Fine)
}

/// The message for an unknown check id, with the most similar known id.
pub(crate) fn unknown_check(id: &str) -> String {
    let near = catalogue()
        .into_iter()
        .map(|check| (shared_words(check.id, id), check.id))
        .max_by_key(|(shared, known)| (*shared, std::cmp::Reverse(*known)))
        .filter(|(shared, _)| *shared > 0);
    match near {
        Some((_, known)) => {
            format!("unknown check {id}; did you mean {known}? `assay checks` lists all checks")
        }
        None => format!("unknown check {id}; `assay checks` lists all checks"),
    }
}

fn shared_words(a: &str, b: &str) -> usize {
    a.split('-')
        .filter(|word| b.split('-').any(|other| other == *word))
        .count()
}

/// The maximum number of columns of a line.
const WIDTH: usize = 80;

fn list_text() -> String {
    let mut out = String::new();
    for dimension in Dimension::ALL {
        out.push_str(&format!("{}\n", dimension.label()));
        for check in catalogue()
            .into_iter()
            .filter(|check| check.dimension == dimension)
        {
            let head = format!("  {:<31} {:<9}", check.id, check.severity.as_str());
            // A title that does not fit goes on a separate line.
            let long = head.len() + 1 + check.title.len() > WIDTH;
            let (head, gap) = if long {
                (head.trim_end(), "\n      ")
            } else {
                (head.as_str(), " ")
            };
            out.push_str(&format!("{head}{gap}{}\n", check.title));
        }
        out.push('\n');
    }
    out
}

/// The documentation with wrapped paragraphs; examples stay unchanged.
fn filled(markdown: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in reflowed_outside_fences(markdown) {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        if fenced || line.starts_with("```") {
            out.push_str(&line);
        } else {
            let indent = if line.starts_with("- ") { "  " } else { "" };
            let options = Options::new(WIDTH)
                .subsequent_indent(indent)
                .break_words(false)
                .word_separator(WordSeparator::AsciiSpace)
                .word_splitter(WordSplitter::NoHyphenation);
            out.push_str(&textwrap::fill(&line, options));
        }
        out.push('\n');
    }
    out
}

/// Joins the lines of each paragraph and list item.
fn reflowed_outside_fences(markdown: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut fenced = false;
    for line in markdown
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
    {
        let fence = line.starts_with("```");
        let joins = !fenced && !fence && !line.trim().is_empty() && !line.starts_with(['#', '-']);
        match lines.last_mut() {
            Some(last) if joins && is_text(last) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => lines.push(line.to_owned()),
        }
        fenced ^= fence;
    }
    lines
}

/// Whether the next line may continue this one: it is not a heading, a fence or blank.
fn is_text(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with(['#', '`'])
}

fn list_json() -> String {
    let checks: Vec<_> = catalogue().into_iter().map(summary).collect();
    format!("{:#}\n", json!({ "checks": checks }))
}

fn summary(check: &Check) -> serde_json::Value {
    json!({
        "checkId": check.id,
        "title": check.title,
        "dimension": check.dimension.as_str(),
        "scope": check.scope.as_str(),
        "severity": check.severity.as_str(),
        "weight": penalty(check.severity).to_score(),
        "needsBrowser": check.needs(audit_engine::check::Need::Browser),
    })
}

fn one_json(check: &Check) -> String {
    let docs = check.documentation();
    let mut value = summary(check);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("whatItChecks".to_owned(), json!(docs.what));
        fields.insert("whyItMatters".to_owned(), json!(docs.why));
        fields.insert("howToFixIt".to_owned(), json!(docs.fix));
        fields.insert("limits".to_owned(), json!(docs.limits));
        fields.insert("alsoKnownAs".to_owned(), json!(docs.known_as));
        fields.insert("references".to_owned(), json!(docs.references));
    }
    format!("{value:#}\n")
}

fn one_text(check: &Check) -> String {
    let header = format!(
        "{}\n{}\n\n{} · {} · up to {} points · judged for each {}\n\n",
        check.id,
        check.title,
        check.dimension.label(),
        check.severity,
        penalty(check.severity).to_score(),
        check.scope.as_str()
    );
    format!("{header}{}\n", filled(check.docs).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_the_catalogue_is_longer_than_a_terminal() {
        for line in list_text().lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn paragraphs_are_filled_and_examples_are_kept() {
        let words = "word ".repeat(40);
        let text = filled(&format!(
            "## Head\n{words}\n- {words}\n```html\n{words}\n```\n"
        ));
        assert!(text.starts_with("## Head\nword word"));
        assert!(text.contains("\n- word") && text.contains("\n  word"));
        assert!(text.contains(&format!("```html\n{words}\n```")));
        let long = text.lines().filter(|line| line.len() > WIDTH).count();
        assert_eq!(long, 1);
    }
}
