//! The check machinery: how a check is declared, what it may answer, and how it is run.

mod declare;
mod documentation;
#[cfg(test)]
pub(crate) mod testing;

pub use documentation::{Documentation, Example, ExampleKind, reflowed};

pub use crate::outcome::{Cause, Evidence, Failures, Grade, Outcome, Verdict, Verdicts};

use std::borrow::Cow;

use domain::{Confidence, Dimension, Severity};

use crate::site::Site;
use crate::view::Page;

/// What a check judges, and so what its share of affected subjects is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Each page.
    Page,
    /// Each resource or file.
    Resource,
    /// The origin, once.
    Origin,
    /// The site as a whole, once.
    Site,
}

impl Scope {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Resource => "resource",
            Self::Origin => "origin",
            Self::Site => "site",
        }
    }
}

/// How much work a fix usually is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effort {
    /// Minutes: an attribute, a header.
    Small,
    /// Hours: a template, a configuration.
    Medium,
    /// Days: content, architecture.
    Large,
}

impl Effort {
    /// The word people read.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// What a check needs. A need that is not met keeps the check from being run, and says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// The parsed tree.
    Dom,
    /// Response headers.
    Headers,
    /// A page that search engines may index; other pages are not applicable.
    Indexable,
    /// A site that is not on loopback, where browsers demand https; loopback is not applicable.
    PublicOrigin,
    /// A crawl that no cap or deadline cut short; otherwise the check cannot tell.
    CompleteCrawl,
    /// External links were requested; otherwise the check is not run.
    ExternalLinks,
    /// A browser; without one the check is not run.
    Browser,
}

impl Need {
    /// The word in the documentation.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dom => "the parsed page",
            Self::Headers => "response headers",
            Self::Indexable => "an indexable page",
            Self::PublicOrigin => "an origin that is not on loopback",
            Self::CompleteCrawl => "a complete crawl",
            Self::ExternalLinks => "external links requested",
            Self::Browser => "a browser",
        }
    }
}

/// How settled a check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stability {
    /// Its verdicts change only with a line in the changelog.
    Stable {
        /// The version that had it first.
        since: &'static str,
    },
}

/// The outcome of a check on a page, with the check's id.
pub type PageOutcome<'a> = (&'static str, Cow<'a, Outcome>);

/// The function of a check.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Judges a page by itself, while it is in memory.
    Page(fn(&Page) -> Outcome),
    /// Summarizes the outcomes of other page checks: which these are, and the outcome that follows from theirs.
    Summary(
        fn() -> &'static [&'static Check],
        fn(&[PageOutcome<'_>]) -> Outcome,
    ),
    /// Judges the origin or the site once, after the crawl.
    Site(fn(&Site) -> Outcome),
    /// Judges pages or resources one by one, after the crawl, by what is known of the whole site.
    Each(fn(&Site, &mut Verdicts<'_>)),
}

/// A check: what it is called, what it is worth, what it needs, what it says, how it judges.
///
/// Made by [`declare_check!`](crate::declare_check).
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The noun of what is found; never reused.
    pub id: &'static str,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// What it judges.
    pub scope: Scope,
    /// How much its finding hurts.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// How much work a fix usually is.
    pub effort: Effort,
    /// What was found, as a headline: "Images without a text alternative".
    pub title: &'static str,
    /// What it needs.
    pub needs: &'static [Need],
    /// How settled it is.
    pub stability: Stability,
    /// The documentation as Markdown; [`Documentation::parse`] takes it apart.
    pub docs: &'static str,
    /// The function.
    pub rule: Rule,
}

impl Check {
    /// Whether the check needs this.
    #[must_use]
    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    /// The outcome on a page, whatever the check needs; a summary evaluates the checks that it summarizes.
    /// None for checks of origins and sites.
    #[must_use]
    pub fn evaluate_page(&self, page: &Page) -> Option<Outcome> {
        match self.rule {
            Rule::Page(evaluate) => Some(evaluate(page)),
            Rule::Summary(summarized, evaluate) => {
                let outcome = |check: &&'static Self| {
                    let outcome = check.evaluate_page(page)?;
                    Some((check.id, Cow::Owned(outcome)))
                };
                let outcomes: Vec<_> = summarized().iter().filter_map(outcome).collect();
                Some(evaluate(&outcomes))
            }
            Rule::Site(_) | Rule::Each(_) => None,
        }
    }

    /// The documentation, taken apart.
    #[must_use]
    pub fn documentation(&self) -> Documentation {
        Documentation::parse(self.docs)
    }
}

/// What [`declare_check!`](crate::declare_check) names.
#[doc(hidden)]
pub mod reexport {
    pub use domain::{Confidence, Dimension, Severity};
}
