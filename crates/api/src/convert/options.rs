use api_types::run as wire;
use api_types::start_audit::StartAuditOptions;
use domain::run::{AskedOptions, Device, Mode, RequestHeaders};

use httpkit::problem::Problem;

/// The options that a caller requests.
pub(crate) fn options(asked: StartAuditOptions) -> Result<AskedOptions, Problem> {
    Ok(AskedOptions {
        max_pages: asked.max_pages,
        max_depth: asked.max_depth,
        mode: asked.mode.map(mode),
        device: asked.device.map(device),
        include: asked.include,
        exclude: asked.exclude,
        headers: asked.headers.map(RequestHeaders::parse).transpose()?,
        user_agent: asked.user_agent,
        respect_robots: asked.respect_robots,
    })
}

const fn mode(mode: wire::Mode) -> Mode {
    match mode {
        wire::Mode::Auto => Mode::Auto,
        wire::Mode::Static => Mode::Static,
        wire::Mode::Rendered => Mode::Rendered,
    }
}

const fn device(device: wire::Device) -> Device {
    match device {
        wire::Device::Mobile => Device::Mobile,
        wire::Device::Desktop => Device::Desktop,
    }
}
