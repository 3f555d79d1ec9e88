//! An audit while somebody watches, who may end it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use audit_engine::{Audit, AuditError, Auditor, Progress, Stop};

use crate::output::write_note;
use crate::progress::ProgressLine;

/// How an audit ended.
pub(super) enum Ended {
    /// With something to report, perhaps before its end.
    Audit(Box<Audit>),
    /// It could not be made.
    Failed(AuditError),
    /// It was cancelled before there was anything to report.
    Abandoned,
    /// It was cancelled twice.
    AtOnce,
}

/// Audits; asked to stop once, it comes back with what it has, and twice at once.
pub(super) fn run(auditor: &Auditor, url: &str, stop: &Stop, quiet: bool) -> Result<Ended> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the asynchronous runtime could not be started")?;
    let line = ProgressLine::new(quiet);
    let has_pages = Arc::new(AtomicBool::new(false));
    let show = |progress: &Progress| {
        if progress.pages_audited > 0 {
            has_pages.store(true, Ordering::Relaxed);
        }
        line.show(progress);
    };
    let ended = runtime.block_on(async {
        let audit = auditor.audit_with_progress(url, &show);
        tokio::pin!(audit);
        tokio::select! {
            outcome = &mut audit => return of(outcome, stop),
            () = interrupted() => {}
        }
        if !has_pages.load(Ordering::Relaxed) {
            return Ended::Abandoned;
        }
        stop.cancel();
        line.suspend(|| {
            write_note(
                "stopping: what was seen so far is judged; press Ctrl-C again to end at once",
            );
        });
        tokio::select! {
            outcome = &mut audit => of(outcome, stop),
            () = interrupted() => Ended::AtOnce,
        }
    });
    line.finish();
    // Nothing the audit started is worth waiting for any more.
    runtime.shutdown_background();
    Ok(ended)
}

fn of(outcome: Result<Audit, AuditError>, stop: &Stop) -> Ended {
    match outcome {
        Ok(audit) if stop.is_cancelled() && audit.result.coverage.pages_audited == 0 => {
            Ended::Abandoned
        }
        Ok(audit) => Ended::Audit(Box::new(audit)),
        Err(error) => Ended::Failed(error),
    }
}

/// Comes back when the person, or who runs the job, asks for the end.
async fn interrupted() {
    let pressed = async {
        // Where it cannot be heard, it does what it does by default.
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
