//! `start_audit`.

use api_types::run::{Mode, RunStatus};
use api_types::start_audit::{StartAuditOptions, StartAuditRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::given;
use crate::answer::Words;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};

pub(super) struct StartAudit;

/// What to audit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Arguments {
    /// The page to begin at: an absolute http or https URL.
    #[schema(max_length = 2048)]
    url: String,
    /// The site to attach the run to, as list_sites names it; leave it empty to find or create it by the URL's host.
    #[serde(default)]
    #[schema(default = "")]
    site_id: String,
    /// Audited pages at most; 0 for the server's default, usually 1,000.
    #[serde(default)]
    #[schema(default = 0, minimum = 0, maximum = 100_000)]
    max_pages: u32,
    /// Clicks from the start page at most; -1 for no limit.
    #[serde(default = "no_depth")]
    #[schema(default = -1, minimum = -1)]
    max_depth: i64,
    /// How pages are read.
    #[serde(default = "auto")]
    #[schema(default = "auto")]
    mode: Mode,
    /// Only pages whose path matches one of these patterns are audited, beside the start page; patterns as in robots.txt.
    #[serde(default)]
    #[schema(max_items = 50)]
    include: Vec<String>,
    /// Pages whose path matches one of these patterns are left out.
    #[serde(default)]
    #[schema(max_items = 50)]
    exclude: Vec<String>,
}

const fn no_depth() -> i64 {
    -1
}

const fn auto() -> Mode {
    Mode::Auto
}

/// An audit that was started.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Started {
    /// Id of the run.
    run_id: String,
    /// Where it stands.
    status: RunStatus,
    /// The site it belongs to.
    site_id: String,
    /// What to do next.
    next: String,
}

impl Tool for StartAudit {
    const NAME: &'static str = "start_audit";
    const TITLE: &'static str = "Start an audit";
    const DESCRIPTION: &'static str = "Start an audit of the website at a URL. It crawls the site and takes from tens of seconds to minutes: call wait_for_run with the runId next. Each call starts another run and counts towards the plan.";
    const EFFECT: Effect = Effect::Audits;
    const WORDS: Words = Words::Ours;
    type Arguments = Arguments;
    type Output = Started;

    async fn call(context: &Context, arguments: Arguments) -> Result<Started, Failure> {
        let patterns = |all: Vec<String>| (!all.is_empty()).then_some(all);
        let options = StartAuditOptions {
            max_pages: Some(arguments.max_pages).filter(|pages| *pages > 0),
            max_depth: u32::try_from(arguments.max_depth).ok(),
            mode: Some(arguments.mode).filter(|mode| *mode != Mode::Auto),
            include: patterns(arguments.include),
            exclude: patterns(arguments.exclude),
            ..StartAuditOptions::default()
        };
        let request = StartAuditRequest {
            url: arguments.url,
            site_id: given(&arguments.site_id).map(str::to_owned),
            options: (options != StartAuditOptions::default()).then_some(options),
        };
        let started = context.client.start_audit(&request).await?.value;
        Ok(Started {
            next: format!("Call wait_for_run with runId {}.", started.run_id),
            run_id: started.run_id,
            status: started.status,
            site_id: started.site_id,
        })
    }
}
