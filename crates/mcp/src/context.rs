//! What a tool works with.

use std::sync::Arc;

use client::Client;

use crate::variant::Offers;

/// The service, and the one who called.
pub(crate) struct Context {
    /// Calls the service with the caller's key.
    pub(crate) client: Client,
    /// What the service offers.
    pub(crate) offers: Offers,
    /// Told how far a call has come.
    pub(crate) progress: Arc<dyn Progress>,
}

/// Somebody who wants to know how far a call has come.
pub(crate) trait Progress: Send + Sync {
    /// `done` of 100, and what is being done. It does not wait for anybody to listen.
    fn tell(&self, done: u8, message: String);
}
