//! The child side of a child process.

use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use audit_engine::egress::Limiter;
use cli::Exit;
use domain::ports::{AuditEnd, Auditor};
use domain::run::{RunError, RunPhase, RunProgress};

use super::message::Message;
use super::order::{Browser, ORDER_BYTES, Order};
use super::output::{Fetches, send};
use crate::jobs::audit::auditor::EngineAuditor;

/// Executes the order from the standard input, and writes its result to the standard output.
pub(crate) fn run() -> Result<Exit> {
    let order = read_order()?;
    order.limits.apply().context("limits could not be set")?;
    let ends = Arc::new(AtomicBool::new(false));
    watch_parent(Arc::clone(&ends))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_name("engine")
        .enable_all()
        .build()
        .context("the engine's runtime could not be started")?;
    ignore_signals(&runtime)?;
    let fetches = Arc::new(Fetches::default());
    let counted = Arc::clone(&fetches);
    let auditor = EngineAuditor::counting(
        runtime.handle().clone(),
        order.crawl.into(),
        order.egress.read()?,
        Arc::<Limiter>::default(),
        Arc::new(move |outcome, bytes, took| counted.count(outcome, bytes, took)),
    )?
    .with_browser(order.browser.and_then(Browser::read));
    let mut sent = Ok(());
    let mut latest = RunProgress {
        phase: RunPhase::Discovering,
        ..RunProgress::QUEUED
    };
    let end = auditor.audit(&order.run.read()?, &mut |progress| {
        latest = *progress;
        sent = send(&Message::progress(progress, fetches.take()));
        match sent.is_err() || ends.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    sent?;
    if let AuditEnd::Result(result) = &end {
        // Its report is not stored yet.
        latest = result.coverage.progress(RunPhase::Scoring, 99);
    }
    let last = match end {
        AuditEnd::Result(result) => Message::Result(Box::new((*result).into())),
        AuditEnd::Error(error) => Message::error(&error),
        AuditEnd::Stopped => return Ok(Exit::Fine),
        AuditEnd::NotStarted | AuditEnd::Crashed(_) => Message::error(&RunError::internal()),
    };
    // Includes the requests after the last progress report.
    send(&Message::progress(&latest, fetches.take()))?;
    send(&last)?;
    // The engine's remaining tasks are no longer needed.
    runtime.shutdown_background();
    Ok(Exit::Fine)
}

/// Reads the order, which is one line.
fn read_order() -> Result<Order> {
    let mut line = Vec::new();
    let mut input = BufReader::new(std::io::stdin().lock().take(ORDER_BYTES));
    input.read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        bail!(
            "`{}` is an internal command: the service starts it and sends the run on standard input",
            super::COMMAND
        );
    }
    Ok(serde_json::from_slice(&line)?)
}

/// Sets `ends` when the parent closes the pipe or ends.
fn watch_parent(ends: Arc<AtomicBool>) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("parent".to_owned());
    thread.spawn(move || {
        // The parent sends nothing after the order, so this returns only at the end.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        ends.store(true, Ordering::Relaxed);
    })?;
    Ok(())
}

/// Ignores stop signals; the parent handles them and ends its children.
#[cfg(unix)]
fn ignore_signals(runtime: &tokio::runtime::Runtime) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let _context = runtime.enter();
    for kind in [
        SignalKind::terminate(),
        SignalKind::interrupt(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ] {
        // From now on the signal does not end the process, even if nothing listens for it.
        drop(signal(kind)?);
    }
    Ok(())
}

/// Ignores stop signals; the parent handles them and ends its children.
#[cfg(not(unix))]
fn ignore_signals(_runtime: &tokio::runtime::Runtime) -> std::io::Result<()> {
    Ok(())
}
