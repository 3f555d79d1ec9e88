//! The arguments of the commands that run and administer the service.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::key::Role;
use domain::target::AllowTarget;

use super::{ConfigArgs, SetRetentionArgs};

/// Which database a command works on.
#[derive(Debug, Clone, Default, Args)]
pub struct DatabaseArgs {
    /// Where the configuration comes from.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Keep the data, and the default database, in DIR [default: ./assay-data].
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Use this database: postgres://USER@HOST/NAME, or sqlite:FILE [default: DIR/assay.db].
    #[arg(long, value_name = "URL")]
    pub database_url: Option<String>,
}

/// `assay serve`.
#[derive(Debug, Args)]
#[command(
    after_help = "The first start creates the database and an organization, and prints an API key \
once.\n\nExamples:\n  assay serve\n  assay serve --listen 0.0.0.0:8080 --data-dir /var/lib/assay\n  \
assay serve --database-url postgres://assay@db.example.com/assay --bootstrap-key-file key.txt"
)]
pub struct ServeArgs {
    /// Listen there [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDR:PORT", value_parser = socket)]
    pub listen: Option<SocketAddr>,

    /// Write the first API key to FILE, which only its owner can read, instead of printing it.
    #[arg(long, value_name = "FILE")]
    pub bootstrap_key_file: Option<PathBuf>,

    /// Allow a loopback or private target: an address, a network, a host name, or HOST:PORT.
    /// Repeat for several.
    #[arg(long = "allow-target", value_name = "T")]
    pub allow_targets: Vec<AllowTarget>,

    /// Audit nothing in this process: `assay worker` does it, in others.
    #[arg(long)]
    pub no_worker: bool,

    /// Which database.
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// `assay worker`.
#[derive(Debug, Args)]
#[command(
    after_help = "Any number of workers and services share one PostgreSQL database. Give all of \
them the same secret.key, configuration and allowed targets.\n\nExamples:\n  assay worker \
--database-url postgres://assay@db.example.com/assay --data-dir /var/lib/assay\n  assay worker \
--database-url postgres://assay@db.example.com/assay --metrics-listen 127.0.0.1:9464"
)]
pub struct WorkerArgs {
    /// Allow a loopback or private target: an address, a network, a host name, or HOST:PORT.
    /// Repeat for several.
    #[arg(long = "allow-target", value_name = "T")]
    pub allow_targets: Vec<AllowTarget>,

    /// Answer /metrics and /healthz there; a loopback address is best [default: nowhere].
    #[arg(long, value_name = "ADDR:PORT", value_parser = socket)]
    pub metrics_listen: Option<SocketAddr>,

    /// Which database.
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// `assay invariants`.
#[derive(Debug, Args)]
pub struct InvariantsArgs {
    /// A file with the ids of runs, one on each line, that a client was told of.
    #[arg(long, value_name = "FILE")]
    pub told: Option<PathBuf>,

    /// Nothing may be queued or under way.
    #[arg(long)]
    pub at_rest: bool,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// How a list is printed.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// Which database.
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// `assay orgs`.
#[derive(Debug, Subcommand)]
pub enum OrgsCommand {
    /// Create an organization, and print its id.
    Create(CreateOrgArgs),
    /// List all organizations.
    List(ListArgs),
    /// Say how long what belongs to an organization is kept.
    SetRetention(SetRetentionArgs),
}

/// `assay orgs create`.
#[derive(Debug, Args)]
pub struct CreateOrgArgs {
    /// Its name.
    pub name: String,

    /// Its plan.
    #[arg(long, value_name = "NAME", default_value = domain::plan::SELF_HOSTED)]
    pub plan: String,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay keys`.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Create a key, and print it. It is shown this once; only its hash is kept.
    Create(CreateKeyArgs),
    /// List the keys of an organization.
    List {
        /// The organization's id.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// How it is printed, and which database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// Revoke a key. It fails from the next request on.
    Revoke {
        /// The key's id, as `assay keys list` shows it.
        #[arg(value_name = "KEY_ID")]
        key: String,
        /// Which database.
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// `assay keys create`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  assay keys create --org org_01J… --name ci --role member\n  \
assay keys create --org org_01J… --name visitor --role read --expires 30d"
)]
pub struct CreateKeyArgs {
    /// The organization's id.
    #[arg(long, value_name = "ORG")]
    pub org: String,

    /// What the key is for.
    #[arg(long)]
    pub name: String,

    /// What it allows: read, member or admin.
    #[arg(long, value_name = "ROLE", default_value_t = Role::Member)]
    pub role: Role,

    /// When it stops working: an RFC 3339 time, or a span such as 12h, 30d or 8w.
    #[arg(long, value_name = "T")]
    pub expires: Option<String>,

    /// How it is printed, and which database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay plans`.
#[derive(Debug, Subcommand)]
pub enum PlansCommand {
    /// List the plans of the configuration.
    List(ListArgs),
    /// Put an organization on a plan.
    Set {
        /// The organization's id.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The plan's name.
        #[arg(long, value_name = "NAME")]
        plan: String,
        /// Which database.
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// `assay members`.
#[derive(Debug, Subcommand)]
pub enum MembersCommand {
    /// Add a person, and print the new id.
    Add {
        /// The organization's id.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The person's name.
        #[arg(long)]
        name: String,
        /// The person's e-mail address.
        #[arg(long, value_name = "ADDRESS")]
        email: String,
        /// What the person may do: read, member or admin.
        #[arg(long, value_name = "ROLE", default_value_t = Role::Member)]
        role: Role,
        /// How it is printed, and which database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// List the people of an organization.
    List {
        /// The organization's id.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// How it is printed, and which database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// Remove a person.
    Remove {
        /// The organization's id.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The person's id, as `assay members list` shows it.
        #[arg(value_name = "MEMBER_ID")]
        member: String,
        /// Which database.
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

fn socket(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "an IP address with a port is needed, for example 127.0.0.1:8080 or [::1]:8080".to_owned()
    })
}
