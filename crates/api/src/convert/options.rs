use api_types::run as wire;
use api_types::start_audit::StartAuditOptions;
use domain::run::{Device, Mode, RunOptions};

use crate::problem::Problem;

/// The options that a caller asks for, with every default filled in.
pub(crate) fn options(
    asked: StartAuditOptions,
    default_max_pages: u32,
) -> Result<RunOptions, Problem> {
    let not_offered = [
        ("headers", asked.headers.is_some()),
        ("userAgent", asked.user_agent.is_some()),
        ("respectRobots", asked.respect_robots.is_some()),
    ];
    if let Some((name, _)) = not_offered.iter().find(|(_, is_given)| *is_given) {
        return Err(Problem::field(
            format!("options.{name}"),
            "This server does not offer the option; leave it out.",
        ));
    }
    Ok(RunOptions {
        max_pages: asked.max_pages.unwrap_or(default_max_pages),
        max_depth: asked.max_depth,
        mode: asked.mode.map_or_else(Mode::default, mode),
        device: asked.device.map_or_else(Device::default, device),
        include: asked.include.unwrap_or_default(),
        exclude: asked.exclude.unwrap_or_default(),
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
