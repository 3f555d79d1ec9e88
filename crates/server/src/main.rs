//! The `assay` binary: configuration, wiring, and the command line.

mod admin;
mod allocator;
mod clock;
mod config;
mod database;
#[cfg(feature = "failpoints")]
mod failpoints;
#[cfg(feature = "pdf")]
mod fonts;
mod jobs;
mod lock;
mod logging;
mod metrics;
mod objects;
mod operate;
mod secret_key;
mod serve;
mod signal;
mod sources;
mod worker_pool;

use std::process::ExitCode;

use anyhow::{Context, Result};
use cli::{Cli, Command, ConfigArgs, Exit, McpArgs, print_error};

use config::{ConfigSource, Flags, Settings};

fn main() -> ExitCode {
    allocator::give_back_at_once();
    #[cfg(feature = "failpoints")]
    failpoints::arm();
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == jobs::audit::CHILD_COMMAND)
    {
        return ended(jobs::audit::run_child()).into();
    }
    let exit = match cli::parse() {
        Ok(cli) => run(cli),
        Err(usage) => cli::print_usage(&usage),
    };
    exit.into()
}

fn run(cli: Cli) -> Exit {
    match cli.command {
        Command::Serve(args) => {
            let flags = Flags {
                listen: args.listen,
                ..admin::flags(&args.database)
            };
            let source = ConfigSource::new(&args.database.config, flags);
            with_source(&source, |settings| serve::serve(&args, settings, &source))
        }
        Command::Worker(args) => {
            let flags = Flags {
                metrics_listen: args.metrics_listen,
                ..admin::flags(&args.database)
            };
            let source = ConfigSource::new(&args.database.config, flags);
            with_source(&source, |settings| serve::work(&args, settings, &source))
        }
        Command::Migrate(args) => admin::migrate(&args),
        Command::Invariants(args) => admin::invariants(&args),
        Command::Audit(args) => with_settings(&args.config, Flags::default(), |settings| {
            cli::run_audit(&args, &settings.audit)
        }),
        Command::Diff(args) => ended(cli::run_diff(&args)),
        Command::Checks(args) => ended(cli::run_checks(&args)),
        Command::Remote(command) => ended(cli::run_remote(&command, api_key().as_deref())),
        Command::Mcp(args) => ended(agent(&args)),
        Command::Completions(args) => ended(cli::run_completions(&args)),
        Command::Man(args) => ended(cli::run_man(&args)),
        Command::Orgs(args) => admin::orgs(&args),
        Command::Keys(args) => admin::keys(&args),
        Command::Plans(args) => admin::plans(&args),
        Command::Members(args) => admin::members(&args),
        Command::Backup(args) => operate::backup(&args),
        Command::Restore(args) => operate::restore(&args),
        Command::ForgetSecrets(args) => operate::forget_secrets(&args),
        Command::Doctor(args) => operate::doctor(&args),
        Command::Health(args) => ended(cli::run_health(&args)),
        Command::Config(command) => operate::config(&command),
    }
}

/// Runs an action with the configuration, or reports what is wrong with the configuration.
fn with_settings(
    args: &ConfigArgs,
    flags: Flags,
    action: impl FnOnce(&Settings) -> Result<Exit>,
) -> Exit {
    with_source(&ConfigSource::new(args, flags), action)
}

/// Like [`with_settings`], with a configuration source that can be read again.
fn with_source(source: &ConfigSource, action: impl FnOnce(&Settings) -> Result<Exit>) -> Exit {
    match source.load() {
        Ok(settings) => ended(action(&settings)),
        Err(error) => {
            print_error(None, &format!("configuration: {error}"));
            Exit::Usage
        }
    }
}

/// Serves MCP over standard input and output until the agent closes them.
fn agent(args: &McpArgs) -> Result<Exit> {
    let client = match cli::client_of(&args.server, api_key().as_deref()) {
        Ok(client) => client,
        Err(error) => {
            print_error(None, &error.to_string());
            return Ok(Exit::Usage);
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the asynchronous runtime could not be started")?;
    let spoken = runtime.block_on(mcp::serve_stdio(client));
    // A read of the standard input may block forever.
    runtime.shutdown_background();
    spoken?;
    Ok(Exit::Fine)
}

/// Returns the API key for the client commands.
fn api_key() -> Option<String> {
    std::env::var("ASSAY_API_KEY").ok()
}

fn ended(outcome: Result<Exit>) -> Exit {
    outcome.unwrap_or_else(|error| {
        print_error(None, &format!("{error:#}"));
        Exit::CouldNotRun
    })
}

/// Skips variables that are not valid text; none of Assay's variables are.
fn as_text((name, value): (std::ffi::OsString, std::ffi::OsString)) -> Option<(String, String)> {
    Some((name.into_string().ok()?, value.into_string().ok()?))
}
