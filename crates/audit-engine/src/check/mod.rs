//! Checks: declaration, outcomes and evaluation.

mod declare;
mod documentation;
#[cfg(test)]
pub(crate) mod testing;

pub use documentation::{Documentation, Example, ExampleKind, reflowed};

pub use crate::outcome::{Cause, Evidence, Extent, Failures, Grade, Outcome, Verdict, Verdicts};

use std::borrow::Cow;

use domain::{Confidence, Dimension, Severity, SubjectKind};

use crate::site::Site;
use crate::view::Page;

/// What a check evaluates. The share of affected subjects is counted in this unit.
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
    /// The name in the API.
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

impl From<Scope> for SubjectKind {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Page => Self::Page,
            Scope::Resource => Self::Resource,
            Scope::Origin => Self::Origin,
            Scope::Site => Self::Site,
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
    /// The label in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// What a check needs. If a need is not met, the check is not run and the reason is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Need {
    /// The parsed DOM.
    Dom,
    /// Response headers.
    Headers,
    /// A page that search engines may index, or that only a mistake that another check reports keeps them from; other
    /// pages are not applicable.
    Indexable,
    /// A site that is not on loopback; on loopback, browsers do not require HTTPS and the check is not applicable.
    PublicOrigin,
    /// A crawl that no limit or deadline stopped early; otherwise the check cannot tell.
    CompleteCrawl,
    /// External links were requested; otherwise the check is not run.
    ExternalLinks,
    /// A page that a browser showed; others are not applicable. If a browser showed none, the check is not run.
    Browser,
    /// A page on which the browser pressed the Tab key: [`PageEvents::focus`](crate::gather::PageEvents::focus). That takes
    /// up to 5 s a page, so it is done on the first pages of a crawl, and only if a check needs it.
    TabKey,
    /// Pages of which the browser noted what they use of their scripts and style sheets, as for [`Self::TabKey`] the first ones of a crawl:
    /// [`Site::coverage`](crate::site::Site::coverage).
    Coverage,
    /// Pages whose load a browser measured, after the crawl: [`Site::lab`](crate::site::Site::lab). If it measured none, the
    /// check is not run.
    Measured,
    /// Pictures of the texts whose colors their styles do not tell, of each page that a browser shows:
    /// [`PageEvents::text_colors`](crate::gather::PageEvents::text_colors). Other pages are judged without.
    Pixels,
    /// The page as the server sent it, also where a browser showed it: its subject is the response itself (header
    /// fields, bytes, markup before a tree was built from it), or a reader that runs no scripts. The documentation of the
    /// check says under *Limits* why. All other checks judge the rendered page where there is one.
    AsServed,
}

impl Need {
    /// The label in the documentation.
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
            Self::TabKey => "the Tab key pressed in a browser",
            Self::Coverage => "the code that a browser used",
            Self::Measured => "loads that a browser measured",
            Self::Pixels => "pictures of texts where a browser shows the page",
            Self::AsServed => "the page as served",
        }
    }
}

/// The stability of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stability {
    /// Its verdicts change only with an entry in the changelog.
    Stable {
        /// The first version with the check.
        since: &'static str,
    },
}

/// The outcome of a check on a page, with the check's id.
pub type PageOutcome<'a> = (&'static str, Cow<'a, Outcome>);

/// The function of a check.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Evaluates one page while it is in memory.
    Page(fn(&Page) -> Outcome),
    /// Summarizes other page checks: the list of these checks, and a function from their outcomes to one outcome.
    Summary(
        fn() -> &'static [&'static Check],
        fn(&[PageOutcome<'_>]) -> Outcome,
    ),
    /// Evaluates the origin or the site once, after the crawl.
    Site(fn(&Site) -> Outcome),
    /// Evaluates each page or resource after the crawl, with the data of the whole site.
    Each(fn(&Site, &mut Verdicts<'_>)),
}

/// A check: its id, weight, needs, documentation and function.
///
/// Created by [`declare_check!`](crate::declare_check).
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// The id, a noun for the finding; never reused.
    pub id: &'static str,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// What it evaluates.
    pub scope: Scope,
    /// The severity of its findings.
    pub severity: Severity,
    /// The confidence of its findings.
    pub confidence: Confidence,
    /// How much work a fix usually is.
    pub effort: Effort,
    /// The headline of its findings: "Images without a text alternative".
    pub title: &'static str,
    /// What it needs.
    pub needs: &'static [Need],
    /// The stability.
    pub stability: Stability,
    /// The documentation as Markdown; [`Documentation::parse`] parses it.
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

    /// The form of a page that the check judges: the response if it needs [`Need::AsServed`], else what a browser showed,
    /// if one did.
    #[must_use]
    pub fn subject<'p>(&self, page: &'p Page) -> &'p Page {
        if self.needs(Need::AsServed) {
            page.as_served()
        } else {
            page
        }
    }

    /// The outcome on a page, without testing the needs. A summary evaluates the checks that it summarizes.
    /// `None` for checks of origins and sites.
    #[must_use]
    pub fn evaluate_page(&self, page: &Page) -> Option<Outcome> {
        match self.rule {
            Rule::Page(evaluate) => {
                let mut outcome = evaluate(self.subject(page));
                outcome.make_precise();
                Some(outcome)
            }
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

    /// The parsed documentation.
    #[must_use]
    pub fn documentation(&self) -> Documentation {
        Documentation::parse(self.docs)
    }
}

/// Types that [`declare_check!`](crate::declare_check) uses.
#[doc(hidden)]
pub mod reexport {
    pub use domain::{Confidence, Dimension, Severity};
}
