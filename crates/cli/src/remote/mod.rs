//! The commands that call the HTTP API.

mod account;
mod actions;
mod documents;
mod id;
mod kind;
mod labels;
mod lookup;
mod occurrences;
mod pages;
mod reports;
mod runs;
mod schedule;
mod session;
mod sites;
mod start;
mod table;
mod times;
mod wait;
mod waivers;
mod webhooks;

use anyhow::{Context, Result};
use client::Error;
use serde_json::json;

use crate::args::{RemoteCommand, ServerArgs};
use crate::exit::Exit;
use crate::output::{print_error, without_os_codes, write_json};
use session::Session;

pub use id::Typed;
pub use kind::{Kind, NotFound};
pub use session::client_of;
pub use table::table;
pub use times::minute_of;

/// Runs a command on a service, with the key of the environment.
///
/// # Errors
/// When standard output or a file cannot be written.
pub fn run_remote(command: &RemoteCommand, key: Option<&str>) -> Result<Exit> {
    let json = command.wants_json();
    let session = match Session::open(command.server(), key, json) {
        Ok(session) => session,
        Err(error) => return refuse(&error, command, json),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the async runtime")?;
    match runtime.block_on(carry_out(command, &session)) {
        Ok(exit) => Ok(exit),
        Err(error) => {
            if let Some(not_found) = error.downcast_ref::<NotFound>() {
                return refuse_here(&session, "not_found", &not_found.to_string());
            }
            match error.downcast::<Error>() {
                Ok(error) if is_not_found(&error) => match session.unknown() {
                    Some(not_found) => refuse_here(&session, "not_found", &not_found.to_string()),
                    None => refuse(&error, command, json),
                },
                Ok(error) => refuse(&error, command, json),
                Err(error) => Err(error),
            }
        }
    }
}

async fn carry_out(command: &RemoteCommand, session: &Session) -> Result<Exit> {
    match command {
        RemoteCommand::Start(args) => start::start(session, args).await,
        RemoteCommand::Runs(args) => runs::runs(session, args).await,
        RemoteCommand::Reports(args) => reports::reports(session, args).await,
        RemoteCommand::Sites(args) => sites::sites(session, args).await,
        RemoteCommand::History(args) => sites::history(session, args).await,
        RemoteCommand::Schedule(args) => schedule::schedule(session, args).await,
        RemoteCommand::Actions(args) => actions::actions(session, args).await,
        RemoteCommand::Account(args) if args.members => account::members(session).await,
        RemoteCommand::Account(_) => account::account(session).await,
        RemoteCommand::Waivers(args) => waivers::waivers(session, args).await,
        RemoteCommand::Webhooks(args) => webhooks::webhooks(session, args).await,
    }
}

/// Whether the service does not have what the call names.
fn is_not_found(error: &Error) -> bool {
    matches!(error, Error::Id(_)) || error.code() == Some("not_found")
}

/// Prints why a call failed.
fn refuse(error: &Error, command: &RemoteCommand, json: bool) -> Result<Exit> {
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
        _ if code == Some("not_found") => command.list_hint(),
        _ => "",
    };
    print_error(code, &format!("{error}{hint}"));
    let code = code.unwrap_or(match error {
        Error::Server { .. } | Error::NoKey | Error::Key => "invalid_request",
        Error::Unreachable { .. } => "unreachable",
        _ => "failed",
    });
    if json {
        let message = without_os_codes(&error.to_string());
        let failure = json!({ "error": { "code": code, "message": message } });
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
    print_error(Some(code).filter(|code| *code == "not_found"), why);
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

    /// The command that lists what this command may name.
    const fn list_hint(&self) -> &'static str {
        match self {
            Self::Runs(_) => "\n`assay runs` lists the runs.",
            Self::Reports(_) => "\n`assay reports` lists the reports.",
            Self::Start(_) | Self::Sites(_) | Self::History(_) | Self::Schedule(_) => {
                "\n`assay sites` lists the sites."
            }
            Self::Actions(_) => "\n`assay actions --status all` lists the action items.",
            Self::Waivers(_) => {
                "\n`assay sites` lists the sites, `assay waivers SITE` the waivers of one."
            }
            Self::Webhooks(_) => "\n`assay webhooks` lists the webhooks.",
            Self::Account(_) => "",
        }
    }

    fn parts(&self) -> (&ServerArgs, bool) {
        use crate::args::{
            ActionsCommand as A, ReportsCommand as P, RunsCommand as R, ScheduleCommand as C,
            SitesCommand as S, WaiversCommand as V, WebhooksCommand as W,
        };
        let remote = match self {
            Self::Start(args) => &args.remote,
            Self::Runs(args) => match &args.command {
                None => &args.list.remote,
                Some(R::List(args)) => &args.remote,
                Some(R::Show { remote, .. } | R::Cancel { remote, .. }) => remote,
            },
            Self::Reports(args) => match &args.command {
                None => &args.list.remote,
                Some(P::List(args)) => &args.remote,
                Some(
                    P::Show { remote, .. }
                    | P::Causes { remote, .. }
                    | P::Occurrences { remote, .. }
                    | P::Pages { remote, .. }
                    | P::Links { remote, .. }
                    | P::Redirects { remote, .. },
                ) => remote,
                Some(P::Download { server, .. }) => return (server, false),
            },
            Self::Sites(args) => match &args.command {
                None => &args.remote,
                Some(S::List { remote } | S::Add { remote, .. }) => remote,
                Some(S::Remove { server, .. }) => return (server, false),
            },
            Self::History(args) => &args.remote,
            Self::Schedule(args) => match &args.command {
                None => &args.remote,
                Some(C::Show { remote, .. }) => remote,
                Some(C::Set(args)) => &args.remote,
            },
            Self::Actions(args) => match &args.command {
                None => &args.list.remote,
                Some(A::List(args)) => &args.remote,
                Some(A::Show { remote, .. } | A::Comment { remote, .. }) => remote,
                Some(A::Create(args)) => &args.remote,
                Some(A::Update(args)) => &args.remote,
                Some(A::Brief(args)) => &args.remote,
                Some(A::Handoff(args)) => &args.remote,
            },
            Self::Account(args) => &args.remote,
            Self::Waivers(args) => match &args.command {
                None => &args.remote,
                Some(V::List { remote, .. }) => remote,
                Some(V::Add(args)) => &args.remote,
                Some(V::Remove { server, .. }) => return (server, false),
            },
            Self::Webhooks(args) => match &args.command {
                None => &args.remote,
                Some(
                    W::List { remote }
                    | W::Create { remote, .. }
                    | W::Show { remote, .. }
                    | W::Update { remote, .. }
                    | W::Deliveries { remote, .. },
                ) => remote,
                Some(W::Delete { server, .. } | W::Test { server, .. }) => return (server, false),
            },
        };
        (&remote.server, remote.json)
    }
}
