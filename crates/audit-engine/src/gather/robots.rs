//! robots.txt according to RFC 9309: which paths a crawler may fetch.
//!
//! ```
//! use audit_engine::gather::robots::Robots;
//!
//! let robots = Robots::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/press$\n");
//! assert!(robots.is_allowed("AssayBot", "/"));
//! assert!(!robots.is_allowed("AssayBot", "/private/"));
//! assert!(robots.is_allowed("AssayBot", "/private/press"));
//! ```
//!
//! The text is never trusted: it may be truncated, be HTML, contain any bytes, or be built to make a matcher
//! slow. Parsing takes time linear in the text, and matching one rule takes time linear in rule and path.

mod googlebot;
mod group;
mod parse;
mod pattern;
mod rules;

pub use googlebot::{GooglebotRules, MAX_LINE_BYTES};
pub use group::{Group, GroupKind, Rule, RuleKind};
pub use parse::{MAX_BYTES, MAX_ISSUES};
pub use pattern::{Pattern, RobotsPath};
pub use rules::RobotsRules;

use url::Url;

/// The result of requesting a site's robots.txt (RFC 9309, section 2.3.1).
#[derive(Debug, Clone, PartialEq)]
pub enum RobotsState {
    /// The file was fetched; its rules are followed (section 2.3.1.1).
    Found(Robots),
    /// The server returned 4xx: there are no rules (section 2.3.1.3).
    Missing,
    /// The server returned 5xx or did not respond: everything is disallowed (section 2.3.1.4).
    Unreachable {
        /// The status code, or `None` if the network failed.
        status: Option<u16>,
    },
}

impl RobotsState {
    /// Whether a crawler with this product token may fetch the path.
    #[must_use]
    pub fn is_allowed(&self, product_token: &str, path_and_query: &str) -> bool {
        match self {
            Self::Found(robots) => robots.is_allowed(product_token, path_and_query),
            Self::Missing => true,
            Self::Unreachable { .. } => RobotsPath::new(path_and_query).is_robots_txt(),
        }
    }

    /// The rules, if the file was fetched.
    #[must_use]
    pub const fn robots(&self) -> Option<&Robots> {
        match self {
            Self::Found(robots) => Some(robots),
            Self::Missing | Self::Unreachable { .. } => None,
        }
    }
}

/// A parsed robots.txt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    groups: Vec<group::Record>,
    sitemaps: Vec<SitemapLine>,
    signals: Vec<SignalLine>,
    unknown: Vec<UnknownField>,
    issues: Vec<RobotsIssue>,
    googlebot: GooglebotRules,
    truncated: bool,
}

/// A `Sitemap` line (sitemaps.org, "Specifying the Sitemap location in your robots.txt file").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapLine {
    /// The value as written.
    pub value: String,
    /// The value as a URL, if it is an absolute one.
    pub url: Option<Url>,
    /// The line number, from 1.
    pub line: usize,
}

/// A `Content-Signal` line and the agents that it applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContentSignal<'a> {
    /// The value as written, for example `search=yes, ai-train=no`.
    pub value: &'a str,
    /// The product tokens of its group, lower case; empty before any group.
    pub agents: &'a [String],
    /// The line number, from 1.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct SignalLine {
    value: String,
    group: Option<usize>,
    line: usize,
}

/// A line whose field is neither defined by RFC 9309 nor in common use. It is ignored, not an error (RFC 9309,
/// section 2.2.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// The name of the field, lower case, cut after 64 characters.
    pub name: String,
    /// The line number, from 1.
    pub line: usize,
}

/// A line that a crawler cannot follow as its author intended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsIssue {
    /// The kind of issue.
    pub kind: RobotsIssueKind,
    /// The line number, from 1.
    pub line: usize,
    /// The first 200 characters of the line.
    pub text: String,
}

/// The kind of issue in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RobotsIssueKind {
    /// A rule precedes the first `User-agent` line and is ignored (section 2.2.2).
    RuleBeforeGroup,
    /// A `User-agent` line names no product token (section 2.2.1).
    NoProductToken,
    /// A pattern starts with neither `/` nor `*`, so it matches no path (section 2.2).
    PatternStart,
    /// The value of `Sitemap` is not an absolute URL.
    SitemapUrl,
    /// The value of `Crawl-delay` is not a number of seconds.
    CrawlDelay,
    /// The line has no colon, so it is neither a field nor a comment (section 2.2).
    NoColon,
    /// The line is not UTF-8 (section 2.3).
    NotUtf8,
    /// The line is longer than [`MAX_LINE_BYTES`] without its comment. Its rule is followed, but Googlebot reads
    /// only its beginning.
    TooLong,
}

impl Robots {
    /// Parses the bytes of a robots.txt. Every text is a robots.txt; invalid lines are ignored and reported in
    /// [`Robots::issues`] (section 2.3.1.5).
    ///
    /// Only the first [`MAX_BYTES`] are read; a line that this limit cuts is dropped.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        parse::parse(bytes, false)
    }

    /// Parses the beginning of a robots.txt whose rest was not read. The last line is dropped unless it is
    /// complete.
    #[must_use]
    pub fn parse_beginning(bytes: &[u8]) -> Self {
        parse::parse(bytes, true)
    }

    /// The rules for the crawler with this product token: those of all groups that name it, without regard to
    /// case, else those of all groups for `*`, else none (section 2.2.1).
    #[must_use]
    pub fn group_for(&self, product_token: &str) -> Group<'_> {
        Group::select(&self.groups, product_token)
    }

    /// The rules as Googlebot reads them. It follows misspelt fields and other lines that RFC 9309 ignores.
    #[must_use]
    pub const fn googlebot(&self) -> &GooglebotRules {
        &self.googlebot
    }

    /// Whether the crawler with this product token may fetch the path (section 2.2.2).
    #[must_use]
    pub fn is_allowed(&self, product_token: &str, path_and_query: &str) -> bool {
        self.group_for(product_token)
            .is_allowed(&RobotsPath::new(path_and_query))
    }

    /// The `Crawl-delay` in seconds for the crawler, finite and not negative. Not part of RFC 9309, but widely
    /// used.
    #[must_use]
    pub fn crawl_delay(&self, product_token: &str) -> Option<f64> {
        self.group_for(product_token).crawl_delay()
    }

    /// All `Sitemap` lines, in the order of the file. They belong to no group.
    #[must_use]
    pub fn sitemaps(&self) -> &[SitemapLine] {
        &self.sitemaps
    }

    /// All `Content-Signal` lines, in the order of the file.
    pub fn content_signals(&self) -> impl Iterator<Item = ContentSignal<'_>> {
        self.signals.iter().map(|signal| ContentSignal {
            value: &signal.value,
            agents: signal
                .group
                .and_then(|index| self.groups.get(index))
                .map_or(&[], |group| &group.agents),
            line: signal.line,
        })
    }

    /// The product tokens in the file, lower case, including `*`, in file order and with repetitions.
    pub fn agents(&self) -> impl Iterator<Item = &str> {
        self.groups
            .iter()
            .flat_map(|group| &group.agents)
            .map(String::as_str)
    }

    /// The first [`MAX_ISSUES`] lines that a crawler cannot follow.
    #[must_use]
    pub fn issues(&self) -> &[RobotsIssue] {
        &self.issues
    }

    /// The first [`MAX_ISSUES`] lines with an unknown field.
    #[must_use]
    pub fn unknown_fields(&self) -> &[UnknownField] {
        &self.unknown
    }

    /// Whether the end of the file was not read.
    #[must_use]
    pub const fn is_truncated(&self) -> bool {
        self.truncated
    }
}

#[cfg(test)]
mod tests;
