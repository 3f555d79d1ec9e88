//! The commands that call the HTTP API.

mod account;
mod actions;
mod documents;
mod labels;
mod occurrences;
mod reports;
mod runs;
mod schedule;
mod session;
mod sites;
mod start;
mod table;
mod times;
mod wait;
mod webhooks;

use anyhow::{Context, Result};
use client::Error;
use serde_json::json;

use crate::args::{RemoteCommand, ServerArgs};
use crate::exit::Exit;
use crate::output::{print_error, write_json};
use session::Session;

pub use session::client_of;

/// Runs a command on a service, with the key of the environment.
///
/// # Errors
/// When standard output or a file cannot be written.
pub fn run_remote(command: &RemoteCommand, key: Option<&str>) -> Result<Exit> {
    let json = command.wants_json();
    let session = match Session::open(command.server(), key, json) {
        Ok(session) => session,
        Err(error) => return refuse(&error, json),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    match runtime.block_on(carry_out(command, &session)) {
        Ok(exit) => Ok(exit),
        Err(error) => match error.downcast::<Error>() {
            Ok(error) => refuse(&error, json),
            Err(error) => Err(error),
        },
    }
}

async fn carry_out(command: &RemoteCommand, session: &Session) -> Result<Exit> {
    match command {
        RemoteCommand::Start(args) => start::start(session, args).await,
        RemoteCommand::Runs(command) => runs::runs(session, command).await,
        RemoteCommand::Reports(command) => reports::reports(session, command).await,
        RemoteCommand::Sites(args) => sites::sites(session, args).await,
        RemoteCommand::History(args) => sites::history(session, args).await,
        RemoteCommand::Schedule(command) => schedule::schedule(session, command).await,
        RemoteCommand::Actions(command) => actions::actions(session, command).await,
        RemoteCommand::Account(args) if args.members => account::members(session).await,
        RemoteCommand::Account(_) => account::account(session).await,
        RemoteCommand::Webhooks(command) => webhooks::webhooks(session, command).await,
    }
}

/// Prints why a call failed.
fn refuse(error: &Error, json: bool) -> Result<Exit> {
    let code = match error {
        Error::Id(_) => Some("not_found"),
        error => error.code(),
    };
    let hint = match error {
        Error::NoKey | Error::Key => "\nSet it with: export ASSAY_API_KEY=sk_service_…",
        Error::Server { .. } => "\nSet it with: export ASSAY_URL=https://…",
        Error::Unreachable { .. } => {
            "\nCheck that the service is running and that ASSAY_URL is its address."
        }
        _ if code == Some("unauthorized") => {
            "\nSet the key in the environment variable ASSAY_API_KEY; `assay keys create` creates one."
        }
        _ => "",
    };
    print_error(code, &format!("{error}{hint}"));
    let code = code.unwrap_or(match error {
        Error::Server { .. } | Error::NoKey | Error::Key => "invalid_request",
        Error::Unreachable { .. } => "unreachable",
        _ => "failed",
    });
    if json {
        let failure = json!({ "error": { "code": code, "message": error.to_string() } });
        write_json(&format!("{failure:#}\n")).context("cannot write to standard output")?;
    }
    Ok(match error {
        Error::Server { .. } | Error::NoKey | Error::Key | Error::Setup(_) => Exit::Usage,
        _ if error.code() == Some("invalid_request") => Exit::Usage,
        _ => Exit::CouldNotRun,
    })
}

/// Prints why a call was not made because it could not succeed, in the same form as [`refuse`].
fn refuse_here(session: &Session, code: &str, why: &str) -> Result<Exit> {
    print_error(None, why);
    if session.json {
        let failure = json!({ "error": { "code": code, "message": why } });
        write_json(&format!("{failure:#}\n")).context("cannot write to standard output")?;
    }
    Ok(match code {
        "invalid_request" => Exit::Usage,
        _ => Exit::CouldNotRun,
    })
}

impl RemoteCommand {
    /// The address of the service.
    fn server(&self) -> &ServerArgs {
        self.parts().0
    }

    /// Whether responses are printed as JSON.
    fn wants_json(&self) -> bool {
        self.parts().1
    }

    fn parts(&self) -> (&ServerArgs, bool) {
        use crate::args::{
            ActionsCommand as A, ReportsCommand as P, RunsCommand as R, ScheduleCommand as C,
            SitesCommand as S, WebhooksCommand as W,
        };
        let remote = match self {
            Self::Start(args) => &args.remote,
            Self::Runs(
                R::List { remote, .. } | R::Show { remote, .. } | R::Cancel { remote, .. },
            ) => remote,
            Self::Reports(
                P::Show { remote, .. }
                | P::Causes { remote, .. }
                | P::Occurrences { remote, .. }
                | P::Pages { remote, .. },
            ) => remote,
            Self::Reports(P::Download { server, .. }) => return (server, false),
            Self::Sites(args) => match &args.command {
                None => &args.remote,
                Some(S::List { remote } | S::Add { remote, .. }) => remote,
                Some(S::Remove { server, .. }) => return (server, false),
            },
            Self::History(args) => &args.remote,
            Self::Schedule(C::Show { remote, .. }) => remote,
            Self::Schedule(C::Set(args)) => &args.remote,
            Self::Actions(command) => match command {
                A::List(args) => &args.remote,
                A::Show { remote, .. } | A::Comment { remote, .. } => remote,
                A::Create(args) => &args.remote,
                A::Update(args) => &args.remote,
                A::Brief(args) => &args.remote,
                A::Handoff(args) => &args.remote,
            },
            Self::Account(args) => &args.remote,
            Self::Webhooks(command) => match command {
                W::List { remote }
                | W::Create { remote, .. }
                | W::Show { remote, .. }
                | W::Update { remote, .. }
                | W::Deliveries { remote, .. } => remote,
                W::Delete { server, .. } | W::Test { server, .. } => return (server, false),
            },
        };
        (&remote.server, remote.json)
    }
}
