//! The issues with their causes.

use domain::Severity;
use domain::report::{Issue, IssueCause, Occurrence, Report};
use domain::text::sentence;
use typst::foundations::{IntoValue, Value};

use super::super::facts::PdfFacts;
use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::json::help_url;
use crate::wording::cause::{first, headline, more_causes, more_places, reach};
use crate::wording::{self, issue::aside};

/// How many issues there are of each severity.
pub(super) fn severities(report: &Report) -> Value {
    let kinds = Severity::ALL.into_iter().filter_map(|severity| {
        let alike = report.issues.iter();
        let number = alike.filter(|issue| issue.severity == severity).count();
        (number > 0).then(|| {
            dict([
                ("severity", severity.as_str().into_value()),
                ("number", number.into_value()),
            ])
        })
    });
    array(kinds.collect::<Vec<_>>())
}

pub(super) fn issues(set: &mut Typesetter<'_>, report: &Report, facts: &PdfFacts) -> Value {
    let mut places_left = limits::PLACES;
    let shown = (1..).zip(&report.issues);
    let shown: Vec<_> = shown
        .map(|(number, found)| issue(set, number, found, &mut places_left, report, facts))
        .collect();
    dict([
        ("total", report.issues.len().into_value()),
        ("shown", array(shown)),
        ("overview", limits::OVERVIEW.into_value()),
    ])
}

fn issue(
    set: &mut Typesetter<'_>,
    number: usize,
    issue: &Issue,
    places_left: &mut usize,
    report: &Report,
    facts: &PdfFacts,
) -> Value {
    let causes = shown_causes(issue, places_left);
    let more = more_causes(issue, causes.len());
    let more = more.map_or_else(String::new, |more| format!("And {more}."));
    dict([
        ("number", number.into_value()),
        ("severity", issue.severity.as_str().into_value()),
        ("title", set.words(&issue.title, limits::MESSAGE)),
        ("dimension", issue.dimension.label().into_value()),
        ("check", set.code(&issue.check_id, limits::NAME)),
        ("aside", set.words(&aside(issue), limits::NAME)),
        ("gain", gain(issue).into_value()),
        ("extent", issue.extent(&report.coverage).into_value()),
        ("why", set.prose(&issue.why)),
        ("fix", set.prose(&issue.recommendation)),
        ("references", references(set, issue)),
        ("help", help(set, issue, facts)),
        (
            "causes",
            array(
                causes
                    .into_iter()
                    .map(|(found, shown)| cause(set, issue, found, shown))
                    .collect::<Vec<_>>(),
            ),
        ),
        ("more-causes", more.into_value()),
    ])
}

/// The causes of an issue that are shown, each with the places that are.
fn shown_causes<'a>(
    issue: &'a Issue,
    places_left: &mut usize,
) -> Vec<(&'a IssueCause, &'a [Occurrence])> {
    let (causes, places) = match issue.causes.len() {
        _ if *places_left == 0 => (limits::FEW_CAUSES, 1),
        1 => (1, limits::PLACES_OF_ONLY),
        _ => (limits::CAUSES, limits::PLACES_OF_CAUSE),
    };
    let shown = issue.causes.iter().take(causes);
    let shown = shown.map(|cause| {
        let places = first(&cause.occurrences, places);
        *places_left = places_left.saturating_sub(places.len());
        (cause, places)
    });
    shown.collect()
}

/// A cause; without a headline where that would say no more than the issue's title.
fn cause(
    set: &mut Typesetter<'_>,
    issue: &Issue,
    cause: &IssueCause,
    shown: &[Occurrence],
) -> Value {
    let headline = headline(issue, cause).map(|text| set.words(text, limits::MESSAGE));
    dict([
        ("headline", optional(headline)),
        ("reach", reach(issue, cause).into_value()),
        ("places", places(set, shown)),
        ("more", more(cause, shown.len()).into_value()),
    ])
}

/// The places; what is the same as at the place before is left out.
fn places(set: &mut Typesetter<'_>, shown: &[Occurrence]) -> Value {
    let mut before: Option<&Occurrence> = None;
    let mut places = Vec::new();
    for place in shown {
        let new_message = before.is_none_or(|before| before.message != place.message);
        let new_url = new_message || before.is_none_or(|before| before.url != place.url);
        let message = new_message.then(|| set.words(&sentence(&place.message), limits::MESSAGE));
        let url = new_url.then(|| set.code(&place.url, limits::URL));
        let selector = place.selector.as_deref();
        let snippet = place.snippet.as_deref();
        places.push(dict([
            ("message", optional(message)),
            ("url", optional(url)),
            ("line", optional(place.line.map(IntoValue::into_value))),
            (
                "selector",
                optional(selector.map(|text| set.code(text, limits::SELECTOR))),
            ),
            (
                "snippet",
                optional(snippet.map(|text| set.code(text, limits::SNIPPET))),
            ),
        ]));
        before = Some(place);
    }
    array(places)
}

/// "And 27 more places."
fn more(cause: &IssueCause, shown: usize) -> String {
    match more_places(cause, shown) {
        None => String::new(),
        Some(more) if shown == 0 => format!("Not listed: {more}."),
        Some(more) => format!("And {more}."),
    }
}

fn optional(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

/// "+3.2 points", or nothing.
fn gain(issue: &Issue) -> String {
    if issue.score_impact > 0.0 {
        wording::issue::gain(issue.score_impact)
    } else {
        String::new()
    }
}

/// Sources; a URL at the end of one is a link.
fn references(set: &mut Typesetter<'_>, issue: &Issue) -> Value {
    let references = issue.references.iter().take(limits::REFERENCES);
    let references: Vec<_> = references
        .map(|reference| {
            let (text, url) = match reference.rsplit_once(' ') {
                Some((text, url)) if is_web(url) => (text, Some(url)),
                None if is_web(reference) => ("", Some(reference.as_str())),
                _ => (reference.as_str(), None),
            };
            dict([
                ("text", set.words(text, limits::MESSAGE)),
                ("url", optional(url.map(|url| link(set, url)))),
            ])
        })
        .collect();
    array(references)
}

/// The documentation of the check, which is ours.
fn help(set: &mut Typesetter<'_>, issue: &Issue, facts: &PdfFacts) -> Value {
    let url = help_url(&facts.help_base_url, &issue.check_id);
    if is_web(&url) {
        link(set, &url)
    } else {
        Value::None
    }
}

/// Where it leads, and how that is shown. What is too long or unusual is shown and leads nowhere.
fn link(set: &mut Typesetter<'_>, url: &str) -> Value {
    let leads = url.len() <= limits::URL && url.bytes().all(|byte| byte.is_ascii_graphic());
    dict([
        ("to", optional(leads.then(|| url.into_value()))),
        ("text", set.code(url, limits::URL)),
    ])
}

fn is_web(url: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}
