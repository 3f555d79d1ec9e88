//! The list of a webhook's deliveries.

use diesel::prelude::*;
use domain::event::EventKind;
use domain::id::{OrgId, WebhookId};
use domain::ports::DeliveryPage;
use domain::webhook::DeliveryCursor;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::deliveries;
use crate::database::values::stored_time;
use crate::stores::outbox::delivery::DeliveryRow;

pub(super) fn page(
    connection: &mut AnyConnection,
    (org, webhook): (&OrgId, &WebhookId),
    kinds: &[EventKind],
    after: Option<&DeliveryCursor>,
    limit: u32,
) -> Result<DeliveryPage, StorageError> {
    let mut query = deliveries::table
        .filter(deliveries::org_id.eq(org.as_str()))
        .filter(deliveries::webhook_id.eq(webhook.as_str()))
        .filter(deliveries::kind.eq_any(kinds.iter().map(|kind| kind.as_str())))
        .order((deliveries::created_at.desc(), deliveries::id.desc()))
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select(DeliveryRow::as_select())
        .into_boxed();
    if let Some(cursor) = after {
        let created_at = stored_time(cursor.created_at);
        let is_older = deliveries::created_at
            .lt(created_at)
            .or(deliveries::created_at
                .eq(created_at)
                .and(deliveries::id.lt(cursor.id.as_str())));
        // Implied by the second condition; it bounds the index range scan.
        query = query.filter(deliveries::created_at.le(created_at).and(is_older));
    }
    let rows: Vec<DeliveryRow> = query.load(connection)?;
    let mut deliveries = rows
        .into_iter()
        .map(DeliveryRow::read)
        .collect::<Result<Vec<_>, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = deliveries.len() > limit;
    deliveries.truncate(limit);
    let last = deliveries.last().filter(|_| goes_on);
    Ok(DeliveryPage {
        next: last.map(DeliveryCursor::after),
        deliveries,
    })
}
