//! The first phase: from the requested URL to the start page.

use std::sync::Arc;

use url::Url;

use super::super::budgets::Budgets;
use super::super::failure::AuditError;
use super::super::start::{self, Landing};
use super::super::{Auditor, host_limits};
use super::Context;
use crate::address::SiteKey;
use crate::egress::host_key;
use crate::fetch::added_headers::AddedHeaders;
use crate::fetch::exchange::Exchange;
use crate::fetch::origins::Origins;

/// The start page, and the context of the following phases.
pub(in crate::run) struct Landed {
    pub(super) context: Context,
    pub(super) landing: Landing,
}

/// Follows the URL to the start page.
pub(in crate::run) async fn land(auditor: &Auditor, requested: Url) -> Result<Landed, AuditError> {
    let options = &auditor.options;
    let budgets = Budgets::new(options.deadline);
    let headers = AddedHeaders::new(
        options.headers.clone(),
        options.user_agent.clone(),
        &requested,
    );
    let exchange = Arc::new(Exchange::new(
        Arc::clone(&auditor.fetcher),
        Arc::clone(&auditor.limiter),
        options.retry_pause,
        headers,
    ));
    exchange.adopt(&requested);
    let limits = host_limits(auditor, &requested);
    let asked = auditor.limiter.lease(&host_key(&requested), limits);
    let landing = start::land(&exchange, &requested, options, &auditor.allow).await?;
    let start = landing.response.url.clone();
    let origins = if options.respect_robots {
        Origins::new(&start, &landing.robots, &landing.asked)
    } else {
        Origins::ignored(&start)
    };
    // The start page may be on another host than the requested URL, with other limits.
    let limits = host_limits(auditor, &start);
    let delay = origins.rules().crawl_delay();
    let limits = delay.map_or(limits, |delay| limits.with_crawl_delay(delay));
    let landed = auditor.limiter.lease(&host_key(&start), limits);
    let key = SiteKey::from_url(&start)
        .ok_or_else(|| AuditError::InvalidUrl("the URL has no host".to_owned()))?;
    let context = Context {
        requested,
        start,
        key,
        origins: Arc::new(origins),
        exchange,
        limits,
        budgets,
        external: options.external,
        _leases: [asked, landed],
    };
    Ok(Landed { context, landing })
}
