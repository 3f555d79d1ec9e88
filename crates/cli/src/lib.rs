//! The command line: how commands are written, what they print, how they exit.
//!
//! Local audits run the engine in this process. What the service does is reached over HTTP only,
//! as any other client would. Files and environment variables are read by the binary, which hands
//! plain values in; the one exception is `NO_COLOR`.

pub mod args;
mod audit;
mod checks;
mod exit;
mod json;
mod output;
mod progress;
mod remote;
mod shell;

pub use args::{
    AuditArgs, ChecksArgs, Cli, Command, CompletionsArgs, ConfigArgs, CreateKeyArgs, CreateOrgArgs,
    DatabaseArgs, Format, InvariantsArgs, KeysCommand, ListArgs, ManArgs, McpArgs, MembersCommand,
    OrgsCommand, PlansCommand, RemoteCommand, ServeArgs, ServerArgs, WorkerArgs,
};
pub use audit::{AuditDefaults, Timeouts, run_audit};
pub use checks::run_checks;
pub use exit::Exit;
pub use output::{print_error, wants_color, write_data, write_note};
pub use remote::{client_of, run_remote};
pub use shell::{run_completions, run_man};
