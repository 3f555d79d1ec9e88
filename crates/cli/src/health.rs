//! `assay health`.

use anyhow::{Context, Result};
use client::{Error, Health, ServerUrl};

use crate::args::HealthArgs;
use crate::exit::Exit;
use crate::output::{print_error, write_note};

/// Checks the health of a service. It sends no key, so that plain http is no risk.
///
/// # Errors
/// When the asynchronous runtime cannot be started.
pub fn run_health(args: &HealthArgs) -> Result<Exit> {
    let server = match ServerUrl::parse(&args.server, true) {
        Ok(server) => server,
        Err(error) => {
            print_error(None, &error.to_string());
            return Ok(Exit::Usage);
        }
    };
    let (health, state) = match args.alive {
        true => (Health::Alive, "alive"),
        false => (Health::Ready, "ready"),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    match runtime.block_on(health.ask(&server)) {
        Ok(()) => {
            write_note(&format!("{server} is {state}"));
            Ok(Exit::Fine)
        }
        Err(error) => {
            print_error(error.code(), &described(&error));
            Ok(Exit::GateFailed)
        }
    }
}

/// The error with what to do about it.
fn described(error: &Error) -> String {
    match error {
        Error::Unreachable { .. } => {
            format!("{error}\nCheck that the service is running and that --server is its address.")
        }
        _ => error.to_string(),
    }
}
