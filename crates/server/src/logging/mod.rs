//! Logging to standard error.

mod writer;

use std::io::IsTerminal;
use std::sync::OnceLock;

use anyhow::Result;
use cli::Exit;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::TryInitError;

use crate::config::{LogFormat, Service};
use writer::LogWriter;

/// Maximum characters of a logged panic message.
const MAX_PANIC_CHARS: usize = 300;

/// The log writer of this process, for its metrics.
static WRITER: OnceLock<LogWriter> = OnceLock::new();

/// Why logging cannot start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// The filter is invalid.
    #[error("logs.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// A logger is already installed.
    #[error(transparent)]
    Init(#[from] TryInitError),
    /// The thread that writes was not started.
    #[error("the log writer thread could not be started: {0}")]
    Thread(#[from] std::io::Error),
    /// The filter cannot be replaced.
    #[error("the log filter cannot be replaced: {0}")]
    Reload(#[from] tracing_subscriber::reload::Error),
}

/// The log of this process.
pub(crate) struct Log {
    writer: LogWriter,
    set_filter: Box<dyn Fn(EnvFilter) -> Result<(), LogError> + Send + Sync>,
}

impl Log {
    /// Applies another filter from now on.
    pub(crate) fn set_filter(&self, filter: &str) -> Result<(), LogError> {
        (self.set_filter)(EnvFilter::builder().parse(filter)?)
    }
}

/// Returns how many log lines of this process were dropped because the reader of standard error was too slow or gone.
pub(crate) fn dropped_lines() -> u64 {
    WRITER.get().map_or(0, LogWriter::dropped)
}

/// Runs an action with the log set up. Writes its last lines and its error before it returns. A reader that does not
/// read cannot block the process.
pub(crate) fn with_log(
    service: &Service,
    action: impl FnOnce(&'static Log) -> Result<Exit>,
) -> Result<Exit> {
    static LOG: OnceLock<Log> = OnceLock::new();
    let log = init(service)?;
    let log = LOG.get_or_init(|| log);
    let done = action(log).unwrap_or_else(|error| {
        let line = format!("{}\n", cli::error_line(None, &format!("{error:#}")));
        log.writer.push(line.as_bytes());
        Exit::CouldNotRun
    });
    log.writer.close();
    Ok(done)
}

/// Installs the log of this process.
fn init(service: &Service) -> Result<Log, LogError> {
    use tracing_subscriber::util::SubscriberInitExt;

    let filter = EnvFilter::builder().parse(&service.log_filter)?;
    let writer = LogWriter::start(std::io::stderr())?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer.clone());
    let json = match service.log_format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !std::io::stderr().is_terminal(),
    };
    let set_filter: Box<dyn Fn(EnvFilter) -> Result<(), LogError> + Send + Sync> = if json {
        let builder = builder
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .with_filter_reloading();
        let handle = builder.reload_handle();
        builder.finish().try_init()?;
        Box::new(move |filter| Ok(handle.reload(filter)?))
    } else {
        let builder = builder.with_target(false).with_filter_reloading();
        let handle = builder.reload_handle();
        builder.finish().try_init()?;
        Box::new(move |filter| Ok(handle.reload(filter)?))
    };
    // Panics are logged like every other event, on one line.
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!(
            at = panic.location().map(ToString::to_string),
            thread = std::thread::current().name(),
            "{}",
            short(panic.payload_as_str().unwrap_or("panicked"))
        );
    }));
    WRITER.get_or_init(|| writer.clone());
    Ok(Log { writer, set_filter })
}

/// Truncates a message to one line.
fn short(message: &str) -> String {
    let words = message.chars().take(MAX_PANIC_CHARS);
    words
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
