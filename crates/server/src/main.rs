//! The `assay` binary: configuration, wiring, and the command line.

mod config;

use std::process::ExitCode;

use clap::Parser;
use cli::{Cli, Command, Exit, print_error};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Prints help and version with status 0 and wrong usage with status 2, and ends the process.
    run(Cli::parse()).into()
}

fn run(cli: Cli) -> Exit {
    let outcome = match cli.command {
        Command::Audit(args) => {
            let file = args.config.config.as_deref();
            match config::load(file, std::env::vars_os().filter_map(as_text)) {
                Ok(defaults) => cli::run_audit(&args, &defaults),
                Err(error) => {
                    print_error(None, &format!("configuration: {error}"));
                    return Exit::Usage;
                }
            }
        }
        Command::Checks(args) => cli::run_checks(&args),
    };
    outcome.unwrap_or_else(|error| {
        print_error(None, &format!("{error:#}"));
        Exit::CouldNotRun
    })
}

/// Variables that are no text cannot be ours.
fn as_text((name, value): (std::ffi::OsString, std::ffi::OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}
