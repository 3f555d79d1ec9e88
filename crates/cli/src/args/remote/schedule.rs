//! `assay schedule`.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::RemoteArgs;

/// `assay schedule`.
#[derive(Debug, Subcommand)]
pub enum ScheduleCommand {
    /// Show when a site is audited by itself.
    #[command(after_help = "Example:\n  assay schedule show example.com")]
    Show {
        /// The site's id or host.
        site: String,
        /// Which service.
        #[command(flatten)]
        remote: RemoteArgs,
    },
    /// Set when a site is audited by itself.
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

    /// How often.
    #[arg(long, value_name = "FREQUENCY", value_enum)]
    pub frequency: Option<FrequencyArg>,

    /// By a cron expression of five fields: minute, hour, day, month, day of the week.
    #[arg(long, value_name = "CRON")]
    pub cron: Option<String>,

    /// Keep what was set, and do not follow it.
    #[arg(long)]
    pub off: bool,

    /// The time zone it is kept in, by its IANA name [default: the one set before, else UTC].
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,

    /// Which service.
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
