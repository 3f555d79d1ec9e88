use api_types::run::RunStatus;
use api_types::start_audit::{StartAuditRequest, StartAuditResponse};
use domain::idempotency::Idempotent;
use domain::key::Role;
use domain::ports::StartedRun;
use domain::run::Trigger;
use domain::target::gate_url;
use domain::usecase::{self, StartAudit, StartAuditError, StartAuditPolicy};

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_start_audit,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::TargetNotAllowed, Code::NotFound, Code::PlanLimitHit],
    example: |_| serde_json::to_value(examples::started_audit()),
    handle: start_audit,
};

/// Start an audit
///
/// Queues a run; poll it every few seconds. If the organization has no site with the URL's host, it is
/// created.
#[utoipa::path(
    post,
    path = "/api/mcp/start-audit",
    tag = "Runs",
    params(IdempotencyHeader),
    request_body = StartAuditRequest,
    responses((
        status = 202,
        description = "The run is queued.",
        body = StartAuditResponse,
        headers(("Location" = String, description = "The path of the run.")),
    )),
)]
fn start_audit(call: &Call) -> Result<Reply, Problem> {
    let settings = &call.state.settings;
    let bounds = &settings.bounds;
    let asked = call.body(|asked: StartAuditRequest, invalid| {
        invalid.check_later(gate_url(&asked.url, &settings.allow_targets));
        let options = asked.options.clone().unwrap_or_default();
        invalid.check_later(convert::validate_options(options, bounds));
        Some(asked)
    });
    let most = bounds.max_pages;
    let asked = asked.map_err(|problem| problem.with_range("options.maxPages", 1, most))?;
    let (options, refused) = convert::options(asked.options.unwrap_or_default());
    let request = StartAudit {
        url: asked.url,
        site_id: asked.site_id,
        options,
        refused,
        trigger: Trigger::Api,
        by: call.by(),
    };
    let policy = StartAuditPolicy {
        allow: &settings.allow_targets,
        bounds: settings.bounds,
        default_max_pages: settings.default_max_pages,
        limits: call.plan()?.limits,
    };
    let (stores, clock, ids) = (&*call.state.stores, &*call.state.clock, &*call.state.ids);
    call.once(
        |once| {
            let started =
                usecase::start_audit(stores, clock, ids, &policy, call.org(), request, once)?;
            if let Idempotent::Executed(_) = started {
                (settings.on_run_started)();
            }
            Ok::<_, StartAuditError>(started)
        },
        answer,
    )
}

fn answer(started: &StartedRun) -> Result<Reply, Problem> {
    let response = StartAuditResponse {
        run_id: started.run_id.to_string(),
        status: RunStatus::Queued,
        site_id: started.site_id.to_string(),
    };
    Reply::accepted(&response)?.at(&format!("/api/mcp/runs/{}", started.run_id))
}
