//! Evidence: where, what, measured and expected.

use crate::dom::ElementRef;

/// Longest text of one field, in characters.
const MAX_CHARS: usize = 500;

/// What a finding comes from, where one check can find several different things.
///
/// All findings of a check with the same key become one issue. The key must be the same on the
/// next run of an unchanged site: a URL, a name, a header, never a position or a number measured.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cause {
    /// What tells this cause from the check's others.
    pub key: String,
    /// The headline, naming the thing found.
    pub title: String,
}

/// One place where a check failed.
///
/// The page's URL is filled in by the runner for page checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// What it comes from; none where the check has only one cause.
    pub cause: Option<Cause>,
    /// The URL it stands at, where that is not the judged page's own.
    pub url: Option<String>,
    /// A CSS selector that finds the element.
    pub selector: Option<String>,
    /// An excerpt of at most 200 characters.
    pub snippet: Option<String>,
    /// Line in the source, from 1.
    pub line: Option<u32>,
    /// What is wrong here, with the value measured and the value expected. One sentence.
    pub message: String,
}

impl Evidence {
    /// Evidence that is a whole page, resource or origin.
    #[must_use]
    pub fn here() -> Self {
        Self::default()
    }

    /// Evidence that is an element: its selector, excerpt and line.
    #[must_use]
    pub fn node(element: ElementRef<'_>) -> Self {
        Self {
            selector: Some(element.selector()),
            snippet: Some(element.snippet()),
            line: Some(element.line()),
            ..Self::default()
        }
    }

    /// Evidence at a line of a file.
    #[must_use]
    pub fn line(line: u32, snippet: &str) -> Self {
        Self {
            line: Some(line),
            snippet: Some(bounded(snippet, 200)),
            ..Self::default()
        }
    }

    /// Evidence that is a response header, shown as `name: value`.
    #[must_use]
    pub fn header(name: &str, value: &str) -> Self {
        Self {
            snippet: Some(bounded(&format!("{name}: {value}"), 200)),
            ..Self::default()
        }
    }

    /// Says what is wrong here, in one sentence with a full stop.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = bounded(&message.into(), MAX_CHARS);
        self
    }

    /// Names the cause: a stable key, and the headline of the issue that collects it.
    #[must_use]
    pub fn cause(mut self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.cause = Some(Cause {
            key: key.into(),
            title: bounded(&title.into(), MAX_CHARS),
        });
        self
    }

    /// Puts the evidence at a URL of its own.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Adds an excerpt.
    #[must_use]
    pub fn snippet(mut self, snippet: &str) -> Self {
        self.snippet = Some(bounded(snippet, 200));
        self
    }
}

fn bounded(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.split_at(end).0),
    }
}
