//! How a run audits.

use super::headers::{MAX_HEADER_NAME_CHARS, MAX_HEADER_VALUE_CHARS, MAX_HEADERS, RequestHeaders};
use crate::named_enum::named_enum;

/// Patterns of pages to include, and again to exclude, at most.
pub const MAX_PATTERNS: usize = 50;
/// Characters of a pattern at most.
pub const MAX_PATTERN_CHARS: usize = 500;
/// Characters of a user agent at most.
pub const MAX_USER_AGENT_CHARS: usize = 500;

named_enum! {
    /// How pages are read.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Mode {
        /// In a browser where there is one, else as the server sends them.
        #[default]
        Auto = "auto",
        /// As the server sends them.
        Static = "static",
        /// In a browser.
        Rendered = "rendered",
    }
}

named_enum! {
    /// What a browser pretends to be.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Device {
        /// A phone.
        #[default]
        Mobile = "mobile",
        /// A desktop computer.
        Desktop = "desktop",
    }
}

/// How a run audits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOptions {
    /// Audited pages at most; at least one.
    pub max_pages: u32,
    /// Clicks from the start page at most; none for no limit. The start page is at 0.
    pub max_depth: Option<u32>,
    /// How pages are read.
    pub mode: Mode,
    /// What a browser pretends to be.
    pub device: Device,
    /// Only pages that match one of these patterns are audited, beside the start page; empty for
    /// all. Patterns are those of robots.txt (RFC 9309, section 2.2.3), on path and query.
    pub include: Vec<String>,
    /// Pages that match one of these patterns are left out.
    pub exclude: Vec<String>,
    /// Headers for the site's own origin, which are gone once the run has ended.
    pub headers: RequestHeaders,
    /// Another user agent than the service's own.
    pub user_agent: Option<String>,
    /// Whether robots.txt is obeyed.
    pub respect_robots: bool,
}

impl RunOptions {
    /// The options of a run that asks for nothing in particular.
    #[must_use]
    pub fn with_max_pages(max_pages: u32) -> Self {
        AskedOptions::default().resolve(max_pages)
    }

    /// Judges the options by what the server allows.
    ///
    /// # Errors
    /// Every option that is out of bounds.
    pub fn validate(&self, bounds: &OptionBounds) -> Result<(), Vec<InvalidOption>> {
        let mut wrong = Vec::new();
        if self.max_pages == 0 || self.max_pages > bounds.max_pages {
            wrong.push(InvalidOption::MaxPages {
                most: bounds.max_pages,
            });
        }
        if self.mode == Mode::Rendered && !bounds.browser {
            wrong.push(InvalidOption::NoBrowser);
        }
        judge_patterns("include", &self.include, &mut wrong);
        judge_patterns("exclude", &self.exclude, &mut wrong);
        match &self.user_agent {
            Some(_) if !bounds.user_agent => wrong.push(InvalidOption::UserAgentNotOffered),
            Some(user_agent) if !is_user_agent(user_agent) => wrong.push(InvalidOption::UserAgent),
            _ => {}
        }
        if !self.respect_robots && !bounds.ignore_robots {
            wrong.push(InvalidOption::RobotsNotOffered);
        }
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(wrong),
        }
    }
}

/// What a caller asks for; what is not said has a default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedOptions {
    /// As [`RunOptions::max_pages`].
    pub max_pages: Option<u32>,
    /// As [`RunOptions::max_depth`].
    pub max_depth: Option<u32>,
    /// As [`RunOptions::mode`].
    pub mode: Option<Mode>,
    /// As [`RunOptions::device`].
    pub device: Option<Device>,
    /// As [`RunOptions::include`].
    pub include: Option<Vec<String>>,
    /// As [`RunOptions::exclude`].
    pub exclude: Option<Vec<String>>,
    /// As [`RunOptions::headers`].
    pub headers: Option<RequestHeaders>,
    /// As [`RunOptions::user_agent`].
    pub user_agent: Option<String>,
    /// As [`RunOptions::respect_robots`].
    pub respect_robots: Option<bool>,
}

impl AskedOptions {
    /// What is asked for, and where it says nothing, what the site's defaults say.
    #[must_use]
    pub fn over(self, defaults: Self) -> Self {
        Self {
            max_pages: self.max_pages.or(defaults.max_pages),
            max_depth: self.max_depth.or(defaults.max_depth),
            mode: self.mode.or(defaults.mode),
            device: self.device.or(defaults.device),
            include: self.include.or(defaults.include),
            exclude: self.exclude.or(defaults.exclude),
            headers: self.headers.or(defaults.headers),
            user_agent: self.user_agent.or(defaults.user_agent),
            respect_robots: self.respect_robots.or(defaults.respect_robots),
        }
    }

    /// The options with every default filled in.
    #[must_use]
    pub fn resolve(self, default_max_pages: u32) -> RunOptions {
        RunOptions {
            max_pages: self.max_pages.unwrap_or(default_max_pages),
            max_depth: self.max_depth,
            mode: self.mode.unwrap_or_default(),
            device: self.device.unwrap_or_default(),
            include: self.include.unwrap_or_default(),
            exclude: self.exclude.unwrap_or_default(),
            headers: self.headers.unwrap_or_default(),
            user_agent: self.user_agent,
            respect_robots: self.respect_robots.unwrap_or(true),
        }
    }

    /// Judges what is asked for by what the server allows.
    ///
    /// # Errors
    /// Every option that is out of bounds.
    pub fn validate(&self, bounds: &OptionBounds) -> Result<(), Vec<InvalidOption>> {
        self.clone().resolve(1).validate(bounds)
    }
}

/// What the server allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionBounds {
    /// The highest `max_pages`.
    pub max_pages: u32,
    /// Whether there is a browser.
    pub browser: bool,
    /// Whether callers may choose the user agent.
    pub user_agent: bool,
    /// Whether callers may have robots.txt ignored.
    pub ignore_robots: bool,
}

fn is_user_agent(text: &str) -> bool {
    (1..=MAX_USER_AGENT_CHARS).contains(&text.len())
        && text.trim() == text
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

/// An option that is out of bounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidOption {
    /// Too few or too many pages.
    #[error("must be a number from 1 to {most}")]
    MaxPages {
        /// The highest number.
        most: u32,
    },
    /// A browser is asked for where there is none.
    #[error("this server has no browser; use `auto` or `static`")]
    NoBrowser,
    /// Too many patterns.
    #[error("at most {MAX_PATTERNS} patterns are allowed")]
    TooManyPatterns {
        /// The list.
        list: &'static str,
    },
    /// A pattern that can match nothing.
    #[error(
        "a pattern starts with `/` or `*`, contains no white space or control characters, and has at most {MAX_PATTERN_CHARS} characters"
    )]
    Pattern {
        /// The list.
        list: &'static str,
        /// Its place in the list, from 0.
        position: usize,
    },
    /// Too many headers.
    #[error("at most {MAX_HEADERS} headers are allowed")]
    TooManyHeaders,
    /// A name or a value that no header has.
    #[error(
        "a header has a name of letters, digits and -, and a value of 1 to {MAX_HEADER_VALUE_CHARS} visible ASCII characters and spaces"
    )]
    Header {
        /// The name as it was sent.
        name: String,
    },
    /// A header that belongs to the connection, to the client or to the crawler.
    #[error("this header is not allowed")]
    ReservedHeader {
        /// The name as it was sent.
        name: String,
    },
    /// Two names that differ by case alone.
    #[error("the header occurs more than once")]
    HeaderTwice {
        /// The name as it was sent.
        name: String,
    },
    /// The operator does not allow another user agent.
    #[error("this server does not allow a custom user agent; omit the option")]
    UserAgentNotOffered,
    /// A user agent that no header can hold.
    #[error("must be 1 to {MAX_USER_AGENT_CHARS} visible ASCII characters and spaces")]
    UserAgent,
    /// The operator does not allow robots.txt to be ignored.
    #[error("this server always respects robots.txt; use `true` or omit the option")]
    RobotsNotOffered,
}

impl InvalidOption {
    /// The field on the wire, below `options`.
    #[must_use]
    pub fn field(&self) -> String {
        match self {
            Self::MaxPages { .. } => "maxPages".to_owned(),
            Self::NoBrowser => "mode".to_owned(),
            Self::TooManyPatterns { list } => (*list).to_owned(),
            Self::Pattern { list, position } => format!("{list}[{position}]"),
            Self::TooManyHeaders => "headers".to_owned(),
            Self::Header { name } | Self::ReservedHeader { name } | Self::HeaderTwice { name } => {
                // What is no name is shown as it was sent, but not at any length.
                let name: String = name.chars().take(MAX_HEADER_NAME_CHARS).collect();
                format!("headers.{name}")
            }
            Self::UserAgentNotOffered | Self::UserAgent => "userAgent".to_owned(),
            Self::RobotsNotOffered => "respectRobots".to_owned(),
        }
    }
}

fn judge_patterns(list: &'static str, patterns: &[String], wrong: &mut Vec<InvalidOption>) {
    if patterns.len() > MAX_PATTERNS {
        wrong.push(InvalidOption::TooManyPatterns { list });
        return;
    }
    let is_wrong = |pattern: &String| {
        !pattern.starts_with(['/', '*'])
            || pattern.chars().count() > MAX_PATTERN_CHARS
            || pattern.contains(|c: char| c.is_control() || c.is_whitespace())
    };
    for (position, pattern) in patterns.iter().enumerate() {
        if is_wrong(pattern) {
            wrong.push(InvalidOption::Pattern { list, position });
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const BOUNDS: OptionBounds = OptionBounds {
        max_pages: 100,
        browser: false,
        user_agent: false,
        ignore_robots: false,
    };

    fn fields(wrong: &[InvalidOption]) -> Vec<String> {
        wrong.iter().map(InvalidOption::field).collect()
    }

    /// The fields that the server refuses.
    fn refused(options: &RunOptions) -> Vec<String> {
        fields(&options.validate(&BOUNDS).unwrap_err())
    }

    #[test]
    fn every_option_that_is_out_of_bounds_is_named() {
        let options = RunOptions {
            mode: Mode::Rendered,
            include: vec!["docs".to_owned(), "/fine".to_owned(), String::new()],
            exclude: vec!["/".to_owned(); MAX_PATTERNS + 1],
            user_agent: Some("Somebody/1.0".to_owned()),
            respect_robots: false,
            ..RunOptions::with_max_pages(101)
        };
        let all = [
            "maxPages",
            "mode",
            "include[0]",
            "include[2]",
            "exclude",
            "userAgent",
            "respectRobots",
        ];
        assert_eq!(refused(&options), all);
    }

    #[rstest]
    #[case(0, false)]
    #[case(1, true)]
    #[case(100, true)]
    #[case(101, false)]
    fn pages_are_bounded(#[case] max_pages: u32, #[case] allowed: bool) {
        let options = RunOptions::with_max_pages(max_pages);
        assert_eq!(options.validate(&BOUNDS).is_ok(), allowed);
    }

    #[test]
    fn a_browser_is_needed_for_rendered_alone() {
        let options = |mode| RunOptions {
            mode,
            ..RunOptions::with_max_pages(1)
        };
        assert_eq!(
            options(Mode::Rendered).validate(&BOUNDS),
            Err(vec![InvalidOption::NoBrowser])
        );
        assert_eq!(options(Mode::Auto).validate(&BOUNDS), Ok(()));
        let bounds = OptionBounds {
            browser: true,
            ..BOUNDS
        };
        assert_eq!(options(Mode::Rendered).validate(&bounds), Ok(()));
    }

    #[rstest]
    #[case::path("/docs/", true)]
    #[case::wildcard("*.pdf$", true)]
    #[case::relative("docs/", false)]
    #[case::empty("", false)]
    #[case::white_space("/a b", false)]
    #[case::nul("/a\0", false)]
    fn patterns(#[case] pattern: &str, #[case] allowed: bool) {
        let options = RunOptions {
            exclude: vec!["/fine".to_owned(), pattern.to_owned()],
            ..RunOptions::with_max_pages(1)
        };
        match options.validate(&BOUNDS) {
            Ok(()) => assert!(allowed),
            Err(error) => {
                assert!(!allowed);
                assert_eq!(fields(&error), ["exclude[1]"]);
            }
        }
    }

    #[test]
    fn too_many_or_too_long_patterns_name_their_list() {
        let options = RunOptions {
            include: vec!["/".to_owned(); MAX_PATTERNS + 1],
            ..RunOptions::with_max_pages(1)
        };
        assert_eq!(refused(&options), ["include"]);
        let options = RunOptions {
            include: vec!["/".repeat(MAX_PATTERN_CHARS + 1)],
            ..RunOptions::with_max_pages(1)
        };
        assert_eq!(refused(&options), ["include[0]"]);
    }

    #[test]
    fn who_asks_and_how_is_the_operators_choice() {
        let as_somebody = RunOptions {
            user_agent: Some("Somebody/1.0".to_owned()),
            ..RunOptions::with_max_pages(1)
        };
        let as_it_likes = RunOptions {
            respect_robots: false,
            ..RunOptions::with_max_pages(1)
        };
        for (options, field) in [(&as_somebody, "userAgent"), (&as_it_likes, "respectRobots")] {
            assert_eq!(refused(options), [field]);
            let bounds = OptionBounds {
                user_agent: true,
                ignore_robots: true,
                ..BOUNDS
            };
            assert_eq!(options.validate(&bounds), Ok(()));
        }
        for wrong in ["", " x", "a\r\nb", "é"] {
            let options = RunOptions {
                user_agent: Some(wrong.to_owned()),
                ..RunOptions::with_max_pages(1)
            };
            let bounds = OptionBounds {
                user_agent: true,
                ..BOUNDS
            };
            assert_eq!(
                options.validate(&bounds),
                Err(vec![InvalidOption::UserAgent])
            );
        }
    }

    #[test]
    fn what_is_asked_for_comes_before_the_sites_defaults() {
        let defaults = AskedOptions {
            max_pages: Some(5),
            max_depth: Some(2),
            ..AskedOptions::default()
        };
        let asked = AskedOptions {
            max_pages: Some(7),
            ..AskedOptions::default()
        };
        let options = asked.over(defaults).resolve(1_000);
        assert_eq!((options.max_pages, options.max_depth), (7, Some(2)));
        assert!(options.respect_robots);
    }
}
