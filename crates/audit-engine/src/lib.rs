//! The audit engine: crawls a site, judges it by a catalogue of checks, and says what it found.
//!
//! An audit needs a URL and nothing else:
//!
//! ```no_run
//! use audit_engine::{AuditOptions, Auditor};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let auditor = Auditor::new(AuditOptions { max_pages: 50, ..AuditOptions::default() })?;
//! let audit = auditor.audit("https://example.com").await?;
//! println!("{} pages audited", audit.result.coverage.pages_audited);
//! for finding in &audit.result.findings {
//!     println!("{}: {} places", finding.title, finding.occurrences_total);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `domain::report::Report::assemble` turns the result into scores, issues in order, and texts.
//! A page at hand is judged by itself with [`judge_page`].
//!
//! # How an audit runs
//!
//! [`Auditor`] follows the start URL to the page it lands on, asks every origin on the way for its
//! robots.txt, reads the sitemaps, and crawls breadth-first. Each page is parsed once into an
//! arena DOM ([`dom`]), indexed ([`page`]), judged by every page check ([`checks`]) and dropped;
//! what stays is about a kilobyte of facts ([`site`]). When all pages are known, resources,
//! external links and well-known places are asked for, and the checks of the whole site run.
//!
//! The same pages give the same result: pages are numbered by their place in the site, not by when
//! they arrive, so one connection and thirty-two agree.
//!
//! # What it does not do
//!
//! It runs no scripts and draws no pages: what only a browser can know is `not run`. It keeps
//! nothing between audits and knows no organizations. It opens no socket outside of [`egress`].

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

pub use crawl::progress::{OnProgress, Phase, Progress};
pub use evaluation::{Judged, judge_page};
pub use options::{
    AuditOptions, DEFAULT_MAX_PAGES, DOCS_URL, PRODUCT_TOKEN, default_user_agent, user_agent,
};
pub use run::{Audit, AuditError, Auditor};
pub use stop::Stop;
