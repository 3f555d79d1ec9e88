//! The flags of `assay audit` with which it looks at pages in a browser.

use domain::run::{Device, Mode};

/// " --mode auto --device desktop": the flags with which a command looks at pages like an audit in this mode and on this
/// device; empty in static mode. What is the default is left out.
pub(crate) fn flags(mode: Mode, device: Device) -> String {
    match (mode, device) {
        (Mode::Static, _) => String::new(),
        (mode, Device::Mobile) => format!(" --mode {mode}"),
        (mode, Device::Desktop) => format!(" --mode {mode} --device {device}"),
    }
}
