use api_types::start_audit::StartAuditOptions;
use domain::run::{AskedOptions, RequestHeaders};

use super::same_variants::ToDomain;
use httpkit::problem::Problem;

/// The options that a caller requests.
pub(crate) fn options(asked: StartAuditOptions) -> Result<AskedOptions, Problem> {
    Ok(AskedOptions {
        max_pages: asked.max_pages,
        max_depth: asked.max_depth,
        mode: asked.mode.map(ToDomain::to_domain),
        device: asked.device.map(ToDomain::to_domain),
        include: asked.include,
        exclude: asked.exclude,
        headers: asked.headers.map(RequestHeaders::parse).transpose()?,
        user_agent: asked.user_agent,
        respect_robots: asked.respect_robots,
    })
}
