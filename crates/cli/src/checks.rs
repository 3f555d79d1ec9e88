//! `assay checks`: the catalogue.

use anyhow::Result;
use audit_engine::check::Check;
use audit_engine::checks::{catalogue, find};
use domain::Dimension;
use serde_json::json;

use crate::args::ChecksArgs;
use crate::exit::Exit;
use crate::output::{print_error, write_data};

/// Lists the checks, or explains one.
///
/// # Errors
/// When the standard output cannot be written.
pub fn run_checks(args: &ChecksArgs) -> Result<Exit> {
    match &args.id {
        None => write_data(&if args.json { list_json() } else { list_text() })?,
        Some(id) => match find(id) {
            Some(check) => {
                write_data(&if args.json {
                    one_json(check)
                } else {
                    one_text(check)
                })?;
            }
            None => {
                print_error(None, &unknown_check(id));
                return Ok(Exit::CouldNotRun);
            }
        },
    }
    Ok(Exit::Fine)
}

/// The message for an id that is no check's, with the nearest one that is.
pub(crate) fn unknown_check(id: &str) -> String {
    let near = catalogue()
        .into_iter()
        .map(|check| (shared_words(check.id, id), check.id))
        .max_by_key(|(shared, known)| (*shared, std::cmp::Reverse(*known)))
        .filter(|(shared, _)| *shared > 0);
    match near {
        Some((_, known)) => {
            format!("there is no check {id}; did you mean {known}? `assay checks` lists them all")
        }
        None => format!("there is no check {id}; `assay checks` lists them all"),
    }
}

fn shared_words(a: &str, b: &str) -> usize {
    a.split('-')
        .filter(|word| b.split('-').any(|other| other == *word))
        .count()
}

fn list_text() -> String {
    let mut out = String::new();
    for dimension in Dimension::ALL {
        out.push_str(&format!("{}\n", dimension.label()));
        for check in catalogue()
            .into_iter()
            .filter(|check| check.dimension == dimension)
        {
            out.push_str(&format!(
                "  {:<30} {:<9} {}\n",
                check.id,
                check.severity.as_str(),
                check.title
            ));
        }
        out.push('\n');
    }
    out
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
        "weight": check.severity.weight(),
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
        fields.insert("references".to_owned(), json!(docs.references));
    }
    format!("{value:#}\n")
}

fn one_text(check: &Check) -> String {
    let header = format!(
        "{}\n{}\n\n{} · {} · weight {} · judged for each {}\n\n",
        check.id,
        check.title,
        check.dimension.label(),
        check.severity,
        check.severity.weight(),
        check.scope.as_str()
    );
    let body: Vec<&str> = check
        .docs
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    format!("{header}{}\n", body.join("\n").trim_end())
}
