//! The event outbox: events are stored in the transaction of the change that they report, with a delivery for
//! each webhook that subscribes to them.

pub(crate) mod delivery;
mod facts;
mod id;

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use domain::event::{Event, EventFacts, RunNamed};
use domain::id::{EventId, OrgId, ReportId, RunId, SiteId, WebhookId};
use domain::report::Scores;
use domain::run::{RunError, Trigger};
use domain::webhook::{Delivery, DeliveryStatus, WebhookState};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{deliveries, events, runs, webhooks};
use crate::database::values::{known, stored_time};

use delivery::{has_event, insert_delivery};
pub(crate) use id::OwnIds;

/// Publishes an event.
pub(crate) fn publish(
    connection: &mut AnyConnection,
    org: &OrgId,
    at: DateTime<Utc>,
    facts: EventFacts,
) -> Result<(), StorageError> {
    let ids = OwnIds::at(at)?;
    let event = Event {
        id: EventId::make(&ids),
        org_id: org.clone(),
        at,
        facts,
    };
    record(connection, &event, &ids)
}

/// Publishes that a run completed.
pub(crate) fn publish_completed(
    connection: &mut AnyConnection,
    run: &RunId,
    report: &ReportId,
    scores: Scores,
    at: DateTime<Utc>,
) -> Result<(), StorageError> {
    let (org, named) = name(connection, run.as_str())?;
    let facts = EventFacts::RunCompleted {
        run: named,
        report_id: report.clone(),
        scores,
    };
    publish_end(connection, run, org, facts, at)
}

/// Publishes that a run failed. Publishes nothing if the row of the run cannot be read.
pub(crate) fn publish_failed(
    connection: &mut AnyConnection,
    run_id: &str,
    error: &RunError,
    at: DateTime<Utc>,
) -> Result<(), StorageError> {
    let (org, named) = match name(connection, run_id) {
        Ok(named) => named,
        Err(StorageError::Failed(why)) => {
            tracing::error!(run.id = run_id, error = why, "run event not queued");
            return Ok(());
        }
        Err(fault) => return Err(fault),
    };
    let run = named.id.clone();
    let facts = EventFacts::RunFailed {
        run: named,
        error: error.clone(),
    };
    publish_end(connection, &run, org, facts, at)
}

/// Publishes the end of a run. The event id is derived from the run id, because a run ends only once.
fn publish_end(
    connection: &mut AnyConnection,
    run: &RunId,
    org_id: OrgId,
    facts: EventFacts,
    at: DateTime<Utc>,
) -> Result<(), StorageError> {
    let event = Event {
        id: EventId::of_the_end_of(run),
        org_id,
        at,
        facts,
    };
    record(connection, &event, &OwnIds::at(at)?)
}

fn name(connection: &mut AnyConnection, run_id: &str) -> Result<(OrgId, RunNamed), StorageError> {
    let (org, site, url, trigger): (String, String, String, String) = runs::table
        .find(run_id)
        .select((runs::org_id, runs::site_id, runs::url, runs::trigger_kind))
        .get_result(connection)?;
    let named = RunNamed {
        id: known("run", run_id, RunId::parse(run_id))?,
        site_id: known("site", &site, SiteId::parse(&site))?,
        url,
        trigger: known("trigger", &trigger, Trigger::named(&trigger))?,
    };
    Ok((known("organization", &org, OrgId::parse(&org))?, named))
}

fn record(connection: &mut AnyConnection, event: &Event, ids: &OwnIds) -> Result<(), StorageError> {
    insert(connection, event)?;
    for webhook in wanted_by(connection, event)? {
        insert_delivery(connection, event, &webhook, ids)?;
    }
    Ok(())
}

/// Stores an event for one webhook, subscribed or not. The caller must have locked the webhook.
pub(crate) fn record_for(
    connection: &mut AnyConnection,
    event: &Event,
    webhook: &WebhookId,
) -> Result<Delivery, StorageError> {
    insert(connection, event)?;
    insert_delivery(connection, event, webhook, &OwnIds::at(event.at)?)
}

fn insert(connection: &mut AnyConnection, event: &Event) -> Result<(), StorageError> {
    diesel::insert_into(events::table)
        .values((
            events::id.eq(event.id.as_str()),
            events::org_id.eq(event.org_id.as_str()),
            events::kind.eq(event.kind().as_str()),
            events::facts.eq(facts::to_json(&event.facts)?),
            events::created_at.eq(stored_time(event.at)),
        ))
        .execute(connection)?;
    Ok(())
}

/// Returns the enabled webhooks that subscribe to an event, locked until the transaction ends. A webhook that is
/// disabled or removed concurrently changes either before or after.
fn wanted_by(
    connection: &mut AnyConnection,
    event: &Event,
) -> Result<Vec<WebhookId>, StorageError> {
    let query = webhooks::table
        .filter(webhooks::org_id.eq(event.org_id.as_str()))
        .filter(webhooks::state.eq(WebhookState::Enabled.as_str()))
        .order((webhooks::created_at, webhooks::id))
        .select((webhooks::id, webhooks::events));
    let rows: Vec<(String, String)> = match connection {
        AnyConnection::Sqlite(sqlite) => query.load(sqlite)?,
        AnyConnection::Postgres(postgres) => query.for_share().load(postgres)?,
    };
    let wanted = rows
        .into_iter()
        .filter(|(_, events)| has_event(events, event.kind()));
    wanted
        .map(|(id, _)| known("webhook", &id, WebhookId::parse(&id)))
        .collect()
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = events)]
pub(crate) struct EventRow {
    id: String,
    org_id: String,
    facts: String,
    created_at: NaiveDateTime,
}

impl EventRow {
    pub(crate) fn read(self) -> Result<Event, StorageError> {
        Ok(Event {
            id: known("event", &self.id, EventId::parse(&self.id))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            at: self.created_at.and_utc(),
            facts: facts::from_json(&self.facts)?,
        })
    }
}

/// Returns all events of an organization, oldest first.
pub(crate) fn load(
    connection: &mut AnyConnection,
    org: &OrgId,
) -> Result<Vec<Event>, StorageError> {
    let rows: Vec<EventRow> = events::table
        .filter(events::org_id.eq(org.as_str()))
        .order((events::created_at, events::id))
        .select(EventRow::as_select())
        .load(connection)?;
    rows.into_iter().map(EventRow::read).collect()
}

/// Events of an organization older than a time, without pending deliveries.
macro_rules! forgotten {
    ($org:expr, $before:expr) => {{
        let waiting = deliveries::table
            .filter(deliveries::org_id.eq(events::org_id))
            .filter(deliveries::event_id.eq(events::id))
            .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()));
        events::table
            .filter(events::org_id.eq($org.as_str()))
            .filter(events::created_at.lt(stored_time($before)))
            .filter(not(exists(waiting)))
    }};
}

/// Whether there are expired events to remove.
pub(crate) fn is_any_forgotten(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: DateTime<Utc>,
) -> Result<bool, StorageError> {
    Ok(diesel::select(exists(forgotten!(org, before))).get_result(connection)?)
}

/// Removes the oldest expired events without pending deliveries, together with their ended deliveries.
pub(crate) fn remove_forgotten(
    connection: &mut AnyConnection,
    org: &OrgId,
    before: DateTime<Utc>,
    most: i64,
) -> Result<usize, StorageError> {
    let old: Vec<String> = forgotten!(org, before)
        .order((events::created_at, events::id))
        .limit(most)
        .select(events::id)
        .load(connection)?;
    Ok(diesel::delete(events::table.filter(events::id.eq_any(old))).execute(connection)?)
}
