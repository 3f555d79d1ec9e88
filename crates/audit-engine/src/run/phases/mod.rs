//! The phases of an audit. Each is a function of the result of the previous phase.

mod crawl;
mod discover;
mod follow_up;
mod land;
mod steps;

pub(super) use crawl::crawl;
pub(super) use discover::discover;
pub(super) use follow_up::follow_up;
pub(super) use land::land;

use std::sync::Arc;

use url::Url;

use super::budgets::Budgets;
use crate::address::SiteKey;
use crate::egress::{HostLimits, Lease};
use crate::fetch::exchange::Exchange;
use crate::fetch::origins::Origins;

/// The context of all phases once the start page is known.
pub(super) struct Context {
    /// The requested URL.
    requested: Url,
    /// The URL of the start page.
    start: Url,
    key: SiteKey,
    origins: Arc<Origins>,
    exchange: Arc<Exchange>,
    limits: HostLimits,
    budgets: Budgets,
    /// Whether URLs of other sites are requested.
    external: bool,
    /// The limits of the requested host and the start page's host; they end with the audit.
    _leases: [Lease; 2],
}

impl Context {
    /// Whether a URL may be requested: on the site if robots.txt allows it, on other sites if external URLs are
    /// requested.
    fn may_request(&self, url: &Url) -> bool {
        if self.key.contains(url) {
            self.origins.rules().allows_url(url)
        } else {
            self.external
        }
    }
}
