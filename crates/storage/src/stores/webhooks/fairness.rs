//! Fairness between organizations with pending deliveries.
//!
//! Round-robin: each claim goes to the organization after the one of the previous claim, in the order of their
//! ids. The caller remembers the cursor, so no row is written and claims do not wait for each other.

use chrono::NaiveDateTime;
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::id::{OrgId, WebhookId};
use domain::ports::{DeliveryFairness, JobKind};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{jobs, webhooks};
use crate::queue::Now;
use crate::queue::due::due;

/// Maximum organizations considered in one claim. More than one is needed only if other workers are claiming all
/// pending deliveries of the first one.
const ORGANIZATIONS: usize = 8;
/// Maximum webhooks to look up: the maximum of that many organizations.
const MANY: i64 = 400;

/// Webhooks with a claimable delivery, in the order of their organizations. Each costs one look-up in the index
/// `jobs_host`, no matter how many deliveries wait for it.
macro_rules! waiting {
    ($turns:expr, $now:expr) => {{
        let busy_orgs = $turns.busy_orgs.iter().map(OrgId::as_str);
        let busy_webhooks = $turns.busy_webhooks.iter().map(WebhookId::as_str);
        let due = due!(JobKind::Delivery, $now).filter(jobs::host.eq(webhooks::id));
        webhooks::table
            .filter(webhooks::org_id.ne_all(busy_orgs))
            .filter(webhooks::id.ne_all(busy_webhooks))
            .filter(exists(due))
            .order(webhooks::org_id)
            .limit(MANY)
            .select(webhooks::org_id)
    }};
}

/// Returns the first few organizations with a claimable delivery, in fair order.
pub(super) fn next(
    connection: &mut AnyConnection,
    turns: &DeliveryFairness,
    now: Now,
) -> Result<Vec<String>, StorageError> {
    let last = turns.last.as_ref().map_or("", OrgId::as_str);
    let behind = webhooks::org_id.gt(last);
    let mut found: Vec<String> = waiting!(turns, now).filter(behind).load(connection)?;
    found.dedup();
    if found.len() < ORGANIZATIONS {
        let from_the_first = webhooks::org_id.le(last);
        let further = waiting!(turns, now).filter(from_the_first);
        found.extend(further.load::<String>(connection)?);
        found.dedup();
    }
    found.truncate(ORGANIZATIONS);
    Ok(found)
}

/// Returns the webhooks of an organization with a claimable delivery, the longest due first.
pub(super) fn longest_due(
    connection: &mut AnyConnection,
    org: &str,
    turns: &DeliveryFairness,
    now: Now,
) -> Result<Vec<String>, StorageError> {
    let busy = turns.busy_webhooks.iter().map(WebhookId::as_str);
    let of_webhook = || due!(JobKind::Delivery, now).filter(jobs::host.eq(webhooks::id));
    let order = (jobs::available_at, jobs::id);
    let since = of_webhook().order(order).limit(1);
    let first = of_webhook().order(order).limit(1);
    let mut found: Vec<(Option<NaiveDateTime>, Option<String>, String)> = webhooks::table
        .filter(webhooks::org_id.eq(org))
        .filter(webhooks::id.ne_all(busy))
        .select((
            since.select(jobs::available_at).single_value(),
            first.select(jobs::id).single_value(),
            webhooks::id,
        ))
        .load(connection)?;
    found.retain(|(_, first, _)| first.is_some());
    found.sort();
    Ok(found.into_iter().map(|(.., webhook)| webhook).collect())
}
