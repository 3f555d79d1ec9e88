//! The command line: how commands are written, what they print, how they exit.
//!
//! Local audits run the engine in this process. What the service does is reached over HTTP only,
//! as any other client would. Files and environment variables are read by the binary, which hands
//! plain values in; the one exception is `NO_COLOR`.

mod args;
mod audit;
mod checks;
mod exit;
mod output;
mod progress;

pub use args::{
    AuditArgs, BackupArgs, ChecksArgs, Cli, Command, ConfigArgs, ConfigCommand, CreateKeyArgs,
    CreateOrgArgs, DatabaseArgs, Days, Format, KeysCommand, ListArgs, MembersCommand, OrgsCommand,
    PlansCommand, RestoreArgs, ServeArgs, SetRetentionArgs,
};
pub use audit::{AuditDefaults, Timeouts, run_audit};
pub use checks::run_checks;
pub use exit::Exit;
pub use output::{print_error, wants_color, write_data, write_note};
