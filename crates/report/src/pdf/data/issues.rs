//! The issues with their causes.

use domain::text::sentence;
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::view::{CauseView, IssueView, OccurrenceView, ReportView, is_web};

/// How many issues there are of each severity.
pub(super) fn severities(view: &ReportView<'_>) -> Value {
    let kinds = view.severities.iter().map(|count| {
        dict([
            ("severity", count.severity.as_str().into_value()),
            ("number", count.number.into_value()),
        ])
    });
    array(kinds.collect::<Vec<_>>())
}

pub(super) fn issues(set: &mut Typesetter<'_>, view: &ReportView<'_>) -> Value {
    let shown = view
        .issues
        .iter()
        .map(|found| issue(set, found, &view.issues));
    let shown: Vec<_> = shown.collect();
    dict([
        ("total", view.issues.len().into_value()),
        ("shown", array(shown)),
        ("overview", limits::OVERVIEW.into_value()),
    ])
}

fn issue(set: &mut Typesetter<'_>, view: &IssueView<'_>, all: &[IssueView<'_>]) -> Value {
    let issue = view.issue;
    dict([
        ("number", view.number.into_value()),
        ("severity", issue.severity.as_str().into_value()),
        ("title", set.words(&issue.title, limits::MESSAGE)),
        ("dimension", issue.dimension.label().into_value()),
        ("check", set.code(&issue.check_id, limits::NAME)),
        ("aside", set.words(&view.aside, limits::NAME)),
        ("gain", view.gain.as_str().into_value()),
        ("extent", view.extent.as_str().into_value()),
        ("why", set.prose(&issue.why)),
        ("fix", set.prose(&issue.recommendation)),
        ("references", references(set, view)),
        ("help", help(set, view)),
        ("causes", causes(set, view, all)),
        ("more-causes", view.more_causes.as_str().into_value()),
    ])
}

fn causes(set: &mut Typesetter<'_>, view: &IssueView<'_>, all: &[IssueView<'_>]) -> Value {
    let causes = view.causes.iter().map(|found| cause(set, found, all));
    array(causes.collect::<Vec<_>>())
}

/// A cause; without a headline where that would say no more than the issue's title.
fn cause(set: &mut Typesetter<'_>, view: &CauseView<'_>, all: &[IssueView<'_>]) -> Value {
    let repeated = view.repeats.and_then(|check_id| {
        let mut issues = all.iter();
        issues.find(|issue| issue.issue.check_id == check_id)
    });
    let headline = view.headline.map(|text| set.words(text, limits::MESSAGE));
    let places = view.occurrences.iter().map(|found| place(set, found));
    let places = array(places.collect::<Vec<_>>());
    dict([
        ("headline", optional(headline)),
        ("reach", view.reach.as_str().into_value()),
        (
            "issue",
            optional(repeated.map(|issue| issue.number.into_value())),
        ),
        ("places", places),
        ("more", more(view).into_value()),
    ])
}

/// An occurrence; values equal to those of the previous occurrence are omitted.
fn place(set: &mut Typesetter<'_>, view: &OccurrenceView<'_>) -> Value {
    let found = view.occurrence;
    let message = view.message.map(sentence);
    let message = message.map(|text| set.words(&text, limits::MESSAGE));
    let url = view.new_url.map(|url| set.code(url, limits::URL));
    let selector = found.selector.as_deref();
    let selector = selector.map(|text| set.code(text, limits::SELECTOR));
    let snippet = found.snippet.as_deref();
    let snippet = snippet.map(|text| set.code(text, limits::SNIPPET));
    dict([
        ("message", optional(message)),
        ("url", optional(url)),
        ("line", optional(found.line.map(IntoValue::into_value))),
        ("selector", optional(selector)),
        ("snippet", optional(snippet)),
    ])
}

/// "And 27 more occurrences."
fn more(cause: &CauseView<'_>) -> String {
    match &cause.more {
        None => String::new(),
        Some(more) if cause.occurrences.is_empty() => format!("Not listed: {more}."),
        Some(more) => format!("And {more}."),
    }
}

fn optional(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

/// Sources; a URL at the end of one is a link.
fn references(set: &mut Typesetter<'_>, view: &IssueView<'_>) -> Value {
    let references = view.references.iter().take(limits::REFERENCES);
    let references: Vec<_> = references
        .map(|reference| {
            dict([
                ("text", set.words(reference.text, limits::MESSAGE)),
                ("url", optional(reference.url.map(|url| link(set, url)))),
            ])
        })
        .collect();
    array(references)
}

/// The documentation of the check, which is ours.
fn help(set: &mut Typesetter<'_>, view: &IssueView<'_>) -> Value {
    if is_web(&view.help_url) {
        link(set, &view.help_url)
    } else {
        Value::None
    }
}

/// The link target and its text. A URL that is too long or unusual is shown without a link.
fn link(set: &mut Typesetter<'_>, url: &str) -> Value {
    let leads = url.len() <= limits::URL && url.bytes().all(|byte| byte.is_ascii_graphic());
    dict([
        ("to", optional(leads.then(|| url.into_value()))),
        ("text", set.code(url, limits::URL)),
    ])
}
