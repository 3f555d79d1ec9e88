//! The forms.

use std::fmt;

/// A form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExportFormat {
    /// One page that needs nothing else, for people.
    Html,
    /// Markdown, for pull requests, wikis and mail.
    Markdown,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// JUnit XML, for whatever shows test results.
    Junit,
    /// A row for each place, for spreadsheets.
    Csv,
    /// The report as the HTTP interface answers it.
    Json,
    /// What to fix, short, for language models.
    Llm,
}

impl ExportFormat {
    /// All forms.
    pub const ALL: [Self; 7] = [
        Self::Html,
        Self::Markdown,
        Self::Sarif,
        Self::Junit,
        Self::Csv,
        Self::Json,
        Self::Llm,
    ];

    /// The name on the wire and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Llm => "llm",
        }
    }

    /// The form of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// The media type, with its parameters.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Markdown | Self::Llm => "text/markdown; charset=utf-8",
            Self::Sarif => "application/sarif+json",
            Self::Junit => "application/xml",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Json => "application/json",
        }
    }

    /// What a file of this form is named with at its end, without a dot before it.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
            Self::Sarif => "sarif",
            Self::Junit => "junit.xml",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Llm => "llm.md",
        }
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
