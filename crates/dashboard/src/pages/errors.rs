//! The list of all problem codes, the target of a problem's `type`.

use askama::Template;
use httpkit::problem::{Code, MEDIA_TYPE};

use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::markdown;
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(super) const ROUTES: &[Route] = &[Route::get("/docs/errors", Access::Open, show)];

#[derive(Template)]
#[template(path = "pages/errors.html")]
struct Page {
    layout: Layout,
    media_type: &'static str,
    codes: Vec<Row>,
}

/// A code with its explanation.
struct Row {
    code: &'static str,
    status: u16,
    title: &'static str,
    /// Markup of our own.
    explanation: String,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let codes = Code::ALL.into_iter().map(|code| Row {
        code: code.as_str(),
        status: code.status().as_u16(),
        title: code.title(),
        explanation: markdown::to_html(code.explanation()),
    });
    Reply::page(&Page {
        layout: Layout::new(visit, "Errors of the API", Section::Errors).for_anybody(),
        media_type: MEDIA_TYPE,
        codes: codes.collect(),
    })
}
