//! `assay schedule`.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::RemoteArgs;

/// `assay schedule`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  assay schedule example.com\n  assay schedule set example.com --frequency weekly"
)]
pub struct ScheduleArgs {
    /// The command [default: show].
    #[command(subcommand)]
    pub command: Option<ScheduleCommand>,

    /// The site whose schedule is shown: its id or host.
    #[arg(required = true)]
    pub site: Option<String>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// `assay schedule …`.
#[derive(Debug, Subcommand)]
pub enum ScheduleCommand {
    /// Show the schedule of automatic audits of a site.
    #[command(after_help = "Example:\n  assay schedule show example.com")]
    Show {
        /// The site's id or host.
        site: String,
        /// The service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Set the schedule of automatic audits of a site.
    Set(Box<SetScheduleArgs>),
}

/// `assay schedule set`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("when").required(true).args(["frequency", "cron", "off"]),
    after_help = "Examples:\n  assay schedule set example.com --frequency weekly --timezone Europe/Berlin\n  \
assay schedule set example.com --cron '30 4 * * 1-5' --timezone UTC\n  assay schedule set example.com --off"
)]
pub struct SetScheduleArgs {
    /// The site's id or host.
    pub site: String,

    /// The frequency.
    #[arg(long, value_name = "FREQUENCY", value_enum)]
    pub frequency: Option<FrequencyArg>,

    /// A cron expression of five fields: minute, hour, day of month, month, day of week.
    #[arg(long, value_name = "CRON")]
    pub cron: Option<String>,

    /// Disable the schedule and keep its settings.
    #[arg(long)]
    pub off: bool,

    /// The IANA time zone of the schedule [default: the current one, or UTC].
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,

    /// The service.
    #[command(flatten)]
    pub remote: RemoteArgs,
}

/// How often a site is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FrequencyArg {
    /// Every day.
    Daily,
    /// Every week.
    Weekly,
    /// Every month.
    Monthly,
}
