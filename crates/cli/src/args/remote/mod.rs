//! The arguments of the commands that call a running service.

mod actions;
mod pages;
mod schedule;
mod start;
mod waivers;
mod webhooks;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::format::{Format, document_format};
use super::number::number;
pub use actions::{
    ActionStatusArg, ActionStatusFilter, ActionsArgs, ActionsCommand, BriefArgs, CreateActionArgs,
    HandoffArg, HandoffArgs, ListActionsArgs, PriorityArg, UpdateActionArgs,
};
pub use pages::{LinkKindArg, PageFilterArgs};
pub use schedule::{FrequencyArg, ScheduleArgs, ScheduleCommand, SetScheduleArgs};
pub use start::{ModeArg, StartArgs};
pub use waivers::{AddWaiverArgs, WaiversArgs, WaiversCommand};
pub use webhooks::{WebhookEventArg, WebhooksArgs, WebhooksCommand};

/// Commands that call the HTTP API.
#[derive(Debug, Subcommand)]
pub enum RemoteCommand {
    /// Start an audit on the service.
    Start(Box<StartArgs>),
    /// List, show and cancel runs.
    Runs(Box<RunsArgs>),
    /// List, show and download reports.
    Reports(Box<ReportsArgs>),
    /// List sites with their scores; add and remove sites.
    Sites(SitesArgs),
    /// Show the recent runs of a site with their scores.
    History(HistoryArgs),
    /// Show and set the schedule of automatic audits of a site.
    Schedule(ScheduleArgs),
    /// Work on action items: list, show, create, update, comment, brief, hand off.
    Actions(Box<ActionsArgs>),
    /// Show the organization, plan and key; this verifies the key.
    Account(AccountArgs),
    /// List, add and remove waivers: findings that the owner of a site accepts.
    Waivers(WaiversArgs),
    /// List, create, update, test and delete webhooks, and list their deliveries.
    Webhooks(WebhooksArgs),
}

/// The service that a command calls, and the output format of the response.
#[derive(Debug, Clone, Args)]
pub struct RemoteArgs {
    /// Print the response of the API as JSON.
    #[arg(long)]
    pub json: bool,

    /// The address of the service.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// The address of the service. The key is read only from the environment variable `ASSAY_API_KEY`, so that
/// process listings do not show it.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// The service's address. The key is read from the environment variable ASSAY_API_KEY.
    #[arg(
        long,
        value_name = "URL",
        env = "ASSAY_URL",
        default_value = "http://127.0.0.1:8080",
        help_heading = "Service"
    )]
    pub server: String,

    /// Allow sending the key over unencrypted HTTP to another machine; others on the network may read it.
    #[arg(long, help_heading = "Service")]
    pub allow_plain_http: bool,
}

/// Pagination of a list.
#[derive(Debug, Clone, Args)]
pub struct PageArgs {
    /// Show at most N entries [default: 50].
    #[arg(long, value_name = "N", value_parser = number::<1, 200>)]
    pub limit: Option<u32>,

    /// Continue from the cursor of an earlier page.
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

/// `assay runs`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay runs\n  assay runs --status queued,running\n  assay runs show example.com"
)]
pub struct RunsArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<RunsCommand>,

    /// The filters of the list.
    #[command(flatten)]
    pub list: ListRunsArgs,
}

/// `assay runs list`.
#[derive(Debug, Args)]
pub struct ListRunsArgs {
    /// Filter by site: its id or host.
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,

    /// Filter by status; comma-separated.
    #[arg(long, value_name = "STATUS", value_enum, value_delimiter = ',')]
    pub status: Vec<RunStatusArg>,

    /// Pagination.
    #[command(flatten)]
    pub page: PageArgs,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay runs …`.
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// List runs, newest first.
    #[command(
        after_help = "Examples:\n  assay runs list\n  assay runs list --status \
queued,running\n  assay runs list --site example.com --limit 10 --json"
    )]
    List(Box<ListRunsArgs>),
    /// Show a run.
    #[command(
        after_help = "Examples:\n  assay runs show run_01J…\n  assay runs show run_01J… --wait"
    )]
    Show {
        /// The run's id or its last characters, or the host of a site for its latest run.
        #[arg(value_name = "RUN_ID")]
        run: String,
        /// Wait until the run ends; progress goes to standard error.
        #[arg(long)]
        wait: bool,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Cancel a run that has not ended.
    #[command(after_help = "Example:\n  assay runs cancel run_01J…")]
    Cancel {
        /// The run's id or its last characters, or the host of a site for its latest run.
        #[arg(value_name = "RUN_ID")]
        run: String,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
}

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunStatusArg {
    /// Waiting for a worker.
    Queued,
    /// In progress.
    Running,
    /// Ended with a report.
    Completed,
    /// Ended without a report.
    Failed,
    /// Cancelled before it ended.
    Cancelled,
}

/// `assay reports`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay reports\n  assay reports show example.com\n  assay reports download \
example.com --format pdf --output report.pdf"
)]
pub struct ReportsArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<ReportsCommand>,

    /// The filters of the list.
    #[command(flatten)]
    pub list: ListReportsArgs,
}

/// `assay reports list`.
#[derive(Debug, Args)]
pub struct ListReportsArgs {
    /// Filter by site: its id or host.
    #[arg(long, value_name = "SITE")]
    pub site: Option<String>,

    /// Pagination.
    #[command(flatten)]
    pub page: PageArgs,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay reports …`.
#[derive(Debug, Subcommand)]
pub enum ReportsCommand {
    /// List the runs that have a report, newest first.
    #[command(
        after_help = "Examples:\n  assay reports list\n  assay reports list --site example.com --limit 10 --json"
    )]
    List(Box<ListReportsArgs>),
    /// Show a report: the scores and what to fix first.
    #[command(
        after_help = "Examples:\n  assay reports show rep_01J…\n  assay reports show \
run_01J… --dimension seo,security --all\n  assay reports show rep_01J… --json | jq .subscores"
    )]
    Show {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// Show all issues instead of the first 20.
        #[arg(long)]
        all: bool,
        /// Show only issues of these dimensions; comma-separated.
        #[arg(
            long = "dimension",
            value_name = "DIMENSION",
            value_enum,
            value_delimiter = ','
        )]
        dimensions: Vec<DimensionArg>,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the stored causes of an issue, such as broken URLs, cookies or template elements.
    #[command(
        after_help = "Examples:\n  assay reports causes rep_01J… link-broken-internal\n  assay reports causes \
run_01J… iss_01J… --limit 200 --json"
    )]
    Causes {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// The id of the issue (see `reports show --json`) or of its check.
        #[arg(value_name = "ISSUE")]
        issue: String,
        /// Pagination.
        #[command(flatten)]
        page: PageArgs,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the stored occurrences of an issue or of one of its causes.
    #[command(
        after_help = "Examples:\n  assay reports occurrences rep_01J… image-alt\n  assay reports \
occurrences rep_01J… iss_01J… --limit 200 --json\n  assay reports occurrences rep_01J… link-broken-internal \
--cause 24680937b262fa3f5604926f6291d7f9"
    )]
    Occurrences {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// The id of the issue (see `reports show --json`) or of its check.
        #[arg(value_name = "ISSUE")]
        issue: String,
        /// Filter by cause: its fingerprint, as shown by `reports causes`.
        #[arg(long, value_name = "FINGERPRINT")]
        cause: Option<String>,
        /// Pagination.
        #[command(flatten)]
        page: PageArgs,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the URLs that the run requested from the site, by default in crawl order.
    #[command(
        after_help = "Examples:\n  assay reports pages rep_01J…\n  assay reports pages example.com \
--status 404,5xx\n  assay reports pages example.com --sort=-responseMs --limit 10\n  assay reports pages run_01J… \
--limit 200 --json | jq '.pages[] | select(.indexable == false)'"
    )]
    Pages {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// Filters and order.
        #[command(flatten)]
        filter: PageFilterArgs,
        /// Pagination.
        #[command(flatten)]
        page: PageArgs,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the distinct URLs that pages link to, broken ones first.
    #[command(
        after_help = "Examples:\n  assay reports links example.com --kind broken\n  assay reports links rep_01J… \
--limit 200 --json | jq '.links[] | select(.verdict == \"unverified\")'"
    )]
    Links {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// Filter by kind.
        #[arg(long, value_enum)]
        kind: Option<LinkKindArg>,
        /// Pagination.
        #[command(flatten)]
        page: PageArgs,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// List the redirect chains, those that most pages link to first.
    #[command(
        after_help = "Examples:\n  assay reports redirects example.com\n  assay reports redirects rep_01J… \
--json | jq '.redirects[] | select(.hops | length > 2)'"
    )]
    Redirects {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// Pagination.
        #[command(flatten)]
        page: PageArgs,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Download a report in one or more formats.
    #[command(
        after_help = "Examples:\n  assay reports download rep_01J… --format pdf --output \
report.pdf\n  assay reports download run_01J… --format html --output r.html --format sarif --output \
r.sarif\n  assay reports download rep_01J… --format llm | pbcopy"
    )]
    Download {
        /// The id of the report or of its run, or its last characters, or the host of a site for its latest report.
        #[arg(value_name = "REPORT_ID")]
        report: String,
        /// The format. Repeatable; give one --output for each.
        #[arg(long = "format", value_name = "F", value_parser = document_format(), required = true)]
        formats: Vec<Format>,
        /// Write the report to FILE; `-` is standard output, the default for a single format.
        #[arg(long = "output", short, value_name = "FILE")]
        outputs: Vec<PathBuf>,
        /// The service.
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// One of the six dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DimensionArg {
    /// How fast pages load and how large they are.
    Performance,
    /// Whether people with disabilities can use the pages.
    Accessibility,
    /// Whether search engines can crawl, index and rank the pages.
    Seo,
    /// Whether the site protects its visitors.
    Security,
    /// Whether text and media are complete and correct.
    Content,
    /// Whether AI assistants and agents can use the content.
    #[value(name = "ai-readiness", alias = "aiReadiness")]
    AiReadiness,
}

/// `assay sites`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay sites\n  assay sites --json\n  assay sites add https://example.com/ \
--name Shop\n  assay sites remove site_01J… --yes"
)]
pub struct SitesArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<SitesCommand>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay sites …`.
#[derive(Debug, Subcommand)]
pub enum SitesCommand {
    /// List the sites.
    List {
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Add a site.
    Add {
        /// The URL of any page of the site.
        url: String,
        /// The name of the site [default: its host].
        #[arg(long)]
        name: Option<String>,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Delete a site with its runs, reports and action items.
    Remove {
        /// The site's id or host.
        site: String,
        /// Confirm: this cannot be undone.
        #[arg(long, required = true)]
        yes: bool,
        /// The service.
        #[command(flatten)]
        server: ServerArgs,
    },
}

/// `assay history`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay history example.com\n  assay history site_01J… --limit 30 --json"
)]
pub struct HistoryArgs {
    /// The site's id or host.
    pub site: String,

    /// Show at most N runs [default: 10].
    #[arg(long, value_name = "N", value_parser = number::<1, 100>)]
    pub limit: Option<u32>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay account`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ASSAY_URL=https://assay.example.com ASSAY_API_KEY=sk_service_… assay account\n  \
assay account --members"
)]
pub struct AccountArgs {
    /// List the organization's members and their ids, which `--assignee` takes, instead.
    #[arg(long)]
    pub members: bool,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}
