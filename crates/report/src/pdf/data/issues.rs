//! The issues, worst first.

use std::collections::BTreeMap;

use domain::report::{INLINE_OCCURRENCES, Issue, Occurrence, Report};
use domain::text::{count, enumeration, grouped, points, sentence};
use domain::{Confidence, Severity};
use typst::foundations::{IntoValue, Value};

use super::super::facts::PdfFacts;
use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use super::counted;
use crate::json::help_url;

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
    let mut book = Book::default();
    let shown = report.issues.iter().take(limits::ISSUES).enumerate();
    let shown: Vec<_> = shown
        .map(|(index, issue)| book.issue(set, index + 1, issue, report, facts))
        .collect();
    dict([
        ("total", report.issues.len().into_value()),
        ("shown", array(shown)),
        ("overview", limits::OVERVIEW.into_value()),
        ("left-out", left_out(report).into_value()),
    ])
}

/// "12 more issues: 8 minor and 4 info."
fn left_out(report: &Report) -> String {
    let rest = || report.issues.iter().skip(limits::ISSUES);
    let kinds: Vec<_> = Severity::ALL
        .into_iter()
        .filter_map(|severity| {
            let number = rest().filter(|issue| issue.severity == severity).count();
            (number > 0).then(|| format!("{number} {severity}"))
        })
        .collect();
    match rest().count() {
        0 => String::new(),
        more => {
            let more = counted(more, "more issue", "more issues");
            format!(
                "{more}: {}. The JSON form of the report has them.",
                enumeration(&kinds)
            )
        }
    }
}

/// What has been told already.
#[derive(Default)]
struct Book<'a> {
    places: usize,
    /// The issue that told a check's advice.
    advice: BTreeMap<Advice<'a>, usize>,
}

/// Why it matters, how to fix it, and sources.
type Advice<'a> = (&'a str, &'a str, &'a str, &'a [String]);

impl<'a> Book<'a> {
    fn issue(
        &mut self,
        set: &mut Typesetter<'_>,
        number: usize,
        issue: &'a Issue,
        report: &Report,
        facts: &PdfFacts,
    ) -> Value {
        let advice = (
            issue.check_id.as_str(),
            issue.why.as_str(),
            issue.recommendation.as_str(),
            issue.references.as_slice(),
        );
        let told = *self.advice.entry(advice).or_insert(number);
        let advice = if told == number {
            dict([
                ("why", set.prose(&issue.why)),
                ("fix", set.prose(&issue.recommendation)),
                ("references", references(set, issue)),
                ("help", help(set, issue, facts)),
            ])
        } else {
            told.into_value()
        };
        let shown = self.shown(issue);
        dict([
            ("number", number.into_value()),
            ("severity", issue.severity.as_str().into_value()),
            ("title", set.words(&issue.title, limits::MESSAGE)),
            ("dimension", issue.dimension.label().into_value()),
            ("check", set.code(&issue.check_id, limits::NAME)),
            ("aside", set.words(&aside(issue), limits::NAME)),
            ("gain", gain(issue).into_value()),
            ("extent", issue.extent(&report.coverage).into_value()),
            ("advice", advice),
            ("places", places(set, shown)),
            ("more", more(issue, shown.len()).into_value()),
        ])
    }

    /// The places of an issue that are shown.
    fn shown(&mut self, issue: &'a Issue) -> &'a [Occurrence] {
        let most = if self.places < limits::PLACES {
            INLINE_OCCURRENCES
        } else {
            limits::FEW_PLACES
        };
        let shown = issue.occurrences.get(..most).unwrap_or(&issue.occurrences);
        self.places += shown.len();
        shown
    }
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

/// "And 27 more."
fn more(issue: &Issue, shown: usize) -> String {
    let told = u64::try_from(shown).unwrap_or(u64::MAX);
    match issue.occurrences_total.saturating_sub(told) {
        0 => String::new(),
        more if shown == 0 => format!("{}, not listed.", count(more, "place", "places")),
        more => format!("And {} more.", grouped(more)),
    }
}

fn optional(value: Option<Value>) -> Value {
    value.unwrap_or(Value::None)
}

/// "small effort, low confidence"
fn aside(issue: &Issue) -> String {
    let effort = (!issue.effort.is_empty()).then(|| format!("{} effort", issue.effort));
    let doubt = match issue.confidence {
        Confidence::High | Confidence::Medium => None,
        Confidence::Low => Some("low confidence".to_owned()),
    };
    effort
        .into_iter()
        .chain(doubt)
        .collect::<Vec<_>>()
        .join(", ")
}

/// "+3.2 points", or nothing.
fn gain(issue: &Issue) -> String {
    if issue.score_impact <= 0.0 {
        return String::new();
    }
    match points(issue.score_impact) {
        under if under.starts_with("under") => under,
        points => format!("+{points}"),
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
