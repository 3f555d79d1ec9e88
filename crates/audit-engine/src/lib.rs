//! The audit engine: crawls a site, evaluates checks on it, and returns the findings.
//!
//! An audit needs only a URL:
//!
//! ```no_run
//! use audit_engine::{AuditOptions, Auditor};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let auditor = Auditor::new(AuditOptions { max_pages: 50, ..AuditOptions::default() })?;
//! let audit = auditor.audit("https://example.com").await?;
//! println!("{} pages audited", audit.result.coverage.pages_audited);
//! for finding in &audit.result.findings {
//!     println!("{}: {} occurrences", finding.title, finding.occurrences_total);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `domain::report::Report::assemble` turns the result into scores, ordered issues and texts.
//! [`evaluate_page`] evaluates the checks on a single page.
//!
//! # How an audit runs
//!
//! [`Auditor`] follows redirects from the start URL, fetches robots.txt from every origin on the
//! way, reads the sitemaps, and crawls breadth-first. Each page is parsed once into an arena DOM
//! ([`dom`]), indexed ([`page`]), evaluated by every page check ([`checks`]) and dropped; about a
//! kilobyte of facts remains ([`site`]). When all pages are known, resources, external links and
//! well-known URLs are requested, and the site checks run.
//!
//! The same pages give the same result: pages are ordered by their position in the site, not by
//! arrival, so the result does not depend on the number of connections.
//!
//! # What it does not do
//!
//! It runs no scripts and renders no pages: checks that need a browser are `not run`. It stores
//! nothing between audits and has no concept of organizations. It opens no socket outside of
//! [`egress`].

pub mod address;
mod algorithms;
pub mod aria;
pub mod bounds;
pub mod check;
pub mod checks;
mod common;
mod crawl;
pub mod dom;
pub mod egress;
mod evaluation;
mod fetch;
pub mod gather;
mod options;
mod outcome;
pub mod page;
pub mod policy;
mod run;
pub mod site;
mod stop;
mod structured;
mod style;
pub mod view;

pub use crawl::progress::{OnProgress, Phase, Progress, Step, Waiting};
pub use evaluation::{Evaluated, evaluate_page, evaluate_page_of_many};
pub use options::{
    AuditOptions, DEFAULT_MAX_PAGES, DOCS_URL, PRODUCT_TOKEN, default_user_agent, user_agent,
};
pub use run::{Audit, AuditError, Auditor};
pub use stop::Stop;
