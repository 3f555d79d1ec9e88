use api_types::start_audit::StartAuditOptions;
use domain::run::{AskedOptions, InvalidOption, OptionBounds, RequestHeaders};

use super::same_variants::ToDomain;

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

/// Validates the options that a caller requests.
///
/// # Errors
/// Every option that is wrong or out of bounds.
pub(crate) fn validate_options(
    asked: StartAuditOptions,
    bounds: &OptionBounds,
) -> Result<(), Vec<InvalidOption>> {
    let (options, mut wrong) = options(asked);
    wrong.extend(options.validate(bounds).err().into_iter().flatten());
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong),
    }
}
