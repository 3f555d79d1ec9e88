//! Everything that needs Chromium. `scripts/test` installs it; without it the tests fail in CI, and elsewhere they
//! say that they did not run.

#![cfg(all(feature = "browser", unix))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test panics on unexpected results"
)]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "folders, programs and canaries of this machine"
)]

mod apps;
mod causes;
mod chromium;
mod containment;
mod events;
mod examples;
mod focus;
mod headers;
mod hostile_pages;
mod lifetime;
mod measuring;
mod pictures;
mod rendering;
mod shared;
mod text_colors;
