//! How a run audits.

/// Patterns of pages to include, and again to exclude, at most.
pub const MAX_PATTERNS: usize = 50;
/// Characters of a pattern at most.
pub const MAX_PATTERN_CHARS: usize = 500;

/// How pages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// In a browser where there is one, else as the server sends them.
    #[default]
    Auto,
    /// As the server sends them.
    Static,
    /// In a browser.
    Rendered,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Static, Self::Rendered];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Static => "static",
            Self::Rendered => "rendered",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }
}

/// What a browser pretends to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Device {
    /// A phone.
    #[default]
    Mobile,
    /// A desktop computer.
    Desktop,
}

impl Device {
    /// All devices.
    pub const ALL: [Self; 2] = [Self::Mobile, Self::Desktop];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mobile => "mobile",
            Self::Desktop => "desktop",
        }
    }

    /// The device of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|device| device.as_str() == name)
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
}

impl RunOptions {
    /// The options of a run that asks for nothing in particular.
    #[must_use]
    pub const fn with_max_pages(max_pages: u32) -> Self {
        Self {
            max_pages,
            max_depth: None,
            mode: Mode::Auto,
            device: Device::Mobile,
            include: Vec::new(),
            exclude: Vec::new(),
        }
    }

    /// Judges the options by what the server allows.
    ///
    /// # Errors
    /// The first option that is out of bounds.
    pub fn judge(&self, bounds: &OptionBounds) -> Result<(), InvalidOption> {
        if self.max_pages == 0 || self.max_pages > bounds.max_pages {
            return Err(InvalidOption::MaxPages {
                most: bounds.max_pages,
            });
        }
        if self.mode == Mode::Rendered && !bounds.browser {
            return Err(InvalidOption::NoBrowser);
        }
        judge_patterns("include", &self.include)?;
        judge_patterns("exclude", &self.exclude)
    }
}

/// What the server allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionBounds {
    /// The highest `max_pages`.
    pub max_pages: u32,
    /// Whether there is a browser.
    pub browser: bool,
}

/// An option that is out of bounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidOption {
    /// Too few or too many pages.
    #[error("a number from 1 to {most} is needed")]
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
        "a pattern begins with `/` or `*`, holds no white space or control characters, and has at most {MAX_PATTERN_CHARS} characters"
    )]
    Pattern {
        /// The list.
        list: &'static str,
        /// Its place in the list, from 0.
        position: usize,
    },
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
        }
    }
}

fn judge_patterns(list: &'static str, patterns: &[String]) -> Result<(), InvalidOption> {
    if patterns.len() > MAX_PATTERNS {
        return Err(InvalidOption::TooManyPatterns { list });
    }
    let is_wrong = |pattern: &String| {
        !pattern.starts_with(['/', '*'])
            || pattern.chars().count() > MAX_PATTERN_CHARS
            || pattern.contains(|c: char| c.is_control() || c.is_whitespace())
    };
    match patterns.iter().position(is_wrong) {
        Some(position) => Err(InvalidOption::Pattern { list, position }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const BOUNDS: OptionBounds = OptionBounds {
        max_pages: 100,
        browser: false,
    };

    #[rstest]
    #[case(0, false)]
    #[case(1, true)]
    #[case(100, true)]
    #[case(101, false)]
    fn pages_are_bounded(#[case] max_pages: u32, #[case] allowed: bool) {
        let options = RunOptions::with_max_pages(max_pages);
        assert_eq!(options.judge(&BOUNDS).is_ok(), allowed);
    }

    #[test]
    fn a_browser_is_needed_for_rendered_alone() {
        let options = |mode| RunOptions {
            mode,
            ..RunOptions::with_max_pages(1)
        };
        assert_eq!(
            options(Mode::Rendered).judge(&BOUNDS),
            Err(InvalidOption::NoBrowser)
        );
        assert_eq!(options(Mode::Auto).judge(&BOUNDS), Ok(()));
        let bounds = OptionBounds {
            browser: true,
            ..BOUNDS
        };
        assert_eq!(options(Mode::Rendered).judge(&bounds), Ok(()));
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
        match options.judge(&BOUNDS) {
            Ok(()) => assert!(allowed),
            Err(error) => {
                assert!(!allowed);
                assert_eq!(error.field(), "exclude[1]");
            }
        }
    }

    #[test]
    fn too_many_or_too_long_patterns_name_their_list() {
        let options = RunOptions {
            include: vec!["/".to_owned(); MAX_PATTERNS + 1],
            ..RunOptions::with_max_pages(1)
        };
        assert_eq!(options.judge(&BOUNDS).unwrap_err().field(), "include");
        let options = RunOptions {
            include: vec!["/".repeat(MAX_PATTERN_CHARS + 1)],
            ..RunOptions::with_max_pages(1)
        };
        assert_eq!(options.judge(&BOUNDS).unwrap_err().field(), "include[0]");
    }
}
