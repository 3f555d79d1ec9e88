//! `assay webhooks`.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::{PageArgs, RemoteArgs, ServerArgs};

/// `assay webhooks`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay webhooks\n  assay webhooks create https://hooks.example.com/assay --events run.failed"
)]
pub struct WebhooksArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<WebhooksCommand>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay webhooks …`.
#[derive(Debug, Subcommand)]
pub enum WebhooksCommand {
    /// List the webhooks.
    #[command(after_help = "Example:\n  assay webhooks list")]
    List {
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Create a webhook and print its secret, which is shown only once.
    #[command(
        after_help = "Example:\n  assay webhooks create https://hooks.example.com/assay --events \
run.completed,issue.regressed"
    )]
    Create {
        /// The URL that receives the events.
        url: String,
        /// The events to send; comma-separated.
        #[arg(
            long,
            value_name = "EVENT",
            value_enum,
            value_delimiter = ',',
            required = true
        )]
        events: Vec<WebhookEventArg>,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Show a webhook.
    #[command(after_help = "Example:\n  assay webhooks show whk_01J…")]
    Show {
        /// The webhook's id or its last characters.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Update a webhook.
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true).args(["url", "events", "enable", "disable"]),
        after_help = "Examples:\n  assay webhooks update whk_01J… --disable\n  assay webhooks update whk_01J… \
--events run.failed"
    )]
    Update {
        /// The webhook's id or its last characters.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// The URL that receives the events.
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// The events to send; comma-separated.
        #[arg(long, value_name = "EVENT", value_enum, value_delimiter = ',')]
        events: Vec<WebhookEventArg>,
        /// Enable the webhook.
        #[arg(long, conflicts_with = "disable")]
        enable: bool,
        /// Disable the webhook.
        #[arg(long)]
        disable: bool,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Delete a webhook.
    #[command(after_help = "Example:\n  assay webhooks delete whk_01J…")]
    Delete {
        /// The webhook's id or its last characters.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// The service.
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Send a test event to a webhook.
    #[command(
        after_help = "Example:\n  assay webhooks test whk_01J… && assay webhooks deliveries whk_01J…"
    )]
    Test {
        /// The webhook's id or its last characters.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// The service.
        #[command(flatten)]
        server: ServerArgs,
    },
    /// List the deliveries of a webhook, newest first.
    #[command(after_help = "Example:\n  assay webhooks deliveries whk_01J… --limit 10")]
    Deliveries {
        /// The webhook's id or its last characters.
        #[arg(value_name = "WEBHOOK_ID")]
        webhook: String,
        /// Pagination.
        #[command(flatten)]
        page: PageArgs,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

/// An event of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WebhookEventArg {
    /// A run completed.
    #[value(name = "run.completed")]
    RunCompleted,
    /// A run failed.
    #[value(name = "run.failed")]
    RunFailed,
    /// A fixed issue was found again.
    #[value(name = "issue.regressed")]
    IssueRegressed,
    /// An action item changed.
    #[value(name = "action.updated")]
    ActionUpdated,
    /// A scheduled run was skipped.
    #[value(name = "schedule.skipped")]
    ScheduleSkipped,
}
