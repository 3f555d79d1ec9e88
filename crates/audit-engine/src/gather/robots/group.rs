//! Groups: which rules apply to which crawler.

use super::pattern::{Pattern, RobotsPath};

/// One group of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Record {
    /// Product tokens, lower case; `*` for all others.
    pub(super) agents: Vec<String>,
    pub(super) rules: Vec<Rule>,
    pub(super) crawl_delay: Option<f64>,
}

impl Record {
    fn names(&self, agent: &str) -> bool {
        self.agents.iter().any(|named| named == agent)
    }
}

/// An `Allow` or `Disallow` line with a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// `Allow` or `Disallow`.
    pub kind: RuleKind,
    /// The pattern as written.
    pub text: String,
    /// The line number, from 1.
    pub line: usize,
    pub(super) pattern: Pattern,
}

/// The effect of a rule on the paths that it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleKind {
    /// They must not be fetched.
    Disallow,
    /// They may be fetched. Greater than [`RuleKind::Disallow`], because it wins a tie.
    Allow,
}

/// Why a crawler follows a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// The file names the crawler.
    Named,
    /// The file does not name the crawler, but has rules for all others (`*`).
    Wildcard,
    /// The file has no rules for the crawler: everything is allowed.
    Absent,
}

/// The rules that apply to one crawler, from all its groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Group<'a> {
    kind: GroupKind,
    rules: Vec<&'a Rule>,
    crawl_delay: Option<f64>,
}

impl<'a> Group<'a> {
    pub(super) fn select(records: &'a [Record], product_token: &str) -> Self {
        let token = product_token.to_ascii_lowercase();
        let has = |agent: &str| records.iter().any(|record| record.names(agent));
        let (kind, agent) = if token != "*" && has(&token) {
            (GroupKind::Named, token.as_str())
        } else if has("*") {
            (GroupKind::Wildcard, "*")
        } else {
            (GroupKind::Absent, "*")
        };
        let chosen = || records.iter().filter(|record| record.names(agent));
        Self {
            kind,
            rules: chosen().flat_map(|record| &record.rules).collect(),
            crawl_delay: chosen()
                .filter_map(|record| record.crawl_delay)
                .reduce(f64::max),
        }
    }

    pub(super) const fn of_rules(kind: GroupKind, rules: Vec<&'a Rule>) -> Self {
        Self {
            kind,
            rules,
            crawl_delay: None,
        }
    }

    /// Why the crawler follows this group.
    #[must_use]
    pub const fn kind(&self) -> GroupKind {
        self.kind
    }

    /// The rules in file order. Lines with an empty pattern are not rules.
    #[must_use]
    pub fn rules(&self) -> &[&'a Rule] {
        &self.rules
    }

    /// The longest `Crawl-delay` of the group in seconds.
    #[must_use]
    pub const fn crawl_delay(&self) -> Option<f64> {
        self.crawl_delay
    }

    /// The rule that applies to a path: the matching one with the most bytes, and `Allow` before `Disallow` if
    /// the lengths are equal (RFC 9309, section 2.2.2).
    #[must_use]
    pub fn deciding_rule(&self, path: &RobotsPath) -> Option<&'a Rule> {
        let mut best: Option<&'a Rule> = None;
        for rule in self.rules.iter().copied() {
            let is_better = best.is_none_or(|best| rank(rule) > rank(best));
            if is_better && rule.pattern.matches(path) {
                best = Some(rule);
            }
        }
        best
    }

    /// Whether the path may be fetched. robots.txt itself always may.
    #[must_use]
    pub fn is_allowed(&self, path: &RobotsPath) -> bool {
        path.is_robots_txt()
            || self
                .deciding_rule(path)
                .is_none_or(|rule| rule.kind == RuleKind::Allow)
    }
}

fn rank(rule: &Rule) -> (usize, RuleKind) {
    (rule.pattern.octets(), rule.kind)
}
