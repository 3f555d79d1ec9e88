//! The command line: how commands are written, what they print, how they exit.
//!
//! Local audits run the engine in this process. Commands on the service use only the HTTP API, as any other
//! client does. The binary reads files and environment variables and passes plain values in; the exceptions
//! are `NO_COLOR`, the variables of GitHub Actions, saved reports for comparisons, and the files of `--header`
//! and `--basic-auth`.

pub mod args;
mod audit;
mod catalogue;
mod checks;
mod diff;
mod exit;
mod health;
mod output;
mod parser_message;
mod progress;
mod remote;
mod runner;
mod saved;
mod shell;
mod times;
mod unreadable;

pub use args::{
    AuditArgs, BackupArgs, Budget, Budgeted, ChecksArgs, Cli, Command, CompletionsArgs, ConfigArgs,
    ConfigCommand, Counted, CreateKeyArgs, CreateOrgArgs, DatabaseArgs, Days, DiffArgs, DiffFormat,
    FailUnder, ForgetSecretsArgs, Format, HealthArgs, InvariantsArgs, KeysArgs, KeysCommand,
    ListArgs, ListOfOrgArgs, ManArgs, MaxIssues, McpArgs, MembersArgs, MembersCommand, MigrateArgs,
    OrgsArgs, OrgsCommand, PlansArgs, PlansCommand, RemoteCommand, RestoreArgs, ServeArgs,
    ServerArgs, SetRetentionArgs, WorkerArgs, parse,
};
pub use audit::{
    AuditDefaults, BrowserSettings, Timeouts, failure_message, renderer_options, run_audit,
};
pub use catalogue::EngineCatalogue;
pub use checks::run_checks;
pub use diff::run_diff;
pub use exit::Exit;
pub use health::run_health;
pub use output::{
    error_line, hand_over, print_error, print_usage, wants_color, write_data, write_json,
    write_note,
};
pub use parser_message::Notation;
pub use remote::{Kind, NotFound, Typed, client_of, minute_of, run_remote, table};
pub use shell::{run_completions, run_man};
