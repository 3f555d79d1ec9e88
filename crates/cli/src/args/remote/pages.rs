//! Arguments of lists of pages and links.

use api_types::report::LinkKind;
use clap::{Args, ValueEnum};

/// Filters and the order of a list of pages.
#[derive(Debug, Args)]
pub struct PageFilterArgs {
    /// The order: crawl, url, status, depth, title, words, bytes, transferBytes, responseMs, linksIn, linksOut,
    /// issueCount or score (the mean of a page's scores); with a minus sign, the largest value first (--sort=-bytes).
    #[arg(long, value_name = "FIELD", allow_hyphen_values = true)]
    pub sort: Option<String>,
    /// Filter by status: codes (404), classes (4xx) or none, comma-separated.
    #[arg(long, value_name = "STATUSES")]
    pub status: Option<String>,
    /// Filter by issue: its id (see `reports show --json`) or its check.
    #[arg(long, value_name = "ISSUE")]
    pub issue: Option<String>,
    /// Filter by text in the URL or the title.
    #[arg(long = "search", value_name = "TEXT")]
    pub text: Option<String>,
}

/// A kind of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LinkKindArg {
    /// Broken links.
    Broken,
    /// URLs that redirect.
    Redirect,
    /// URLs on other sites.
    External,
    /// URLs on the site.
    Internal,
}

impl LinkKindArg {
    /// The kind on the wire.
    #[must_use]
    pub const fn to_wire(self) -> LinkKind {
        match self {
            Self::Broken => LinkKind::Broken,
            Self::Redirect => LinkKind::Redirect,
            Self::External => LinkKind::External,
            Self::Internal => LinkKind::Internal,
        }
    }
}
