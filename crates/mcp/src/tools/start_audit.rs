//! `start_audit`.

use api_types::run::{Device, Mode, RunStatus};
use api_types::start_audit::{StartAuditOptions, StartAuditRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::limits::given;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct StartAudit;

/// What to audit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Arguments {
    /// The start page, http or https.
    #[schema(max_length = 2048)]
    url: String,
    /// The site; empty to find or create it by the URL's host.
    #[serde(default)]
    #[schema(default = "")]
    site_id: String,
    /// The maximum number of pages; 0 for the default, usually 1,000.
    #[serde(default)]
    #[schema(default = 0, minimum = 0, maximum = 100_000)]
    max_pages: u32,
    /// Clicks from the start page at most; -1 for no limit.
    #[serde(default = "no_depth")]
    #[schema(default = -1, minimum = -1)]
    max_depth: i64,
    /// How pages are loaded.
    #[serde(default = "auto")]
    #[schema(default = "auto")]
    mode: Mode,
    /// The device that the browser emulates.
    #[serde(default)]
    #[schema(default = "default")]
    device: DeviceChoice,
    /// Audit only pages whose path and query match one of these patterns (robots.txt syntax), and the start page.
    #[serde(default)]
    #[schema(max_items = 50)]
    include: Vec<String>,
    /// Exclude pages whose path and query match one of these patterns.
    #[serde(default)]
    #[schema(max_items = 50)]
    exclude: Vec<String>,
}

/// The device of a run.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum DeviceChoice {
    /// The default of the site, otherwise a phone.
    #[default]
    Default,
    /// A phone.
    Mobile,
    /// A desktop computer.
    Desktop,
}

impl DeviceChoice {
    const fn chosen(self) -> Option<Device> {
        match self {
            Self::Default => None,
            Self::Mobile => Some(Device::Mobile),
            Self::Desktop => Some(Device::Desktop),
        }
    }
}

const fn no_depth() -> i64 {
    -1
}

const fn auto() -> Mode {
    Mode::Auto
}

/// A started audit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Started {
    /// Id of the run.
    run_id: String,
    /// The status.
    status: RunStatus,
    /// The site of the run.
    site_id: String,
}

impl Tool for StartAudit {
    const NAME: &'static str = "start_audit";
    const TITLE: &'static str = "Start an audit";
    const DESCRIPTION: &'static str = "Start an audit of a website. It crawls the site, which takes seconds to minutes. Each call starts another run and counts towards the plan's limit.";
    const EFFECT: Effect = Effect::Audits;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = Arguments;
    type Output = Started;

    async fn call(context: &Context, arguments: Arguments) -> Result<Started, Failure> {
        let patterns = |all: Vec<String>| (!all.is_empty()).then_some(all);
        let options = StartAuditOptions {
            max_pages: Some(arguments.max_pages).filter(|pages| *pages > 0),
            max_depth: u32::try_from(arguments.max_depth).ok(),
            mode: Some(arguments.mode).filter(|mode| *mode != Mode::Auto),
            device: arguments.device.chosen(),
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
            run_id: started.run_id,
            status: started.status,
            site_id: started.site_id,
        })
    }

    fn next(started: &Started, _offers: Offers) -> String {
        format!("Call wait_for_run with runId {}.", started.run_id)
    }
}
