//! The issues with their causes.

use domain::text::sentence;
use typst::foundations::{IntoValue, Value};

use super::super::limits::{self, Detail};
use super::super::typeset::{Typesetter, array, dict};
use super::pictures::Pictures;
use crate::view::{CauseView, IssueView, OccurrenceView, ReportView, is_web};
use crate::wording::issue::{in_points, reach};

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

/// The issues of the first page, a row each.
pub(super) fn first(set: &mut Typesetter<'_>, view: &ReportView<'_>) -> Value {
    rows(set, view.issues.iter().take(limits::FIRST))
}

/// The issues without an entry, a row each.
pub(super) fn further(set: &mut Typesetter<'_>, view: &ReportView<'_>, detail: Detail) -> Value {
    let without = view.issues.iter().skip(detail.entries);
    rows(set, without.take(detail.further))
}

fn rows<'a>(set: &mut Typesetter<'_>, issues: impl Iterator<Item = &'a IssueView<'a>>) -> Value {
    let rows: Vec<_> = issues
        .map(|view| {
            let issue = view.issue;
            dict([
                ("number", view.number.into_value()),
                ("severity", issue.severity.as_str().into_value()),
                ("title", set.words(&issue.title, limits::TITLE)),
                ("dimension", issue.dimension.label().into_value()),
                ("reach", reach(issue).into_value()),
                ("effort", set.words(&issue.effort, limits::TITLE)),
                ("gain", points(view).into_value()),
            ])
        })
        .collect();
    array(rows)
}

/// "+3.2"; empty where nothing is gained.
fn points(view: &IssueView<'_>) -> String {
    view.points.map_or_else(String::new, in_points)
}

/// The issues with an entry, in short.
pub(super) fn entries(
    set: &mut Typesetter<'_>,
    view: &ReportView<'_>,
    most: usize,
    pictures: &mut Pictures<'_>,
) -> Value {
    let all = &view.issues;
    let shown = all.iter().take(most);
    let entries: Vec<_> = shown
        .map(|view| {
            let texts = Texts {
                why: set.short_prose(&view.issue.why),
                fix: set.short_prose(&view.issue.recommendation),
            };
            issue(set, view, texts, (all, pictures))
        })
        .collect();
    array(entries)
}

/// All issues with their texts whole, for the appendix.
pub(super) fn all(set: &mut Typesetter<'_>, view: &ReportView<'_>) -> Value {
    let all = &view.issues;
    let shown: Vec<_> = all
        .iter()
        .map(|view| {
            let texts = Texts {
                why: set.prose(&view.issue.why),
                fix: set.prose(&view.issue.recommendation),
            };
            issue(set, view, texts, (all, &mut Pictures::none()))
        })
        .collect();
    array(shown)
}

/// The texts of an issue, as long as its place allows.
struct Texts {
    why: Value,
    fix: Value,
}

fn issue(
    set: &mut Typesetter<'_>,
    view: &IssueView<'_>,
    texts: Texts,
    (all, pictures): (&[IssueView<'_>], &mut Pictures<'_>),
) -> Value {
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
        ("waivers", waivers(set, view)),
        ("why", texts.why),
        ("fix", texts.fix),
        ("references", references(set, view)),
        ("help", help(set, view)),
        ("causes", causes(set, view, all, pictures)),
        ("more-causes", view.more_causes.as_str().into_value()),
    ])
}

fn waivers(set: &mut Typesetter<'_>, view: &IssueView<'_>) -> Value {
    let lines = view.waivers.iter();
    let lines: Vec<_> = lines.map(|line| set.words(line, limits::MESSAGE)).collect();
    array(lines)
}

fn causes(
    set: &mut Typesetter<'_>,
    view: &IssueView<'_>,
    all: &[IssueView<'_>],
    pictures: &mut Pictures<'_>,
) -> Value {
    let causes = view.causes.iter();
    let causes = causes.map(|found| cause(set, found, all, pictures));
    array(causes.collect::<Vec<_>>())
}

/// A cause; without a headline where that would say no more than the issue's title.
fn cause(
    set: &mut Typesetter<'_>,
    view: &CauseView<'_>,
    all: &[IssueView<'_>],
    pictures: &mut Pictures<'_>,
) -> Value {
    let repeated = view.repeats.and_then(|check_id| {
        let mut issues = all.iter();
        issues.find(|issue| issue.issue.check_id == check_id)
    });
    let headline = view.headline.map(|text| set.words(text, limits::MESSAGE));
    let places = view
        .occurrences
        .iter()
        .map(|found| place(set, found, pictures));
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
fn place(
    set: &mut Typesetter<'_>,
    view: &OccurrenceView<'_>,
    pictures: &mut Pictures<'_>,
) -> Value {
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
        ("picture", pictures.of_element(found.artifact)),
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
                (
                    "url",
                    optional(reference.url.as_deref().map(|url| link(set, url))),
                ),
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
