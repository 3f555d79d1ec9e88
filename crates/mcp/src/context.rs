//! The context of a tool call.

use std::sync::Arc;

use client::Client;

use crate::variant::Offers;

/// The service and its caller.
pub(crate) struct Context {
    /// Calls the service with the caller's key.
    pub(crate) client: Client,
    /// The tools and dimensions that the service offers.
    pub(crate) offers: Offers,
    /// Receives the progress of the call.
    pub(crate) progress: Arc<dyn Progress>,
}

/// A receiver of progress notifications.
pub(crate) trait Progress: Send + Sync {
    /// `done` of 100 and a message. It does not block.
    fn report(&self, done: u8, message: String);
}
