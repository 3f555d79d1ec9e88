//! Whose turn it is among the organizations that deliveries wait for.
//!
//! Each claim goes to the organization behind the one that had the last turn, in the order of their ids. The
//! caller remembers that one, so no row is written and nobody is waited for to take turns.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use domain::id::{OrgId, WebhookId};
use domain::ports::DeliveryTurns;
use domain::webhook::DeliveryStatus;

use crate::database::connection::AnyConnection;
use crate::database::error::Fault;
use crate::database::schema::{deliveries, webhooks};

/// Organizations that are looked at in one claim. More than one is needed only where others are just
/// claiming all that waits for the first.
const ORGANIZATIONS: usize = 8;
/// Webhooks that are looked for: all that so many organizations may have.
const MANY: i64 = 400;

/// Deliveries that may be claimed. That they are pending is not asked: only those have a next attempt, and
/// without the question the index by webhook, `deliveries_due`, is the one that suits best.
macro_rules! due {
    ($now:expr) => {{
        let now = $crate::database::values::stored_time($now);
        $crate::database::schema::deliveries::table
            .filter($crate::database::schema::deliveries::next_attempt_at.le(now))
            .filter(
                $crate::database::schema::deliveries::lease_expires_at
                    .is_null()
                    .or($crate::database::schema::deliveries::lease_expires_at.le(now)),
            )
    }};
}
pub(super) use due;

/// Webhooks with a delivery to claim, in the order of their organizations. Each costs one look into an index,
/// however many deliveries wait for it.
macro_rules! waiting {
    ($turns:expr, $now:expr) => {{
        let busy_orgs = $turns.busy_orgs.iter().map(OrgId::as_str);
        let busy_webhooks = $turns.busy_webhooks.iter().map(WebhookId::as_str);
        let due = due!($now).filter(deliveries::webhook_id.eq(webhooks::id));
        webhooks::table
            .filter(webhooks::org_id.ne_all(busy_orgs))
            .filter(webhooks::id.ne_all(busy_webhooks))
            .filter(exists(due))
            .order(webhooks::org_id)
            .limit(MANY)
            .select(webhooks::org_id)
    }};
}

/// Whether anything is due at all, to whomever.
pub(super) fn is_any_due(
    connection: &mut AnyConnection,
    now: DateTime<Utc>,
) -> Result<bool, Fault> {
    let due = due!(now).filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()));
    Ok(diesel::select(exists(due)).get_result(connection)?)
}

/// The organizations with a delivery to claim, in the order of their turns; the first few of them.
pub(super) fn next(
    connection: &mut AnyConnection,
    turns: &DeliveryTurns,
    now: DateTime<Utc>,
) -> Result<Vec<String>, Fault> {
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

/// The webhooks of an organization with a delivery to claim, that of the longest due first.
pub(super) fn longest_due(
    connection: &mut AnyConnection,
    org: &str,
    turns: &DeliveryTurns,
    now: DateTime<Utc>,
) -> Result<Vec<String>, Fault> {
    let busy = turns.busy_webhooks.iter().map(WebhookId::as_str);
    let of_webhook = || due!(now).filter(deliveries::webhook_id.eq(webhooks::id));
    let order = (deliveries::next_attempt_at, deliveries::id);
    let since = of_webhook().order(order).limit(1);
    let first = of_webhook().order(order).limit(1);
    let mut found: Vec<(Option<NaiveDateTime>, Option<String>, String)> = webhooks::table
        .filter(webhooks::org_id.eq(org))
        .filter(webhooks::id.ne_all(busy))
        .select((
            since.select(deliveries::next_attempt_at).single_value(),
            first.select(deliveries::id).single_value(),
            webhooks::id,
        ))
        .load(connection)?;
    found.retain(|(_, first, _)| first.is_some());
    found.sort();
    Ok(found.into_iter().map(|(.., webhook)| webhook).collect())
}
