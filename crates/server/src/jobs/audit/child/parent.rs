//! The parent side of a child process.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::ops::ControlFlow;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use audit_engine::egress::EgressOptions;
use domain::FailureCode;
use domain::ports::{AuditEnd, AuditOrder, Auditor};
use domain::run::{Crash, RunError, RunPhase, RunProgress};
use serde_json::Deserializer;

use super::COMMAND;
use super::limits::Limits;
use super::message::{self, Bounded, Budget, Message};
use super::order::{Browser, Crawl, Egress, Order, Run};
use crate::jobs::audit::auditor::CrawlOptions;
use crate::jobs::audit::browser::RunBrowser;
use crate::metrics;

/// Interval of progress reports to the caller.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum unread messages; the child then waits.
const MESSAGES: usize = 4;
/// Maximum bytes of a child's standard error that are kept for the log.
const LAST_WORDS: usize = 2_048;
/// Makes the allocator of a child reserve memory only as needed. By default it reserves a gibibyte at once, which
/// counts against the memory limit whether used or not.
const ALLOCATOR: (&str, &str) = ("MIMALLOC_ARENA_EAGER_COMMIT", "0");
/// Environment variables that a child inherits: the locations of certificate authorities, and where it finds a browser and
/// keeps the browser's profile.
const VARIABLES: [&str; 4] = ["SSL_CERT_FILE", "SSL_CERT_DIR", "PATH", "TMPDIR"];

/// Audits each run in a child process.
pub(crate) struct ChildAuditor {
    egress: Egress,
    crawl: Crawl,
    browser: Option<Browser>,
    memory_bytes: u64,
}

impl ChildAuditor {
    /// Creates an auditor whose children may allocate this much memory. Each starts a browser of its own, of the same
    /// program as this one.
    pub(crate) fn new(
        crawl: CrawlOptions,
        egress: &EgressOptions,
        browser: Option<&RunBrowser>,
        memory_bytes: u64,
    ) -> Self {
        Self {
            egress: egress.into(),
            crawl: crawl.into(),
            browser: browser.map(Browser::from),
            memory_bytes,
        }
    }

    fn start(&self, order: &AuditOrder) -> std::io::Result<Running> {
        let mut child = Guarded(command()?.spawn()?);
        let missing = || std::io::Error::other("a pipe is missing");
        let mut input = child.0.stdin.take().ok_or_else(missing)?;
        let output = child.0.stdout.take().ok_or_else(missing)?;
        let errors = child.0.stderr.take().ok_or_else(missing)?;
        let (send, messages) = sync_channel(MESSAGES);
        let named = |name: &str| std::thread::Builder::new().name(name.to_owned());
        named("child-out").spawn(move || read(output, &send))?;
        let last_words = named("child-err").spawn(move || last_words(errors))?;
        let order = Order {
            limits: Limits {
                memory_bytes: self.memory_bytes,
                parent: std::process::id(),
            },
            egress: self.egress.clone(),
            crawl: self.crawl,
            browser: self.browser.clone(),
            run: Run::from(order),
        };
        let mut line = serde_json::to_vec(&order)?;
        line.push(b'\n');
        input.write_all(&line)?;
        Ok(Running {
            child,
            _input: input,
            messages,
            last_words,
        })
    }
}

/// Returns the command that starts a child in its own process group, so signals to the parent's group do not reach it.
fn command() -> std::io::Result<Command> {
    // The running program: its file may have been replaced since.
    #[cfg(target_os = "linux")]
    let program = "/proc/self/exe";
    #[cfg(not(target_os = "linux"))]
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    command
        .arg(COMMAND)
        .env_clear()
        .env(ALLOCATOR.0, ALLOCATOR.1)
        .envs(
            VARIABLES
                .iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.arg0("assay").process_group(0);
    }
    Ok(command)
}

/// A child that is killed when its handle is dropped.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        // Neither has an effect if the child has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A running child.
struct Running {
    child: Guarded,
    /// The child ends when this is closed.
    _input: ChildStdin,
    messages: Receiver<Message>,
    last_words: JoinHandle<String>,
}

impl Auditor for ChildAuditor {
    fn audit(
        &self,
        order: &AuditOrder,
        beat: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>,
    ) -> AuditEnd {
        match self.start(order) {
            Ok(running) => running.watch(beat),
            Err(error) => {
                tracing::error!(%error, "audit process not started");
                AuditEnd::NotStarted
            }
        }
    }
}

impl Running {
    /// Waits for the end of the child, and reports its progress meanwhile.
    fn watch(self, beat: &mut dyn FnMut(&RunProgress) -> ControlFlow<()>) -> AuditEnd {
        let mut latest = RunProgress {
            phase: RunPhase::Discovering,
            ..RunProgress::QUEUED
        };
        let mut reported_at = None;
        loop {
            if reported_at
                .is_none_or(|reported_at: Instant| reported_at.elapsed() >= PROGRESS_INTERVAL)
            {
                if beat(&latest).is_break() {
                    return AuditEnd::Stopped;
                }
                reported_at = Some(Instant::now());
            }
            match self.messages.recv_timeout(PROGRESS_INTERVAL) {
                Ok(Message::Progress { progress, fetches }) => {
                    let now = progress.read();
                    metrics::pages_audited(now.pages_audited.saturating_sub(latest.pages_audited));
                    for (outcome, bytes, took) in fetches.into_iter().filter_map(|one| one.read()) {
                        metrics::fetched(outcome, bytes, took);
                    }
                    latest = now;
                }
                Ok(Message::Result(result)) => return ended(*result),
                Ok(Message::Error { code, message }) => {
                    return self.failed(message::error(&code, message));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.crashed(),
            }
        }
    }

    /// Logs what a child reports about an internal error.
    fn failed(self, error: RunError) -> AuditEnd {
        drop(self.child);
        if error.code == FailureCode::Internal {
            let last_words = self.last_words.join().unwrap_or_default();
            tracing::error!(last_words, "audit process failed");
        }
        AuditEnd::Error(error)
    }

    /// Determines how a child ended that did not report its end.
    fn crashed(mut self) -> AuditEnd {
        // It closed its output, so it has ended or is unusable.
        if self.child.0.try_wait().ok().flatten().is_none() {
            std::thread::sleep(PROGRESS_INTERVAL);
        }
        let status = self.child.0.try_wait().ok().flatten();
        drop(self.child);
        let last_words = self.last_words.join().unwrap_or_default();
        let end = status.map_or(AuditEnd::NotStarted, end_of);
        tracing::error!(
            status = status.map(|status| status.to_string()),
            last_words,
            "audit process ended without a result"
        );
        end
    }
}

fn ended(result: super::result::Result) -> AuditEnd {
    match result.try_into() {
        Ok(result) => AuditEnd::Result(Box::new(result)),
        Err(error) => {
            tracing::error!(%error, "audit result unreadable");
            AuditEnd::Error(RunError::internal())
        }
    }
}

/// Maps the exit status of a child to the end of the audit.
#[cfg(unix)]
fn end_of(status: ExitStatus) -> AuditEnd {
    use std::os::unix::process::ExitStatusExt;

    use rustix::process::Signal;

    let signal = status.signal().and_then(Signal::from_named_raw);
    match signal {
        Some(
            Signal::ABORT
            | Signal::SEGV
            | Signal::BUS
            | Signal::ILL
            | Signal::FPE
            | Signal::SYS
            | Signal::TRAP,
        ) => AuditEnd::Crashed(Crash::Aborted),
        Some(Signal::KILL) => AuditEnd::Crashed(Crash::Killed),
        // A stop signal reached it before it ignored signals.
        Some(_) => AuditEnd::Stopped,
        None => AuditEnd::NotStarted,
    }
}

/// Maps the exit status of a child to the end of the audit.
#[cfg(not(unix))]
fn end_of(_status: ExitStatus) -> AuditEnd {
    AuditEnd::Crashed(Crash::Killed)
}

/// Reads messages until the end of the output, or until one is invalid.
fn read(output: ChildStdout, to: &SyncSender<Message>) {
    let budget = Budget::new();
    let bounded = Bounded {
        inner: output,
        budget: budget.clone(),
    };
    let messages = Deserializer::from_reader(BufReader::new(bounded)).into_iter::<Message>();
    for message in messages {
        budget.renew();
        match message {
            Ok(message) => {
                if to.send(message).is_err() {
                    return;
                }
            }
            Err(error) if error.is_eof() => return,
            Err(error) => {
                tracing::error!(%error, "message of the audit process unreadable");
                return;
            }
        }
    }
}

/// Returns the last bytes that a child wrote to its standard error.
fn last_words(mut errors: ChildStderr) -> String {
    let mut kept = VecDeque::new();
    let mut piece = [0; 512];
    while let Ok(read) = errors.read(&mut piece) {
        if read == 0 {
            break;
        }
        kept.extend(piece.iter().take(read));
        let too_many = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..too_many);
    }
    String::from_utf8_lossy(kept.make_contiguous()).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::aborted(6, AuditEnd::Crashed(Crash::Aborted))]
    #[case::overflowed_its_stack(11, AuditEnd::Crashed(Crash::Aborted))]
    #[case::killed(9, AuditEnd::Crashed(Crash::Killed))]
    #[case::told_to_stop(15, AuditEnd::Stopped)]
    #[case::did_not_begin(256, AuditEnd::NotStarted)]
    fn ends(#[case] wait_status: i32, #[case] expected: AuditEnd) {
        assert_eq!(end_of(ExitStatus::from_raw(wait_status)), expected);
    }
}
