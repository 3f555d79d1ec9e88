//! A report as the values that the template sets. Every text of a page goes through [`shown`].

use askama::Template;
use domain::Severity;
use domain::report::{Issue, IssueCause, Occurrence};
use domain::score::DimensionScore;
use domain::text::{enumeration, first_sentence, grouped};

use super::super::text::{Block, Piece, blocks, link, pieces, shown};
use super::super::{Export, limits};
use crate::wording::cause::{first, headline, more_causes, more_places, reach};
use crate::wording::coverage::sentences;
use crate::wording::issue::{aside, gain, severity_mark};
use crate::wording::score::{Band, decimals};
use crate::wording::unjudged::{self, HEADING, MEANING, by_reason, verb};
use crate::wording::{counted, title};

/// Places of the only cause of an issue that are shown without a click.
const AT_ONCE: usize = 3;

/// The page.
#[derive(Template)]
#[template(path = "export/html/report.html")]
pub(super) struct Page<'a> {
    policy: &'a str,
    style: &'a str,
    script: &'a str,
    host: String,
    description: String,
    opening: Vec<Piece>,
    rest: Vec<Piece>,
    address: Address,
    created_at: String,
    date: String,
    scores: Vec<Score>,
    summaries: Vec<Summary>,
    kinds: Vec<Kind>,
    dimensions: Vec<Named>,
    has_points: bool,
    issues: Vec<Shown>,
    seen: String,
    unjudged_heading: &'static str,
    unjudged_meaning: &'static str,
    unjudged: Vec<WithoutVerdict>,
    sums: Vec<Sum>,
    engine_version: String,
    catalogue_version: String,
    report_id: Option<String>,
}

/// Where it leads, if anywhere, and how that is shown.
struct Address {
    to: Option<String>,
    text: String,
}

struct Score {
    label: &'static str,
    number: u8,
    band: &'static str,
    is_held: bool,
    is_overall: bool,
}

struct Summary {
    label: &'static str,
    text: Vec<Piece>,
}

struct Named {
    name: &'static str,
    label: &'static str,
}

struct Kind {
    severity: &'static str,
    mark: &'static str,
    number: usize,
}

struct Shown {
    anchor: String,
    severity: &'static str,
    mark: &'static str,
    rank: usize,
    title: String,
    dimension: &'static str,
    label: &'static str,
    check: String,
    aside: String,
    gain: String,
    extent: String,
    why: Vec<Block>,
    fix: Vec<Block>,
    /// The places of the only cause, where it says no more than the issue.
    places: Vec<Place>,
    further: Vec<Place>,
    further_label: String,
    more: String,
    /// The causes otherwise.
    causes: Vec<Cause>,
    more_causes: String,
    help: Option<String>,
    references: Vec<Address>,
    pages: String,
    pages_value: u64,
    total: String,
    total_value: u64,
    points: String,
    points_value: f64,
}

struct Cause {
    headline: String,
    reach: String,
    /// Whether its places are shown without a click.
    is_open: bool,
    places: Vec<Place>,
    more: String,
}

struct Place {
    address: Address,
    line: Option<u32>,
    message: String,
    selector: String,
    snippet: String,
}

struct WithoutVerdict {
    verb: &'static str,
    reason: String,
    /// Its id, and how many things it could not judge.
    checks: Vec<(String, String)>,
}

struct Sum {
    label: String,
    number: u8,
    weights: String,
    cap: String,
    checks: Vec<Term>,
}

struct Term {
    id: String,
    weight: u32,
    applicable: String,
    affected: String,
    score: String,
    deduction: String,
}

fn text(text: &str) -> String {
    shown(text, limits::TEXT)
}

impl Address {
    fn of(url: &str) -> Self {
        Self {
            to: link(url),
            text: shown(url, limits::ADDRESS),
        }
    }

    /// A source; a URL at its end is a link.
    fn of_reference(reference: &str) -> Self {
        let (words, url) = match reference.rsplit_once(' ') {
            Some((words, url)) if link(url).is_some() => (words, Some(url)),
            None if link(reference).is_some() => ("", Some(reference)),
            _ => (reference, None),
        };
        Self {
            to: url.and_then(link),
            text: text(words),
        }
    }
}

impl<'a> Page<'a> {
    pub(super) fn of(
        export: &Export<'_>,
        policy: &'a str,
        style: &'a str,
        script: &'a str,
    ) -> Self {
        let report = export.report;
        let summary = text(&export.scored.summary(report));
        let opening = first_sentence(&summary);
        let rest = summary.strip_prefix(&opening).unwrap_or_default().trim();
        let created_at = text(&export.identity.created_at);
        let issues = issues(export);
        Self {
            policy,
            style,
            script,
            host: text(export.host()),
            description: format!("{}. {opening}", title(&text(export.host()))),
            rest: pieces(rest),
            opening: pieces(&opening),
            address: Address::of(&report.url),
            date: date(&created_at),
            created_at,
            scores: scores(export),
            summaries: summaries(export),
            kinds: kinds(&report.issues),
            dimensions: dimensions(&report.issues),
            has_points: issues.iter().any(|issue| !issue.points.is_empty()),
            issues,
            seen: text(&sentences(&report.coverage)),
            unjudged_heading: HEADING,
            unjudged_meaning: MEANING,
            unjudged: unjudged(export),
            sums: sums(export),
            engine_version: text(&report.engine_version),
            catalogue_version: text(&report.catalogue_version),
            report_id: export.identity.report_id.as_deref().map(text),
        }
    }
}

/// "2026-11-21 14:05 UTC" of a time in RFC 3339.
fn date(created_at: &str) -> String {
    let minutes = created_at.get(..16).filter(|_| created_at.ends_with('Z'));
    minutes.map_or_else(
        || created_at.to_owned(),
        |minutes| format!("{} UTC", minutes.replace('T', " ")),
    )
}

fn scores(export: &Export<'_>) -> Vec<Score> {
    let overall = export.scored.overall(export.report);
    let overall = overall.map(|number| Score {
        label: "Overall",
        number,
        band: Band::from_score(number).word(),
        is_held: false,
        is_overall: true,
    });
    let dimensions = export.scored.dimensions(export.report);
    let dimensions = dimensions.map(|(dimension, score)| Score {
        label: dimension.label(),
        number: score.subscore,
        band: Band::from_score(score.subscore).word(),
        is_held: score.binding_cap().is_some(),
        is_overall: false,
    });
    overall.into_iter().chain(dimensions).collect()
}

fn summaries(export: &Export<'_>) -> Vec<Summary> {
    let texts = export.report.summaries.dimensions.iter();
    texts
        .filter(|(dimension, text)| export.scored.has(**dimension) && !text.is_empty())
        .map(|(dimension, words)| Summary {
            label: dimension.label(),
            text: pieces(&text(words)),
        })
        .collect()
}

fn kinds(issues: &[Issue]) -> Vec<Kind> {
    let kinds = Severity::ALL.into_iter().map(|severity| Kind {
        severity: severity.as_str(),
        mark: severity_mark(severity),
        number: issues
            .iter()
            .filter(|issue| issue.severity == severity)
            .count(),
    });
    kinds.filter(|kind| kind.number > 0).collect()
}

fn dimensions(issues: &[Issue]) -> Vec<Named> {
    let there =
        |dimension: &domain::Dimension| issues.iter().any(|issue| issue.dimension == *dimension);
    let dimensions = domain::Dimension::ALL.into_iter().filter(there);
    dimensions
        .map(|dimension| Named {
            name: dimension.as_str(),
            label: dimension.label(),
        })
        .collect()
}

fn issues(export: &Export<'_>) -> Vec<Shown> {
    let counts = super::EVIDENCE.shares(&export.report.issues);
    let issues = export.issues().zip(counts);
    issues
        .map(|((place, issue), causes)| Shown::of(export, place, issue, &causes))
        .collect()
}

/// The places of an issue with a single cause that says no more than the issue.
fn places_of_only<'a>(issue: &'a Issue, causes: &[usize]) -> (&'a [Occurrence], String) {
    match (issue.causes.as_slice(), causes) {
        ([only], &[most]) if headline(issue, only).is_none() => {
            let places = first(&only.occurrences, most);
            (places, more_line(only, places.len()))
        }
        _ => (&[], String::new()),
    }
}

/// "And 27 more places that are not listed here."
fn more_line(cause: &IssueCause, shown: usize) -> String {
    let more = more_places(cause, shown);
    more.map_or_else(String::new, |more| {
        let are = if more.starts_with("1 ") { "is" } else { "are" };
        format!("And {more} that {are} not listed here.")
    })
}

fn shown_causes(issue: &Issue, causes: &[usize]) -> Vec<Cause> {
    let shown = issue.causes.iter().zip(causes).enumerate();
    let named = shown.filter_map(|(number, (cause, &most))| {
        let headline = headline(issue, cause)?;
        let places = first(&cause.occurrences, most);
        Some(Cause {
            headline: text(headline),
            reach: reach(issue, cause),
            is_open: number == 0,
            places: shown_places(places, None),
            more: more_line(cause, places.len()),
        })
    });
    named.collect()
}

impl Shown {
    fn of(export: &Export<'_>, place: usize, issue: &Issue, causes: &[usize]) -> Self {
        let (places, more) = places_of_only(issue, causes);
        let (at_once, further) = places.split_at(places.len().min(AT_ONCE));
        let gained = export.gain(issue);
        Self {
            anchor: format!("issue-{}", place + 1),
            severity: issue.severity.as_str(),
            mark: severity_mark(issue.severity),
            rank: Severity::ALL
                .iter()
                .position(|severity| *severity == issue.severity)
                .unwrap_or_default(),
            title: text(&issue.title),
            dimension: issue.dimension.as_str(),
            label: issue.dimension.label(),
            check: text(&issue.check_id),
            aside: text(&aside(issue)),
            gain: gained.map_or_else(String::new, gain),
            extent: issue.extent(&export.report.coverage),
            why: blocks(&issue.why),
            fix: blocks(&issue.recommendation),
            places: shown_places(at_once, None),
            further: shown_places(further, at_once.last()),
            further_label: counted(further.len(), "more place", "more places"),
            more,
            causes: shown_causes(issue, causes),
            more_causes: more_causes(issue, causes.len())
                .map_or_else(String::new, |more| format!("And {more}.")),
            help: export.help_url(&issue.check_id),
            references: issue
                .references
                .iter()
                .map(|source| Address::of_reference(source))
                .collect(),
            pages: grouped(issue.affected_pages),
            pages_value: issue.affected_pages,
            total: grouped(issue.occurrences_total),
            total_value: issue.occurrences_total,
            points: gained.map_or_else(String::new, |gained| format!("+{gained:.1}")),
            points_value: gained.unwrap_or_default(),
        }
    }
}

/// The places; a message is told once where those that follow say the same.
fn shown_places(places: &[Occurrence], before: Option<&Occurrence>) -> Vec<Place> {
    let mut told = before.map_or("", |place| place.message.as_str());
    let mut out = Vec::with_capacity(places.len());
    for place in places {
        let is_new = place.message != told;
        told = &place.message;
        out.push(Place {
            address: Address::of(&place.url),
            line: place.line,
            message: if is_new {
                text(&place.message)
            } else {
                String::new()
            },
            selector: shown(
                place.selector.as_deref().unwrap_or_default(),
                limits::ADDRESS,
            ),
            snippet: shown(
                place.snippet.as_deref().unwrap_or_default(),
                limits::SNIPPET,
            ),
        });
    }
    out
}

fn unjudged(export: &Export<'_>) -> Vec<WithoutVerdict> {
    let rows = by_reason(&export.report.unjudged).into_iter();
    let rows = rows.map(|(why, checks)| WithoutVerdict {
        verb: verb(why),
        reason: text(unjudged::reason(why)),
        checks: checks
            .into_iter()
            .map(|check| (text(&check.check_id), unjudged::aside(check)))
            .collect(),
    });
    rows.collect()
}

fn sums(export: &Export<'_>) -> Vec<Sum> {
    let dimensions = export.scored.dimensions(export.report);
    dimensions
        .filter(|(_, score)| !score.checks.is_empty())
        .map(|(dimension, score)| Sum {
            label: dimension.label().to_owned(),
            number: score.subscore,
            weights: grouped(score.sum_of_weights),
            cap: score.cap.as_ref().map_or_else(String::new, |cap| {
                let reason = text(cap.reason.trim_end_matches('.'));
                let (maximum, check) = (cap.maximum, text(&cap.check_id));
                format!(
                    "{} sets a cap of {maximum}: {reason}.",
                    enumeration(&[check])
                )
            }),
            checks: terms(score),
        })
        .collect()
}

/// The checks, those that cost most first.
fn terms(score: &DimensionScore) -> Vec<Term> {
    let mut checks: Vec<_> = score.checks.iter().collect();
    checks.sort_by(|one, other| {
        let costs = other.deduction.cmp(&one.deduction);
        costs.then_with(|| one.check_id.cmp(&other.check_id))
    });
    let terms = checks.into_iter().map(|check| Term {
        id: text(&check.check_id),
        weight: check.weight,
        applicable: grouped(check.applicable),
        affected: grouped(check.affected),
        score: decimals(&check.score, 4),
        deduction: decimals(&check.deduction, 3),
    });
    terms.collect()
}
