//! The catalogue of checks, with search.

use askama::Template;
use domain::ports::CheckInfo;
use domain::text::count;
use domain::{Dimension, Severity};
use report::view::severity_mark;

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::catalogue::catalogue;
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[Route::get("/checks", Access::Open, show)];

/// The section of a check's documentation with its names in other tools.
const OTHER_NAMES: &str = "## Also known as";
/// The most characters of a text that is searched for.
const MAX_CHARS: usize = 200;

#[derive(Template)]
#[template(path = "pages/checks.html")]
struct Page {
    layout: Layout,
    text: String,
    dimension: Option<Dimension>,
    dimensions: &'static [Dimension],
    is_filtered: bool,
    told: String,
    groups: Vec<Group>,
}

/// The checks of a dimension.
struct Group {
    dimension: Dimension,
    rows: Vec<Row>,
}

struct Row {
    id: String,
    title: String,
    severity: Severity,
    mark: &'static str,
    scope: String,
    needs_browser: bool,
}

impl Row {
    fn new(check: CheckInfo) -> Self {
        Self {
            id: check.id,
            title: check.title,
            severity: check.severity,
            mark: severity_mark(check.severity),
            scope: check.scope,
            needs_browser: check.needs_browser,
        }
    }
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let dimensions = visit.variant().dimensions();
    let text: String = visit.query.text("q").chars().take(MAX_CHARS).collect();
    let wanted = Dimension::named(visit.query.text("dimension"));
    let mut checks = catalogue(visit);
    let in_all = checks.len();
    checks.retain(|check| wanted.is_none_or(|wanted| wanted == check.dimension));
    let words = text.to_lowercase();
    checks.retain(|check| is_found(check, &words));
    let is_filtered = wanted.is_some() || !text.is_empty();
    let all = count(u64::try_from(in_all).unwrap_or(u64::MAX), "check", "checks");
    Reply::page(&Page {
        layout: Layout::new(visit, "Checks", Section::Checks).for_anybody(),
        told: match is_filtered {
            true => format!("{} of {all}", checks.len()),
            false => all,
        },
        groups: grouped(dimensions, checks),
        dimension: wanted,
        text,
        dimensions,
        is_filtered,
    })
}

/// Whether all words, in lower case, are in the id, the title or the names in other tools.
fn is_found(check: &CheckInfo, words: &str) -> bool {
    let texts = [
        check.id.as_str(),
        check.title.as_str(),
        other_names(&check.documentation),
    ];
    let texts = texts.map(str::to_lowercase);
    let mut words = words.split_whitespace();
    words.all(|word| texts.iter().any(|text| text.contains(word)))
}

/// The section with the names that other tools give a check; empty where there is none.
fn other_names(documentation: &str) -> &str {
    let behind = documentation.split_once(OTHER_NAMES);
    let names = behind.map_or("", |(_, names)| names);
    names
        .split_once("\n ## ")
        .or_else(|| names.split_once("\n## "))
        .map_or(names, |(names, _)| names)
}

/// The checks by dimension, without dimensions that have none.
fn grouped(dimensions: &[Dimension], checks: Vec<CheckInfo>) -> Vec<Group> {
    let mut groups: Vec<_> = dimensions
        .iter()
        .map(|&dimension| Group {
            dimension,
            rows: Vec::new(),
        })
        .collect();
    for check in checks {
        let mut groups = groups.iter_mut();
        if let Some(group) = groups.find(|group| group.dimension == check.dimension) {
            group.rows.push(Row::new(check));
        }
    }
    groups.retain(|group| !group.rows.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check() -> CheckInfo {
        CheckInfo {
            id: "image-alt".to_owned(),
            title: "Images without a text alternative".to_owned(),
            dimension: Dimension::Accessibility,
            scope: "page".to_owned(),
            severity: Severity::Critical,
            needs_browser: false,
            documentation:
                " ## Limits\n\n None.\n\n ## Also known as\n\n - axe: `role-img-alt`\n\n ## References\n\n - WCAG\n"
                    .to_owned(),
        }
    }

    #[test]
    fn a_check_is_found_by_id_title_and_other_names() {
        for (words, is_there) in [
            ("", true),
            ("image-alt", true),
            ("text images", true),
            ("role-img", true),
            ("axe images", true),
            ("limits", false),
            ("wcag", false),
            ("images video", false),
        ] {
            assert_eq!(is_found(&check(), words), is_there, "{words}");
        }
    }

    #[test]
    fn dimensions_without_checks_are_left_out() {
        let groups = grouped(&Dimension::ALL, vec![check()]);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].rows.len(), 1);
    }
}
