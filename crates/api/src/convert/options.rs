use api_types::problem::FieldError;
use api_types::start_audit::StartAuditOptions;
use domain::run::{AskedOptions, InvalidOption, OptionBounds, RequestHeaders};

use super::same_variants::ToDomain;
use httpkit::problem::Problem;

/// The options that a caller requests, without the headers if some are wrong, which are the second value.
pub(crate) fn options(asked: StartAuditOptions) -> (AskedOptions, Vec<InvalidOption>) {
    let (headers, wrong) = match asked.headers.map(RequestHeaders::parse).transpose() {
        Ok(headers) => (headers, Vec::new()),
        Err(wrong) => (None, wrong),
    };
    let options = AskedOptions {
        max_pages: asked.max_pages,
        max_depth: asked.max_depth,
        mode: asked.mode.map(ToDomain::to_domain),
        device: asked.device.map(ToDomain::to_domain),
        include: asked.include,
        exclude: asked.exclude,
        headers,
        user_agent: asked.user_agent,
        respect_robots: asked.respect_robots,
    };
    (options, wrong)
}

/// Every option that is wrong or out of bounds.
pub(crate) fn option_errors(asked: StartAuditOptions, bounds: &OptionBounds) -> Vec<FieldError> {
    let (options, mut wrong) = options(asked);
    wrong.extend(options.validate(bounds).err().into_iter().flatten());
    Problem::from(wrong).into_fields()
}
