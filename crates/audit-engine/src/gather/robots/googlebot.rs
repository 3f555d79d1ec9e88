//! Reads a robots.txt as Googlebot does, which is more lenient than RFC 9309.
//!
//! The differences are those of Google's published parser and of its documentation: field names are recognized by
//! their beginning and in frequent misspellings, white space may stand for a missing colon, a line is cut after
//! [`MAX_LINE_BYTES`], escapes of unreserved characters stay as written, and `Allow: /index.html` also allows the
//! folder.

use super::group::{Group, GroupKind, Rule, RuleKind};
use super::pattern::{Pattern, RobotsPath};
use crate::gather::lines;

/// How many bytes of a line Googlebot reads.
pub const MAX_LINE_BYTES: usize = 16_663;

/// The product token of Google's search crawler, lower case.
const TOKEN: &str = "googlebot";

const USER_AGENT: [&str; 3] = ["user-agent", "useragent", "user agent"];
const DISALLOW: [&str; 6] = [
    "disallow",
    "dissallow",
    "dissalow",
    "disalow",
    "diasllow",
    "disallaw",
];

/// The rules that Googlebot follows.
///
/// ```
/// use audit_engine::gather::robots::{GooglebotRules, RobotsPath};
///
/// let rules = GooglebotRules::parse(b"User agent: *\nDisalow /private\n");
/// assert!(!rules.group().is_allowed(&RobotsPath::for_googlebot("/private")));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GooglebotRules {
    named: Option<Vec<Rule>>,
    wildcard: Option<Vec<Rule>>,
}

impl GooglebotRules {
    /// Parses the bytes of a robots.txt, of which the first [`super::MAX_BYTES`] are read.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let (bytes, _) = super::parse::beginning(bytes, false);
        Self::parse_lines(bytes)
    }

    pub(super) fn parse_lines(bytes: &[u8]) -> Self {
        let mut reader = Reader::default();
        for (number, line) in lines::numbered(without_byte_order_mark(bytes)) {
            reader.line(number, line);
        }
        // Rules for `*` do not apply beside a group that names Googlebot.
        let wildcard = reader.wildcard.filter(|_| reader.named.is_none());
        Self {
            named: reader.named,
            wildcard,
        }
    }

    /// The rules for Googlebot: those of the groups that name it, else those of the groups for `*`. Compare them
    /// with [`RobotsPath::for_googlebot`].
    #[must_use]
    pub fn group(&self) -> Group<'_> {
        let (kind, rules) = match (&self.named, &self.wildcard) {
            (Some(rules), _) => (GroupKind::Named, rules.as_slice()),
            (None, Some(rules)) => (GroupKind::Wildcard, rules.as_slice()),
            (None, None) => (GroupKind::Absent, [].as_slice()),
        };
        Group::of_rules(kind, rules.iter().collect())
    }
}

/// Even a part of the mark is skipped.
fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    let matching = bytes
        .iter()
        .zip(b"\xEF\xBB\xBF")
        .take_while(|(byte, mark)| byte == mark)
        .count();
    bytes.get(matching..).unwrap_or_default()
}

#[derive(Default)]
struct Reader {
    named: Option<Vec<Rule>>,
    wildcard: Option<Vec<Rule>>,
    in_named: bool,
    in_wildcard: bool,
    /// Whether the current group already has rules, so that the next `User-agent` starts another group.
    has_rules: bool,
}

impl Reader {
    fn line(&mut self, number: usize, bytes: &[u8]) {
        let Some((field, value)) = field_and_value(bytes) else {
            return;
        };
        let is_one_of = |names: &[&str]| {
            names.iter().any(|name| {
                field
                    .get(..name.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
            })
        };
        if is_one_of(&USER_AGENT) {
            self.user_agent(value);
        } else if is_one_of(&["allow"]) {
            self.allow(number, value);
        } else if is_one_of(&DISALLOW) {
            self.rule(RuleKind::Disallow, number, &escaped(value));
        }
    }

    fn user_agent(&mut self, value: &[u8]) {
        if self.has_rules {
            self.in_named = false;
            self.in_wildcard = false;
            self.has_rules = false;
        }
        match value {
            [b'*'] | [b'*', b' ' | b'\t' | b'\x0B' | b'\x0C', ..] => {
                self.in_wildcard = true;
                self.wildcard.get_or_insert_default();
            }
            _ => {
                let token: Vec<u8> = value
                    .iter()
                    .copied()
                    .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
                    .collect();
                if token.eq_ignore_ascii_case(TOKEN.as_bytes()) {
                    self.in_named = true;
                    self.named.get_or_insert_default();
                }
            }
        }
    }

    fn allow(&mut self, number: usize, value: &[u8]) {
        let text = escaped(value);
        self.rule(RuleKind::Allow, number, &text);
        // An allowed index page allows the URL of its folder.
        if let Some(slash) = text.rfind('/')
            && text
                .get(slash..)
                .is_some_and(|end| end.starts_with("/index.htm"))
            && let Some(folder) = text.get(..=slash)
        {
            self.rule(RuleKind::Allow, number, &format!("{folder}$"));
        }
    }

    fn rule(&mut self, kind: RuleKind, number: usize, text: &str) {
        if !self.in_named && !self.in_wildcard {
            return;
        }
        self.has_rules = true;
        // An empty pattern has no effect.
        if text.is_empty() {
            return;
        }
        let rules = if self.in_named {
            &mut self.named
        } else {
            &mut self.wildcard
        };
        rules.get_or_insert_default().push(Rule {
            kind,
            text: text.to_owned(),
            line: number,
            pattern: Pattern::for_googlebot(text),
        });
    }
}

/// Splits a line at its colon, or at its only white space if it has no colon.
fn field_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.get(..MAX_LINE_BYTES).unwrap_or(line);
    let end = line
        .iter()
        .position(|byte| matches!(byte, b'#' | b'\0'))
        .unwrap_or(line.len());
    let line = trimmed(line.get(..end)?);
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let at = match line.iter().position(|byte| *byte == b':') {
        Some(colon) => colon,
        None => {
            let space = line.iter().position(is_blank)?;
            let value = line.get(space..)?.trim_ascii_start();
            if value.iter().any(is_blank) {
                return None;
            }
            space
        }
    };
    let (field, value) = line.split_at_checked(at)?;
    let field = trimmed(field);
    (!field.is_empty()).then(|| (field, trimmed(value.get(1..).unwrap_or_default())))
}

fn trimmed(mut bytes: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0B' | b'\x0C');
    while let Some((_, rest)) = bytes.split_first().filter(|(first, _)| is_space(first)) {
        bytes = rest;
    }
    while let Some((_, rest)) = bytes.split_last().filter(|(last, _)| is_space(last)) {
        bytes = rest;
    }
    bytes
}

/// The value with each byte outside ASCII written as an escape.
fn escaped(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value {
        if byte.is_ascii() {
            text.push(char::from(*byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

impl RobotsPath {
    /// Prepares the path and query of a URL for comparison with the rules of [`GooglebotRules`].
    #[must_use]
    pub fn for_googlebot(path_and_query: &str) -> Self {
        let slash = if path_and_query.starts_with('/') {
            ""
        } else {
            "/"
        };
        Self::as_written(&format!("{slash}{path_and_query}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn allows(text: &[u8], path: &str) -> bool {
        GooglebotRules::parse(text)
            .group()
            .is_allowed(&RobotsPath::for_googlebot(path))
    }

    #[rstest]
    #[case::typo("User-agent: *\nDisalow: /a")]
    #[case::typo_dissallow("User-agent: *\nDissallow: /a")]
    #[case::typo_disallaw("User-agent: *\ndisallaw: /a")]
    #[case::longer_name("User-agents: *\nDisallowed: /a")]
    #[case::agent_without_hyphen("UserAgent: *\nDisallow: /a")]
    #[case::agent_with_space("User agent: Googlebot\nDisallow: /a")]
    #[case::no_colon("User-agent *\nDisallow /a")]
    #[case::no_colon_tab("User-agent\t*\nDisallow \t /a")]
    #[case::no_colon_comment("User-agent *\nDisallow /a # why")]
    #[case::form_feed("User-agent: *\n\x0CDisallow: /a\x0B")]
    #[case::version("User-agent: Googlebot/2.1\nDisallow: /a")]
    #[case::digits("User-agent: Googlebot2\nDisallow: /a")]
    #[case::half_a_mark("\u{feff}User-agent: *\nDisallow: /a")]
    fn lenient_lines_are_followed(#[case] text: &str) {
        assert!(!allows(text.as_bytes(), "/a"));
        assert!(allows(text.as_bytes(), "/b"));
    }

    #[rstest]
    #[case::three_words("User-agent: *\nDisallow /a b")]
    #[case::user_agent_without_colon("User agent *\nDisallow: /a")]
    #[case::only_a_field("User-agent: *\nDisallow")]
    #[case::no_field("User-agent: *\n: /a")]
    #[case::no_agent("Disallow: /a")]
    #[case::other_typo("User-agent: *\nDisalllow: /a")]
    #[case::other_agent("User-agent: Googlebot-Image\nDisallow: /a")]
    #[case::zero_byte("User-agent: *\nDisallow: \0/a")]
    #[case::no_break_space("User-agent: *\n\u{a0}Disallow: /a")]
    fn other_lines_are_ignored(#[case] text: &str) {
        assert!(allows(text.as_bytes(), "/a"));
    }

    #[test]
    fn a_line_is_cut_after_its_limit() {
        let room = MAX_LINE_BYTES - "Disallow: ".len();
        let long = format!("/{}", "a".repeat(room - 1));
        let text = format!("User-agent: *\nDisallow: {long}bbb\n");
        assert!(!allows(text.as_bytes(), &long));
        let blanks = format!("User-agent: *\nDisallow: {}/a\n", " ".repeat(room));
        assert!(allows(blanks.as_bytes(), "/a"));
    }

    #[test]
    fn an_allowed_index_page_allows_its_folder() {
        let text = b"User-agent: *\nDisallow: /\nAllow: /a/index.html\n";
        assert!(allows(text, "/a/"));
        assert!(allows(text, "/a/index.html"));
        assert!(!allows(text, "/a/b"));
        assert!(!allows(text, "/"));
    }

    #[test]
    fn escapes_stay_as_written_but_for_the_case_of_their_digits() {
        assert!(!allows(
            b"User-agent: *\nDisallow: /caf\xC3\xA9",
            "/caf%C3%A9"
        ));
        assert!(!allows(
            b"User-agent: *\nDisallow: /caf%c3%a9",
            "/caf%C3%A9"
        ));
        assert!(!allows(b"User-agent: *\nDisallow: /caf\xE9", "/caf%E9"));
        assert!(allows(b"User-agent: *\nDisallow: /%7Ea", "/~a"));
    }

    #[test]
    fn the_group_that_names_it_takes_precedence() {
        let text = b"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /a\n";
        assert!(!allows(text, "/a"));
        assert!(allows(text, "/b"));
        assert_eq!(GooglebotRules::parse(text).group().kind(), GroupKind::Named);
    }
}
