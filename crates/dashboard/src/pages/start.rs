//! Starting an audit, for the forms of several pages.

use domain::id::{RunId, SiteId};
use domain::idempotency::Idempotent;
use domain::ports::StartRunError;
use domain::run::{AskedOptions, InvalidOption, Trigger};
use domain::text::{capitalized, sentence};
use domain::usecase::{self, StartAudit, StartAuditError, StartAuditPolicy};

use crate::failure::Failure;
use crate::visit::Visit;

/// Starts an audit that begins at a page, of a site or of the site of the page's host.
///
/// Where the person can do something about a refusal, it is a sentence for them.
pub(super) fn start(
    visit: &Visit,
    url: String,
    site_id: Option<&SiteId>,
    options: AskedOptions,
) -> Result<Result<RunId, String>, Failure> {
    let settings = &visit.state.settings;
    let organization = &visit.signed_in()?.membership.organization;
    let plan = visit
        .state
        .plan(&organization.plan)
        .ok_or_else(|| Failure::Internal(format!("no plan is named {}", organization.plan)))?;
    let request = StartAudit {
        url,
        site_id: site_id.map(ToString::to_string),
        options,
        refused: Vec::new(),
        trigger: Trigger::Dashboard,
        by: visit.by()?,
    };
    let policy = StartAuditPolicy {
        allow: &settings.allow_targets,
        bounds: settings.bounds,
        default_max_pages: settings.default_max_pages,
        limits: plan.limits,
    };
    let (stores, clock, ids) = (&*visit.state.stores, &*visit.state.clock, &*visit.state.ids);
    match usecase::start_audit(stores, clock, ids, &policy, visit.org()?, request, None) {
        Ok(Idempotent::Executed(started)) => {
            (settings.on_run_started)();
            Ok(Ok(started.run_id))
        }
        Ok(Idempotent::Replayed(_)) => Err(Failure::Internal(
            "a call without an idempotency key was replayed".to_owned(),
        )),
        Err(error) => problem(error).map(Err),
    }
}

/// Why an audit is not started, for the person who asked for it.
fn problem(error: StartAuditError) -> Result<String, Failure> {
    match error {
        StartAuditError::Target(error, _) => {
            let message = in_words(&error);
            Ok(match error.allow_flag() {
                Some(flag) => format!("{message} The operator can allow it with `{flag}`."),
                None => message,
            })
        }
        StartAuditError::Options(wrong) => Ok(invalid_options(&wrong)),
        StartAuditError::Start(StartRunError::SiteNotFound) => Err(Failure::NotFound),
        StartAuditError::Start(StartRunError::Store(error)) => Err(error.into()),
        StartAuditError::Start(
            error @ (StartRunError::OtherHost { .. }
            | StartRunError::LimitHit(_)
            | StartRunError::KeyReused(_)),
        ) => Ok(in_words(&error)),
    }
}

/// What is wrong with options, each under the name that forms have for it.
pub(super) fn invalid_options(wrong: &[InvalidOption]) -> String {
    let wrong = wrong.iter().map(|error| {
        let field = error.field();
        let of_header = field
            .strip_prefix("headers.")
            .map(|name| format!(", {name}"));
        let label = option_label(&field);
        format!(
            "{label}{}: {}",
            of_header.unwrap_or_default(),
            sentence(&error.to_string())
        )
    });
    wrong.collect::<Vec<_>>().join(" ")
}

fn in_words(error: &impl ToString) -> String {
    sentence(&capitalized(&error.to_string()))
}

/// What forms call an option, by its name on the wire.
pub(super) fn option_label(field: &str) -> &'static str {
    match field.split(['[', '.']).next().unwrap_or_default() {
        "maxPages" => "Maximum pages",
        "mode" => "How pages are loaded",
        "device" => "Device",
        "include" => "Only pages that match",
        "exclude" => "Exclude pages that match",
        "headers" => "Request headers",
        "userAgent" => "User agent",
        _ => "Options",
    }
}
