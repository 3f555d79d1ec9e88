//! A tab of a browser.

use std::sync::Arc;

use super::context::Context;
use super::start::Browser;
use crate::egress::Tunnel;

/// A tab with the proxy that it loads through. The browser lives as long as one of its tabs.
#[derive(Debug)]
pub(super) struct Tab {
    pub(super) context: Context,
    pub(super) tunnel: Tunnel,
    pub(super) browser: Arc<Browser>,
    /// Pages that it has shown.
    pub(super) pages: u32,
}
