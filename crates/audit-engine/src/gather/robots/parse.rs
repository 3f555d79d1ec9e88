//! Parses bytes into groups.

use std::borrow::Cow;

use domain::target::MAX_URL_BYTES;
use url::Url;

use super::googlebot::{GooglebotRules, MAX_LINE_BYTES};
use super::group::{Record, Rule, RuleKind};
use super::pattern::Pattern;
use super::{Robots, RobotsIssue, RobotsIssueKind, SignalLine, SitemapLine, UnknownField};
use crate::gather::lines;

/// How much of a robots.txt is read: the 500 KiB that RFC 9309, section 2.5, requires at least.
pub const MAX_BYTES: usize = 512_000;

/// How many issues, and how many unknown fields, are kept.
pub const MAX_ISSUES: usize = 1_000;

/// The number of `Sitemap` lines that are kept. Fifty sitemap files of a site are read.
pub(super) const MAX_SITEMAP_LINES: usize = 1_000;

/// The number of `Content-Signal` lines that are kept, and the characters of each.
const MAX_SIGNALS: usize = 100;
const MAX_SIGNAL_CHARS: usize = 500;

const MAX_EXCERPT_CHARS: usize = 200;
const MAX_FIELD_CHARS: usize = 64;

/// Fields that are in common use although RFC 9309 does not define them, and whose values this parser does not
/// read.
const OTHER_KNOWN_FIELDS: [&str; 5] = [
    "clean-param",
    "host",
    "request-rate",
    "visit-time",
    "noindex",
];

pub(super) fn parse(bytes: &[u8], is_cut_off: bool) -> Robots {
    let (bytes, truncated) = beginning(bytes, is_cut_off);
    let googlebot = GooglebotRules::parse_lines(bytes);
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut parser = Parser::default();
    for (number, line) in lines::numbered(bytes) {
        parser.line(number, line);
    }
    parser.robots.googlebot = googlebot;
    parser.robots.truncated = truncated;
    parser.robots
}

/// The part of the file that is read, and whether that is not all of it. A line that the limit cuts is dropped.
pub(super) fn beginning(bytes: &[u8], is_cut_off: bool) -> (&[u8], bool) {
    match bytes.split_at_checked(MAX_BYTES) {
        Some((head, tail)) if !tail.is_empty() => match tail.first() {
            // The limit is between two lines.
            Some(b'\n' | b'\r') => (head, true),
            _ => (lines::complete(head), true),
        },
        _ if is_cut_off => (lines::complete(bytes), true),
        _ => (bytes, false),
    }
}

#[derive(Default)]
struct Parser {
    robots: Robots,
    /// Whether the current group already has rules, so that the next `User-agent` starts another group.
    has_rules: bool,
}

impl Parser {
    fn line(&mut self, number: usize, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, Cow::Owned(_)) {
            self.issue(RobotsIssueKind::NotUtf8, number, &text);
        }
        let content = text.split_once('#').map_or(&*text, |(before, _)| before);
        let content = trim(content);
        if content.is_empty() {
            return;
        }
        if content.len() > MAX_LINE_BYTES {
            self.issue(RobotsIssueKind::TooLong, number, content);
        }
        match content.split_once(':') {
            Some((field, value)) => {
                let line = Line {
                    number,
                    text: content,
                    value: trim(value),
                };
                self.field(&trim(field).to_ascii_lowercase(), &line);
            }
            None => self.issue(RobotsIssueKind::NoColon, number, content),
        }
    }

    fn field(&mut self, name: &str, line: &Line<'_>) {
        match name {
            "user-agent" => self.user_agent(line),
            "allow" => self.rule(RuleKind::Allow, line),
            "disallow" => self.rule(RuleKind::Disallow, line),
            "sitemap" => self.sitemap(line),
            "crawl-delay" => self.crawl_delay(line),
            "content-signal" if self.robots.signals.len() >= MAX_SIGNALS => {}
            "content-signal" => self.robots.signals.push(SignalLine {
                value: line.value.chars().take(MAX_SIGNAL_CHARS).collect(),
                group: self.robots.groups.len().checked_sub(1),
                line: line.number,
            }),
            _ if OTHER_KNOWN_FIELDS.contains(&name) => {}
            _ if self.robots.unknown.len() < MAX_ISSUES => {
                self.robots.unknown.push(UnknownField {
                    name: name.chars().take(MAX_FIELD_CHARS).collect(),
                    line: line.number,
                });
            }
            _ => {}
        }
    }

    /// Only rules end the list of a group's agents; other records must not (section 2.2.4).
    fn user_agent(&mut self, line: &Line<'_>) {
        let token = product_token(line.value);
        if token.is_empty() {
            self.issue(RobotsIssueKind::NoProductToken, line.number, line.text);
        }
        // A group without agents still separates the following rules from the previous group.
        if self.has_rules || self.robots.groups.is_empty() {
            self.robots.groups.push(Record::default());
            self.has_rules = false;
        }
        if let Some(group) = self.robots.groups.last_mut().filter(|_| !token.is_empty()) {
            group.agents.push(token);
        }
    }

    fn rule(&mut self, kind: RuleKind, line: &Line<'_>) {
        let Some(group) = self.robots.groups.last_mut() else {
            self.issue(RobotsIssueKind::RuleBeforeGroup, line.number, line.text);
            return;
        };
        self.has_rules = true;
        // An empty pattern matches nothing: `Disallow:` allows everything.
        if line.value.is_empty() {
            return;
        }
        group.rules.push(Rule {
            kind,
            text: line.value.to_owned(),
            line: line.number,
            pattern: Pattern::new(line.value),
        });
        if !line.value.starts_with(['/', '*']) {
            self.issue(RobotsIssueKind::PatternStart, line.number, line.text);
        }
    }

    fn sitemap(&mut self, line: &Line<'_>) {
        let url = Url::parse(line.value).ok().filter(Url::has_host);
        if url.is_none() {
            self.issue(RobotsIssueKind::SitemapUrl, line.number, line.text);
        }
        if self.robots.sitemaps.len() >= MAX_SITEMAP_LINES {
            return;
        }
        self.robots.sitemaps.push(SitemapLine {
            value: line.value.chars().take(MAX_URL_BYTES).collect(),
            url,
            line: line.number,
        });
    }

    fn crawl_delay(&mut self, line: &Line<'_>) {
        let Some(group) = self.robots.groups.last_mut() else {
            self.issue(RobotsIssueKind::RuleBeforeGroup, line.number, line.text);
            return;
        };
        match seconds(line.value) {
            Some(delay) => {
                let longest = group.crawl_delay.map_or(delay, |known| known.max(delay));
                group.crawl_delay = Some(longest);
            }
            None => self.issue(RobotsIssueKind::CrawlDelay, line.number, line.text),
        }
    }

    fn issue(&mut self, kind: RobotsIssueKind, line: usize, text: &str) {
        if self.robots.issues.len() < MAX_ISSUES {
            let text = text.chars().take(MAX_EXCERPT_CHARS).collect();
            self.robots.issues.push(RobotsIssue { kind, line, text });
        }
    }
}

/// A line of the form `field: value`.
struct Line<'a> {
    number: usize,
    /// The line without comment and surrounding white space.
    text: &'a str,
    value: &'a str,
}

/// The white space of RFC 9309, section 2.2: nothing else may surround a field or a value.
const BLANKS: [char; 2] = [' ', '\t'];

fn trim(text: &str) -> &str {
    text.trim_matches(BLANKS)
}

/// The product token of a `User-agent` line, lower case.
///
/// RFC 9309, section 2.2.1, allows letters, `_` and `-`. Real crawlers also have digits and dots in their
/// tokens (`AI2Bot`, `archive.org_bot`). Text after the token, such as `/2.1`, is ignored.
fn product_token(value: &str) -> String {
    if value.split(BLANKS).next() == Some("*") {
        return "*".to_owned();
    }
    value
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .collect::<String>()
        .to_ascii_lowercase()
}

fn seconds(value: &str) -> Option<f64> {
    value
        .parse::<f64>()
        .ok()
        .filter(|seconds| seconds.is_finite() && seconds.is_sign_positive())
}
