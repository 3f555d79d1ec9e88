//! The documentation of a check, the target of an issue's `helpUrl`: a page, or with `.md` after the id its Markdown.

use askama::Template;
use domain::ports::CheckInfo;
use domain::score::penalty;
use report::view::{Reference, severity_mark};

use super::catalogue::catalogue;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::markdown;
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[Route::get("/checks/{check}", Access::Open, show)];

#[derive(Template)]
#[template(path = "pages/check.html")]
struct Page {
    layout: Layout,
    check: CheckInfo,
    mark: &'static str,
    /// Points that the check takes at most.
    points: String,
    /// Markup of our own.
    documentation: String,
    /// The checks before and after it in the catalogue.
    previous: Option<Neighbour>,
    next: Option<Neighbour>,
}

/// A check that another one leads to.
struct Neighbour {
    id: String,
    title: String,
}

impl From<CheckInfo> for Neighbour {
    fn from(check: CheckInfo) -> Self {
        Self {
            id: check.id,
            title: check.title,
        }
    }
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let name = visit.parameter("check");
    let (id, is_markdown) = match name.strip_suffix(".md") {
        Some(id) => (id, true),
        None => (name, false),
    };
    let mut before = catalogue(visit);
    let at = before.iter().position(|check| check.id == id);
    let mut rest = before.split_off(at.ok_or(Failure::NotFound)?).into_iter();
    let check = rest.next().ok_or(Failure::NotFound)?;
    if is_markdown {
        return Ok(Reply::text("text/markdown; charset=utf-8", source(&check)));
    }
    Reply::page(&Page {
        layout: Layout::new(visit, check.title.as_str(), Section::Checks).for_anybody(),
        mark: severity_mark(check.severity),
        points: penalty(check.severity).to_score().to_string(),
        documentation: markdown::to_html(&linked(&markdown::unindented(&check.documentation))),
        previous: before.pop().map(Neighbour::from),
        next: rest.next().map(Neighbour::from),
        check,
    })
}

/// The documentation as Markdown, with the same facts as the page.
fn source(check: &CheckInfo) -> String {
    let browser = if check.needs_browser { "yes" } else { "no" };
    format!(
        "# {}\n\n- Check: `{}`\n- Dimension: {}\n- Severity: {} (up to {} points)\n- Scope: {}\n- Needs a browser: {browser}\n\n{}\n",
        check.title,
        check.id,
        check.dimension.label(),
        check.severity,
        penalty(check.severity).to_score(),
        check.scope,
        markdown::unindented(&check.documentation).trim_end(),
    )
}

/// The documentation with links to its references: each is one item of the list below "References".
fn linked(documentation: &str) -> String {
    let mut is_reference = false;
    let lines = documentation.lines().map(|line| {
        if let Some(heading) = line.strip_prefix("## ") {
            is_reference = heading.trim() == "References";
        }
        match line.strip_prefix("- ") {
            Some(reference) if is_reference => item(reference.trim()),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn item(reference: &str) -> String {
    let found = Reference::new(reference);
    let Some(url) = found.url else {
        return format!("- {reference}");
    };
    let text = match found.text {
        "" => reference,
        text => text,
    };
    format!("- [{text}](<{url}>)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_links_where_their_url_is_known() {
        let documentation = "## What it checks\n- WCAG 2.2\n\n## References\n- RFC 9110, section 15.5\n- A book\n- Its page https://example.com/a_b\n- https://example.com/";
        let expected = "## What it checks\n- WCAG 2.2\n\n## References\n- [RFC 9110, section 15.5](<https://www.rfc-editor.org/rfc/rfc9110#section-15.5>)\n- A book\n- [Its page](<https://example.com/a_b>)\n- [https://example.com/](<https://example.com/>)";
        assert_eq!(linked(documentation), expected);
    }
}
