//! Log lines, to the standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::TryInitError;

use crate::config::{LogFormat, Service};

/// Characters of the message of a panic in the log at most.
const MAX_PANIC_CHARS: usize = 300;

/// Why nothing can be logged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LogError {
    /// The filter cannot be read.
    #[error("logs.filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// Something logs already.
    #[error(transparent)]
    Init(#[from] TryInitError),
}

/// Sets up the log of this process.
pub(crate) fn init(service: &Service) -> Result<(), LogError> {
    use tracing_subscriber::util::SubscriberInitExt;

    let filter = EnvFilter::builder().parse(&service.log_filter)?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let json = match service.log_format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !std::io::stderr().is_terminal(),
    };
    if json {
        builder
            .json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .finish()
            .try_init()?;
    } else {
        builder.with_target(false).finish().try_init()?;
    }
    // What panics is told as every other event is, on one line.
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!(
            at = panic.location().map(ToString::to_string),
            thread = std::thread::current().name(),
            "{}",
            short(panic.payload_as_str().unwrap_or("panicked"))
        );
    }));
    Ok(())
}

/// The beginning of a message, on one line.
fn short(message: &str) -> String {
    let words = message.chars().take(MAX_PANIC_CHARS);
    words
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
