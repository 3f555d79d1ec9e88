//! The arguments of every command.

mod audit;
mod diff;
mod format;
mod gate;
mod help;
mod number;
mod operate;
mod remote;
mod service;
mod shell;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use audit::{AuditArgs, AuditMode, DeviceArg};
pub use diff::{DiffArgs, DiffFormat};
pub use format::Format;
pub(crate) use gate::is_pattern;
pub use gate::{Budget, Budgeted, Counted, FailUnder, MaxIssues};
pub use help::parse;
pub use operate::{
    BackupArgs, ConfigCommand, Days, ForgetSecretsArgs, RestoreArgs, SetRetentionArgs,
};
pub use remote::{
    ActionStatusArg, ActionStatusFilter, ActionsArgs, ActionsCommand, AddWaiverArgs, BriefArgs,
    CreateActionArgs, DimensionArg, FrequencyArg, HandoffArg, HandoffArgs, HistoryArgs,
    LinkKindArg, ListActionsArgs, ListReportsArgs, ListRunsArgs, ModeArg, PageArgs, PageFilterArgs,
    PriorityArg, RemoteCommand, ReportsArgs, ReportsCommand, RunStatusArg, RunsArgs, RunsCommand,
    ScheduleArgs, ScheduleCommand, ServerArgs, SetScheduleArgs, SitesArgs, SitesCommand, StartArgs,
    UpdateActionArgs, WaiversArgs, WaiversCommand, WebhookEventArg, WebhooksArgs, WebhooksCommand,
};
pub use service::{
    CreateKeyArgs, CreateOrgArgs, DatabaseArgs, HealthArgs, InvariantsArgs, KeysArgs, KeysCommand,
    ListArgs, ListOfOrgArgs, MembersArgs, MembersCommand, MigrateArgs, OrgsArgs, OrgsCommand,
    PlansArgs, PlansCommand, ServeArgs, WorkerArgs,
};

pub use shell::{CompletionsArgs, ManArgs, McpArgs};

/// Audit websites in six dimensions and list what to fix.
#[derive(Debug, Parser)]
#[command(
    name = "assay",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service: the HTTP API and the audit workers.
    Serve(Box<ServeArgs>),
    /// Run audit workers without the HTTP API, for a service on the same PostgreSQL database.
    Worker(WorkerArgs),
    /// Apply pending database migrations and list them.
    Migrate(MigrateArgs),
    /// Check a database for violated invariants; for tests and after failures.
    #[command(hide = true)]
    Invariants(InvariantsArgs),
    /// Audit a site from this machine, without a server.
    Audit(Box<AuditArgs>),
    /// Compare two reports that `assay audit --save` wrote.
    Diff(DiffArgs),
    /// List the checks, or explain one.
    Checks(ChecksArgs),
    /// Commands that call the HTTP API.
    #[command(flatten)]
    Remote(RemoteCommand),
    /// Run the MCP server for coding agents over standard input and output.
    Mcp(McpArgs),
    /// Print shell completions.
    Completions(CompletionsArgs),
    /// Write man pages to a folder.
    #[command(hide = true)]
    Man(ManArgs),
    /// Create and list organizations, and set their retention.
    Orgs(OrgsArgs),
    /// Create, list and revoke API keys.
    Keys(KeysArgs),
    /// List plans and assign a plan to an organization.
    Plans(PlansArgs),
    /// Add, list, invite and remove members, and create setup and password reset links.
    Members(MembersArgs),
    /// Back up the database while the service runs.
    Backup(BackupArgs),
    /// Restore the database from a backup.
    Restore(RestoreArgs),
    /// Delete all encrypted data after secret.key is lost.
    ForgetSecrets(ForgetSecretsArgs),
    /// Check the requirements of the service and print how to fix any problem.
    #[command(after_help = "Exit status: 0 no problems (warnings are possible), 1 problems found.")]
    Doctor(ListArgs),
    /// Check that a running service is ready; for containers and load balancers.
    Health(HealthArgs),
    /// Show or check the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
}

/// The source of the configuration.
#[derive(Debug, Clone, Default, Args)]
pub struct ConfigArgs {
    /// Read the configuration from FILE [default: ./assay.toml, if it exists].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// `assay checks`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done, 2 wrong usage, 3 unknown check.\n\nExamples:\n  assay \
checks\n  assay checks image-alt\n  assay checks --json"
)]
pub struct ChecksArgs {
    /// The check to explain.
    pub id: Option<String>,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{CommandFactory, ValueEnum};

    use super::*;

    #[test]
    fn the_commands_are_consistent() {
        Cli::command().debug_assert();
    }

    fn refused(arguments: &[&str]) -> String {
        let all = ["assay", "audit"].iter().chain(arguments);
        Cli::try_parse_from(all).unwrap_err().to_string()
    }

    #[test]
    fn numbers_out_of_range_are_refused_and_the_range_is_named() {
        assert!(refused(&["https://e.com", "--max-pages", "0"]).contains("from 1 to 100,000"));
        assert!(refused(&["https://e.com", "--fail-under", "101"]).contains("from 0 to 100"));
        assert!(refused(&["https://e.com", "--max-rate", "0"]).contains("above 0"));
    }

    #[test]
    fn an_unknown_severity_lists_the_known_ones() {
        assert!(refused(&["https://e.com", "--fail-on", "bad"]).contains("critical, serious"));
    }

    #[test]
    fn a_gate_on_the_score_and_single_checks_exclude_each_other() {
        refused(&[
            "https://e.com",
            "--check",
            "image-alt",
            "--fail-under",
            "90",
        ]);
    }

    /// The long flags of `assay audit`, or of another command.
    fn flags(command: &str) -> BTreeSet<String> {
        let all = Cli::command();
        let found = all.find_subcommand(command).unwrap();
        let flags = found
            .get_arguments()
            .filter_map(|argument| argument.get_long());
        flags
            .chain(["help"])
            .map(|flag| format!("--{flag}"))
            .collect()
    }

    /// The words of a text that look like long flags.
    fn flags_in(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        words
            .filter(|word| word.len() > 3 && word.starts_with("--"))
            .filter(|word| !word.starts_with("---"))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn the_action_uses_flags_that_exist() {
        let script = include_str!("../../../../scripts/action/audit");
        let used = flags_in(script);
        assert!(used.len() > 8, "{used:?}");
        let unknown: Vec<_> = used.difference(&flags("audit")).cloned().collect();
        assert_eq!(unknown, Vec::<String>::new());
        let formats = script
            .lines()
            .filter_map(|line| line.trim().strip_prefix("write "));
        for line in formats {
            let name = line.split_whitespace().next().unwrap();
            Format::from_str(name, false).unwrap();
        }
    }

    #[test]
    fn the_inputs_of_the_action_are_all_used() {
        let action = include_str!("../../../../action.yml");
        let (inputs, rest) = action.split_once("\noutputs:").unwrap();
        let (_, inputs) = inputs.split_once("\ninputs:").unwrap();
        let names = inputs.lines().filter_map(|line| {
            let name = line.strip_prefix("  ")?.strip_suffix(':')?;
            (!name.starts_with(' ')).then_some(name)
        });
        let mut number = 0;
        for name in names {
            number += 1;
            let is_used = rest.contains(&format!("${{{{ inputs.{name} }}}}"))
                || rest.contains(&format!("inputs.{name} =="));
            assert!(is_used, "{name}");
        }
        assert!(number > 10);
    }

    #[test]
    fn the_page_on_ci_names_flags_that_exist() {
        let page = include_str!("../../../../docs/ci.md");
        let known: BTreeSet<_> = flags("audit").union(&flags("diff")).cloned().collect();
        let of_others = ["--directory"].map(str::to_owned).into();
        let used: BTreeSet<_> = flags_in(page).difference(&of_others).cloned().collect();
        let unknown: Vec<_> = used.difference(&known).cloned().collect();
        assert_eq!(unknown, Vec::<String>::new());
    }

    #[test]
    fn every_command_shows_examples() {
        for command in ["audit", "diff", "checks"] {
            let mut all = Cli::command();
            let help = all.find_subcommand_mut(command).unwrap().render_long_help();
            assert!(help.to_string().contains("Examples:"), "{command}");
        }
    }

    #[test]
    fn a_secret_is_not_repeated_where_another_flag_is_wrong() {
        let error = refused(&["https://e.com", "--basic-auth", "ada:hunter2", "--fast"]);
        assert!(!error.contains("hunter2"), "{error}");
    }
}
