//! Sites: an audit of any site ends, with a result for every check.
//!
//! An input is a [`Recording`].

use std::sync::Arc;
use std::time::Duration;

use audit_engine::gather::{RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::report::Unjudged;

/// Audits a recorded site.
pub(crate) fn check_property(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // A few octets could expand to a page of many megabytes, which other tests cover.
    if text.contains("%repeat") {
        return;
    }
    let Ok(recording) = Recording::parse(&text) else {
        return;
    };
    let options = AuditOptions {
        max_pages: 5,
        external: false,
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let Ok(audit) = runtime.block_on(auditor.audit(RECORDING_BASE)) else {
        return;
    };
    assert!(audit.result.coverage.pages_audited <= 5);
    for check in &audit.result.unjudged {
        assert!(!matches!(check.why, Unjudged::Errored(_)), "{check:?}");
    }
}
