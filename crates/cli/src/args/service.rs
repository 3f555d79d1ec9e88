//! The arguments of the commands that run and administer the service.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use domain::key::Role;
use domain::target::AllowTarget;

use super::{ConfigArgs, SetRetentionArgs};

/// The database that a command uses.
#[derive(Debug, Clone, Default, Args)]
pub struct DatabaseArgs {
    /// The source of the configuration.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Store the data and the default database in DIR [default: ./assay-data].
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Use this database: postgres://USER@HOST/NAME, or sqlite:FILE [default: DIR/assay.db].
    #[arg(long, value_name = "URL")]
    pub database_url: Option<String>,
}

/// `assay serve`.
#[derive(Debug, Args)]
#[command(
    after_help = "The first start creates the database and an organization. It prints an API key, and a link that \
creates your account for the dashboard; both are shown only once.\n\nExamples:\n  assay serve\n  assay serve --listen 0.0.0.0:8080 --data-dir /var/lib/assay\n  \
assay serve --database-url postgres://assay@db.example.com/assay --bootstrap-key-file key.txt"
)]
pub struct ServeArgs {
    /// Listen on this address [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDR:PORT", value_parser = socket)]
    pub listen: Option<SocketAddr>,

    /// Write the first API key to FILE, readable only by its owner, instead of printing it.
    #[arg(long, value_name = "FILE")]
    pub bootstrap_key_file: Option<PathBuf>,

    /// Allow a loopback or private target: an IP address, a network, a host name or HOST:PORT.
    /// Repeatable.
    #[arg(long = "allow-target", value_name = "T")]
    pub allow_targets: Vec<AllowTarget>,

    /// Run no worker in this process; run `assay worker` in other processes instead.
    #[arg(long)]
    pub no_worker: bool,

    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// `assay worker`.
#[derive(Debug, Args)]
#[command(
    after_help = "Any number of workers and services can share one PostgreSQL database. Give all of \
them the same secret.key, configuration and allowed targets.\n\nExamples:\n  assay worker \
--database-url postgres://assay@db.example.com/assay --data-dir /var/lib/assay\n  assay worker \
--database-url postgres://assay@db.example.com/assay --metrics-listen 127.0.0.1:9464"
)]
pub struct WorkerArgs {
    /// Allow a loopback or private target: an IP address, a network, a host name or HOST:PORT.
    /// Repeatable.
    #[arg(long = "allow-target", value_name = "T")]
    pub allow_targets: Vec<AllowTarget>,

    /// Do not start without a browser. By default, pages are then audited as they are served.
    #[arg(long)]
    pub browser: bool,

    /// Serve /metrics and /healthz on this address, preferably a loopback address [default: off].
    #[arg(long, value_name = "ADDR:PORT", value_parser = socket)]
    pub metrics_listen: Option<SocketAddr>,

    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// `assay migrate`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 the database is up to date, also after migrating it; with --check 1 migrations are \
pending; 3 the database cannot be migrated, for example because a later version has migrated it.\n\nExamples:\n  \
assay migrate --check\n  assay migrate"
)]
pub struct MigrateArgs {
    /// List the pending migrations and change nothing.
    #[arg(long)]
    pub check: bool,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay health`.
#[derive(Debug, Args)]
#[command(
    after_help = "It needs no key. Exit status: 0 ready, 1 not ready or not reachable.\n\nExamples:\n  \
assay health\n  assay health --alive --server http://127.0.0.1:9464"
)]
pub struct HealthArgs {
    /// Check only that the process runs, as a worker with --metrics-listen reports it.
    #[arg(long)]
    pub alive: bool,

    /// The address of the service, or of the worker.
    #[arg(
        long,
        value_name = "URL",
        env = "ASSAY_URL",
        default_value = "http://127.0.0.1:8080"
    )]
    pub server: String,
}

/// `assay invariants`.
#[derive(Debug, Args)]
pub struct InvariantsArgs {
    /// A file with the ids of runs that a client received, one per line.
    #[arg(long, value_name = "FILE")]
    pub expected_runs: Option<PathBuf>,

    /// The former name of `--expected-runs`.
    #[arg(
        long,
        value_name = "FILE",
        hide = true,
        conflicts_with = "expected_runs"
    )]
    pub told: Option<PathBuf>,

    /// Also require that nothing is queued or running.
    #[arg(long)]
    pub at_rest: bool,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// The output format of a list.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// Print JSON.
    #[arg(long)]
    pub json: bool,

    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// The organization whose entries are listed.
#[derive(Debug, Clone, Default, Args)]
pub struct ListOfOrgArgs {
    /// The organization's id, its last characters, or its name; may be omitted if there is only one organization.
    #[arg(long, value_name = "ORG")]
    pub org: Option<String>,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay orgs`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay orgs\n  assay orgs create Acme"
)]
pub struct OrgsArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<OrgsCommand>,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay orgs …`.
#[derive(Debug, Subcommand)]
pub enum OrgsCommand {
    /// Create an organization and print its id.
    Create(CreateOrgArgs),
    /// List all organizations.
    List(ListArgs),
    /// Set the retention of an organization's data.
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

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay keys`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay keys\n  assay keys create --org Acme --name ci"
)]
pub struct KeysArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<KeysCommand>,

    /// What is listed.
    #[command(flatten)]
    pub list: ListOfOrgArgs,
}

/// `assay keys …`.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Create a key and print it. It is shown only once; Assay stores its hash.
    Create(CreateKeyArgs),
    /// List the keys of an organization.
    List(ListOfOrgArgs),
    /// Revoke a key. The next request with it is rejected.
    Revoke {
        /// The key's id or its last characters; see `assay keys`.
        #[arg(value_name = "KEY_ID")]
        key: String,
        /// The database.
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
    /// The organization's id, its last characters, or its name.
    #[arg(long, value_name = "ORG")]
    pub org: String,

    /// What the key is for.
    #[arg(long)]
    pub name: String,

    /// The role of the key: read, member or admin.
    #[arg(long, value_name = "ROLE", default_value_t = Role::Member)]
    pub role: Role,

    /// When the key expires: an RFC 3339 time, or a duration such as 12h, 30d or 8w.
    #[arg(long, value_name = "T")]
    pub expires: Option<String>,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay plans`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay plans\n  assay plans set --org Acme --plan team"
)]
pub struct PlansArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<PlansCommand>,

    /// The output format and the database.
    #[command(flatten)]
    pub list: ListArgs,
}

/// `assay plans …`.
#[derive(Debug, Subcommand)]
pub enum PlansCommand {
    /// List the plans of the configuration.
    List(ListArgs),
    /// Assign a plan to an organization.
    Set {
        /// The organization's id, its last characters, or its name.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The plan's name.
        #[arg(long, value_name = "NAME")]
        plan: String,
        /// The database.
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// `assay members`.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  assay members\n  assay members list --org Acme"
)]
pub struct MembersArgs {
    /// The command [default: list].
    #[command(subcommand)]
    pub command: Option<MembersCommand>,

    /// What is listed.
    #[command(flatten)]
    pub list: ListOfOrgArgs,
}

/// `assay members …`.
#[derive(Debug, Subcommand)]
pub enum MembersCommand {
    /// Add a member and print the new id.
    Add {
        /// The organization's id, its last characters, or its name.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The member's name.
        #[arg(long)]
        name: String,
        /// The member's e-mail address.
        #[arg(long, value_name = "ADDRESS")]
        email: String,
        /// The member's role: read, member or admin.
        #[arg(long, value_name = "ROLE", default_value_t = Role::Member)]
        role: Role,
        /// The output format and the database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// List the members of an organization.
    List(ListOfOrgArgs),
    /// Print a one-time link that creates an administrator.
    ///
    /// For an organization that has only keys, or whose administrators have left. The link works for one hour.
    SetupLink {
        /// The organization's id, its last characters, or its name; may be omitted if there is only one organization.
        #[arg(long, value_name = "ORG")]
        org: Option<String>,
        /// The output format and the database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// Print a one-time link with which a member creates an account. The link works for 72 hours.
    Invite {
        /// The organization's id, its last characters, or its name.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The member's id, its last characters, or the e-mail address; see `assay members`.
        #[arg(value_name = "MEMBER_ID")]
        member: String,
        /// The output format and the database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// Print a one-time link with which a member sets a new password. The link works for one hour.
    ResetPassword {
        /// The organization's id, its last characters, or its name.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The member's id, its last characters, or the e-mail address; see `assay members`.
        #[arg(value_name = "MEMBER_ID")]
        member: String,
        /// The output format and the database.
        #[command(flatten)]
        list: ListArgs,
    },
    /// Remove the second factor of a member who has lost the authenticator app and the recovery codes.
    ///
    /// All sessions of the member end. The member then signs in with the password alone until they set up a second factor
    /// again. First make sure that the request comes from the member.
    ResetSecondFactor {
        /// The organization's id, its last characters, or its name.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The member's id, its last characters, or the e-mail address; see `assay members`.
        #[arg(value_name = "MEMBER_ID")]
        member: String,
        /// The database.
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Remove a member.
    Remove {
        /// The organization's id, its last characters, or its name.
        #[arg(long, value_name = "ORG")]
        org: String,
        /// The member's id, its last characters, or the e-mail address; see `assay members`.
        #[arg(value_name = "MEMBER_ID")]
        member: String,
        /// The database.
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

fn socket(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "expected an IP address with a port, for example 127.0.0.1:8080 or [::1]:8080".to_owned()
    })
}
