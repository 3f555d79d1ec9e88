//! The audit engine: crawls a site, evaluates checks on it, and returns the findings.
//!
//! # Guide
//!
//! The engine needs no service and no database. Depend on it from its repository, with a runtime of tokio:
//!
//! ```toml
//! [dependencies]
//! audit-engine = { git = "https://github.com/your-org/assay", tag = "v0.1.0", features = ["serde"] }
//! tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
//! ```
//!
//! ## Audit a site
//!
//! An audit needs only a URL. [`Report`](domain::report::Report) turns its result into scores, issues in the order of
//! what their fix gains, and texts:
//!
//! ```no_run
//! use audit_engine::domain::report::{Report, Variant};
//! use audit_engine::domain::score::DimensionWeights;
//! use audit_engine::{AuditOptions, Auditor};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let auditor = Auditor::new(AuditOptions { max_pages: 50, ..AuditOptions::default() })?;
//! let audit = auditor.audit("https://example.com").await?;
//! let report = Report::assemble(&audit.result, Variant::Current, &DimensionWeights::default());
//! println!("{}: {}", report.url, report.score.overall);
//! for issue in &report.issues {
//!     println!("{}: {} occurrences", issue.title, issue.occurrences_total);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! ## Judge one document, without a network
//!
//! [`evaluate_page`] runs the checks of a page on a document that you have. Pass the response headers to the builder as
//! well if you have them; checks that need what is not there are not applicable. Checks of resources, links and the site
//! need an audit.
//!
//! ```
//! use audit_engine::check::Outcome;
//! use audit_engine::checks::catalogue;
//! use audit_engine::view::Page;
//! use audit_engine::{Evaluated, evaluate_page};
//!
//! let page = Page::builder().html("<!doctype html><html lang=en><title>Menu</title><img src=cake.jpg>");
//! let checks = catalogue();
//! let mut failed = Vec::new();
//! for (check, judged) in checks.iter().zip(evaluate_page(&checks, &page)) {
//!     if let Evaluated::Answered(Outcome::Failed(failures)) = judged {
//!         failed.push((check.id, failures.len()));
//!     }
//! }
//! assert!(failed.contains(&("image-alt", 1)));
//! ```
//!
//! ## Audit your own machine
//!
//! Private and loopback addresses are refused, also behind redirects and DNS names, unless you list them. A refused audit
//! says what would allow it in [`AuditError::remedy`]:
//!
//! ```no_run
//! use audit_engine::egress::EgressOptions;
//! use audit_engine::{AuditOptions, Auditor, default_user_agent};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let own = ["127.0.0.1:3000".parse()?].into_iter().collect();
//! let egress = EgressOptions::new(own, default_user_agent());
//! let auditor = Auditor::with_egress(egress, AuditOptions::default())?;
//! let audit = auditor.audit("http://127.0.0.1:3000/").await?;
//! # drop(audit);
//! # Ok(())
//! # }
//! ```
//!
//! ## Keep results
//!
//! With the feature `serde`, [`AuditResult`](domain::report::AuditResult), [`Report`](domain::report::Report) and all
//! types in them implement `Serialize` and `Deserialize`. Fields are named as in the JSON of the HTTP API, but these are
//! the types of this version: they may gain fields. A file that other versions read is that of `assay audit --json`.
//!
//! ## Where to read on
//!
//! | You want to | Read |
//! | --- | --- |
//! | limit pages, depth, time or paths, or send headers | [`AuditOptions`] |
//! | show progress, or stop early with a result | [`Auditor::audit_with_progress`], [`Stop`] |
//! | run some checks only, or list them | [`checks::catalogue`], [`check::Check`] |
//! | run the checks on a page as a browser renders it | `browser::ChromiumRenderer`, [`view::Page::rendered`] |
//! | replay recorded responses, in tests for example | [`gather::Fetcher`], [`Auditor::with_fetcher`] |
//! | handle failures | [`AuditError`], [`FailureCode`](domain::FailureCode) |
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
//! An audit runs no scripts and renders no pages: checks that need a browser are `not run`. The module `browser` (feature
//! `browser`) renders single pages in Chromium; [`view::Page::rendered`] is a rendered page. The engine stores nothing
//! between audits and has no concept of organizations. It opens no socket outside of [`egress`].

pub mod address;
mod algorithms;
pub mod aria;
pub mod bounds;
#[cfg(feature = "browser")]
pub mod browser;
pub mod check;
pub mod checks;
mod common;
mod crawl;
pub mod dom;
pub mod egress;
mod evaluation;
mod fetch;
pub mod gather;
pub mod lab;
mod layout;
mod options;
mod outcome;
pub mod page;
mod painting;
pub mod policy;
mod run;
pub mod site;
pub mod snapshot;
mod stop;
mod structured;
mod style;
pub mod view;

/// Scores, reports and the gates of targets: the types that audits take and return.
pub use domain;

pub use crawl::progress::{Measuring, OnProgress, Phase, Progress, Step, Waiting};
pub use evaluation::{Evaluated, evaluate_page, evaluate_page_of_many};
pub use options::{
    AuditOptions, DEFAULT_MAX_PAGES, DOCS_URL, LabOptions, PRODUCT_TOKEN, RenderedPages,
    default_user_agent, product, user_agent,
};
pub use run::{Audit, AuditError, Auditor, Remedy};
pub use stop::Stop;
