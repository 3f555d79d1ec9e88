//! An audit that Ctrl-C can stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use audit_engine::browser::ChromiumRenderer;
use audit_engine::{Audit, AuditError, Auditor, Progress, Stop};

use crate::output::write_note;
use crate::progress::ProgressLine;

/// How an audit ended.
pub(super) enum Ended {
    /// With a report, possibly after a cancellation.
    Audit(Box<Audit>),
    /// The audit failed.
    Failed(AuditError),
    /// It was cancelled before a page was audited.
    Abandoned,
    /// The browser of rendered mode does not start.
    NoBrowser(String),
    /// It was interrupted by a second Ctrl-C.
    AtOnce,
}

/// Runs the audit. The first signal stops it with a partial report; the second returns immediately.
/// The browser starts before the first request and has ended when this returns.
pub(super) fn run(
    auditor: &Auditor,
    renderer: Option<&ChromiumRenderer>,
    url: &str,
    stop: &Stop,
    quiet: bool,
) -> Result<Ended> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    let line = ProgressLine::new(quiet);
    let has_pages = Arc::new(AtomicBool::new(false));
    let show = |progress: &Progress| {
        if progress.pages_audited > 0 {
            has_pages.store(true, Ordering::Relaxed);
        }
        line.show(progress);
    };
    let audited = async {
        if let Some(renderer) = renderer
            && let Err(error) = renderer.start().await
        {
            return Ended::NoBrowser(error.to_string());
        }
        let audit = auditor.audit_with_progress(url, &show);
        tokio::pin!(audit);
        tokio::select! {
            outcome = &mut audit => return ended(outcome, stop),
            () = interrupted() => {}
        }
        if !has_pages.load(Ordering::Relaxed) {
            return Ended::Abandoned;
        }
        stop.cancel();
        line.suspend(|| {
            write_note(
                "stopping: writing a report on the pages audited so far; press Ctrl-C again to exit immediately",
            );
        });
        tokio::select! {
            outcome = &mut audit => ended(outcome, stop),
            () = interrupted() => Ended::AtOnce,
        }
    };
    let ended = runtime.block_on(async {
        let ended = audited.await;
        if let Some(renderer) = renderer {
            renderer.close().await;
        }
        ended
    });
    line.finish();
    // Do not wait for tasks that the audit started.
    runtime.shutdown_background();
    Ok(ended)
}

fn ended(outcome: Result<Audit, AuditError>, stop: &Stop) -> Ended {
    match outcome {
        Ok(audit) if stop.is_cancelled() && audit.result.coverage.pages_audited == 0 => {
            Ended::Abandoned
        }
        Ok(audit) => Ended::Audit(Box::new(audit)),
        Err(error) => Ended::Failed(error),
    }
}

/// Returns on SIGINT or SIGTERM.
async fn interrupted() {
    let pressed = async {
        // If no handler can be installed, the signal keeps its default behavior.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = pressed => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
