//! The audit engine.

pub mod address;
pub mod aria;
pub mod check;
pub mod checks;
mod common;
mod crawl;
pub mod dom;
pub mod egress;
pub mod gather;
pub mod page;
pub mod policy;
mod run;
pub mod site;

pub use run::{
    Audit, AuditError, AuditOptions, Auditor, DEFAULT_MAX_PAGES, DOCS_URL, OnProgress,
    PRODUCT_TOKEN, Phase, Progress, default_user_agent,
};
