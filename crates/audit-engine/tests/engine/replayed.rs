//! Audits of recorded sites with a renderer that replays pages.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::sync::Arc;
use std::time::Duration;

use audit_engine::checks;
use audit_engine::{Audit, AuditOptions, Auditor};
use testkit::{ReplayFetcher, ReplayRenderer};

/// Where the sites begin.
pub(crate) const START: &str = "https://example.com/";

/// The options of an audit with these checks only, without waits and without links to other sites.
pub(crate) fn options(only: &[&str]) -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        only: Some(only.iter().map(|id| checks::find(id).unwrap()).collect()),
        ..AuditOptions::default()
    }
}

/// Audits a recorded site whose pages the renderer shows.
pub(crate) fn audit(site: &str, renderer: ReplayRenderer, options: AuditOptions) -> Audit {
    let fetcher = Arc::new(ReplayFetcher::parse(site).unwrap());
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options)
        .rendering_with(Arc::new(renderer));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    runtime.unwrap().block_on(auditor.audit(START)).unwrap()
}
