//! `assay webhooks`.

use clap::{ArgGroup, Subcommand, ValueEnum};

use super::{PageArgs, RemoteArgs, ServerArgs};

/// `assay webhooks`.
#[derive(Debug, Subcommand)]
pub enum WebhooksCommand {
    /// List the webhooks.
    #[command(after_help = "Example:\n  assay webhooks list")]
    List {
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Create a webhook, and print its secret. It is shown this once.
    #[command(
        after_help = "Example:\n  assay webhooks create https://hooks.example.com/assay --events \
run.completed,issue.regressed"
    )]
    Create {
        /// Where events are sent.
        url: String,
        /// Which events; several with commas.
        #[arg(
            long,
            value_name = "EVENT",
            value_enum,
            value_delimiter = ',',
            required = true
        )]
        events: Vec<WebhookEventArg>,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show a webhook.
    #[command(after_help = "Example:\n  assay webhooks show whk_01J…")]
    Show {
        /// The webhook's id.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Change a webhook.
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true).args(["url", "events", "enable", "disable"]),
        after_help = "Examples:\n  assay webhooks update whk_01J… --disable\n  assay webhooks update whk_01J… \
--events run.failed"
    )]
    Update {
        /// The webhook's id.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// Where events are sent.
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// Which events; several with commas.
        #[arg(long, value_name = "EVENT", value_enum, value_delimiter = ',')]
        events: Vec<WebhookEventArg>,
        /// Send events again.
        #[arg(long, conflicts_with = "disable")]
        enable: bool,
        /// Send none for now.
        #[arg(long)]
        disable: bool,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Remove a webhook.
    #[command(after_help = "Example:\n  assay webhooks delete whk_01J…")]
    Delete {
        /// The webhook's id.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// Which service.
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Have a test event sent to a webhook.
    #[command(
        after_help = "Example:\n  assay webhooks test whk_01J… && assay webhooks deliveries whk_01J…"
    )]
    Test {
        /// The webhook's id.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// Which service.
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Show what was sent to a webhook, newest first.
    #[command(after_help = "Example:\n  assay webhooks deliveries whk_01J… --limit 10")]
    Deliveries {
        /// The webhook's id.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// Which part of the list.
        #[command(flatten)]
        page: PageArgs,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

/// An event that can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WebhookEventArg {
    /// A run completed.
    #[value(name = "run.completed")]
    RunCompleted,
    /// A run failed.
    #[value(name = "run.failed")]
    RunFailed,
    /// What was fixed is there again.
    #[value(name = "issue.regressed")]
    IssueRegressed,
    /// An action item changed.
    #[value(name = "action.updated")]
    ActionUpdated,
    /// A scheduled run was left out.
    #[value(name = "schedule.skipped")]
    ScheduleSkipped,
}
