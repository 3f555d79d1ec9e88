//! Log lines, to the standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::util::TryInitError;

use crate::config::{LogFormat, Service};

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
    Ok(())
}
