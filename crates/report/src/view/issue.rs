//! An issue with its causes.

use std::borrow::Cow;

use domain::report::Issue;

use super::CauseView;
use crate::json::help_url;
use crate::wording::cause::more_causes;
use crate::wording::issue::{aside, gain};
use crate::wording::reference::address;

/// An issue.
pub struct IssueView<'a> {
    /// Its number in the report, from 1.
    pub number: usize,
    /// The issue itself, for what is shown as it is.
    pub issue: &'a Issue,
    /// "small effort, low confidence"
    pub aside: String,
    /// The points that the overall score gains with it fixed, where there are any.
    pub points: Option<f64>,
    /// The same in words: "+3.2 points"; else empty.
    pub gain: String,
    /// How far it reaches.
    pub extent: String,
    /// Which waivers accept occurrences of it, and which have expired.
    pub waivers: Vec<String>,
    /// The causes that are shown.
    pub causes: Vec<CauseView<'a>>,
    /// "And 12 more causes."; empty where all are shown.
    pub more_causes: String,
    /// The address of the check's documentation, which may lead nowhere.
    pub help_url: String,
    /// What the check rests on.
    pub references: Vec<Reference<'a>>,
}

impl<'a> IssueView<'a> {
    pub(super) fn new(
        number: usize,
        issue: &'a Issue,
        shares: &[usize],
        points: Option<f64>,
        extent: String,
        waivers: Vec<String>,
        help_base_url: &str,
    ) -> Self {
        let causes = issue.causes.iter().zip(shares);
        let references = issue.references.iter();
        Self {
            number,
            issue,
            aside: aside(issue),
            points,
            gain: points.map_or_else(String::new, gain),
            extent,
            waivers,
            causes: causes
                .map(|(cause, &most)| CauseView::new(issue, cause, most))
                .collect(),
            more_causes: more_causes(issue, shares.len())
                .map_or_else(String::new, |more| format!("And {more}.")),
            help_url: help_url(help_base_url, &issue.check_id),
            references: references.map(|text| Reference::new(text)).collect(),
        }
    }
}

/// A source, with the URL where it can be read.
pub struct Reference<'a> {
    /// All of it.
    pub whole: &'a str,
    /// What stands before the URL, or all of it; empty for a URL alone.
    pub text: &'a str,
    /// The URL, of the web: the one at its end, or that of the standard it names.
    pub url: Option<Cow<'a, str>>,
}

impl<'a> Reference<'a> {
    /// Finds the URL of a source.
    #[must_use]
    pub fn new(whole: &'a str) -> Self {
        let (text, url) = match whole.rsplit_once(' ') {
            Some((text, url)) if is_web(url) => (text, Some(Cow::Borrowed(url))),
            None if is_web(whole) => ("", Some(Cow::Borrowed(whole))),
            _ => (whole, address(whole).map(Cow::Owned)),
        };
        Self { whole, text, url }
    }
}

/// Whether an address is one of the web.
pub(crate) fn is_web(url: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
}
