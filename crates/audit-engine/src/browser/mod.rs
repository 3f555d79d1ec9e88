//! Chromium of this machine: found, started, driven over a pipe, and ended with the engine.
//!
//! The engine downloads no browser and opens no debugging port. A browser sees nothing of the engine's
//! environment, and its profile is a new folder that is removed when it ends. If the engine is killed, the browser
//! and its profile go with it.

#[cfg(unix)]
mod capture;
mod cdp;
#[cfg(unix)]
mod context;
#[cfg(unix)]
mod coverage;
#[cfg(unix)]
mod event_log;
mod find;
#[cfg(unix)]
mod flags;
#[cfg(unix)]
mod focus_walk;
#[cfg(unix)]
mod frames;
#[cfg(unix)]
mod interruptions;
#[cfg(unix)]
mod late_changes;
#[cfg(unix)]
mod letters;
#[cfg(unix)]
mod machine_speed;
#[cfg(unix)]
mod main_document;
#[cfg(unix)]
mod measure;
#[cfg(unix)]
mod memory;
mod options;
#[cfg(unix)]
mod picture;
#[cfg(unix)]
mod picture_visit;
#[cfg(unix)]
mod pictures;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod profile;
#[cfg(unix)]
mod ready_tab;
#[cfg(unix)]
mod renderer;
mod rule_usage;
#[cfg(unix)]
mod settle;
#[cfg(unix)]
mod shared;
#[cfg(unix)]
mod site_headers;
#[cfg(unix)]
mod start;
#[cfg(unix)]
mod tab;
#[cfg(unix)]
mod text_colors;
#[cfg(unix)]
mod unsettled;
#[cfg(unix)]
mod visit;
#[cfg(unix)]
mod world;

pub use cdp::CdpError;
pub use find::{FindError, FoundBrowser};
pub use options::{BrowserOptions, Sandbox, StartError};
#[cfg(unix)]
pub use renderer::{ChromiumRenderer, MEASURE_TIMEOUT, RendererOptions, VISIT_TIMEOUT};
#[cfg(unix)]
pub use shared::SharedBrowser;
#[cfg(unix)]
pub use site_headers::SiteHeaders;
#[cfg(unix)]
pub use start::Browser;
