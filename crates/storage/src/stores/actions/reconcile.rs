//! Reconciles a site's action items with a report, in the transaction that completes the run.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::action::{ActionStatus, Change, RunFacts, TrackedItem, reconcile};
use domain::audit_log::Actor;
use domain::event::EventFacts;
use domain::id::{ActionId, OrgId, SiteId};
use domain::ports::{Claim, CompletedRun, IdSource};

use super::evidence::EvidenceRow;
use super::rows::AuditRow;
use super::{comments, rows};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{actions, runs};
use crate::database::values::{known, stored_time};
use crate::stores::audit_log::{Line, note};
use crate::stores::outbox;
use crate::stores::site_rows;

/// Updates the items of the claim's site to match its report, and returns the item of each issue. The claim must
/// be held.
pub(crate) fn with_report(
    connection: &mut AnyConnection,
    claim: &Claim,
    completed: &CompletedRun,
    ids: &dyn IdSource,
    now: DateTime<Utc>,
) -> Result<Vec<Option<ActionId>>, StorageError> {
    // If two runs complete at once, the second one sees the items that the first one opened.
    site_rows::lock(connection, &claim.org_id, &claim.site_id)?;
    let started_at: Option<NaiveDateTime> = runs::table
        .find(claim.run_id.as_str())
        .select(runs::started_at)
        .get_result(connection)?;
    let facts = RunFacts {
        run_id: &claim.run_id,
        report_id: &completed.report_id,
        site_id: &claim.site_id,
        started_at: started_at.map_or(now, |time| time.and_utc()),
        now,
        coverage: &completed.coverage,
    };
    let items = tracked(connection, &claim.org_id, &claim.site_id)?;
    let reconciled = reconcile(&items, &completed.reports.current.issues, &facts, ids);
    for change in &reconciled.changes {
        apply(connection, &claim.org_id, change)?;
        for told in EventFacts::of_change(change, &facts) {
            outbox::publish(connection, &claim.org_id, now, told)?;
        }
        log(connection, claim, change, now)?;
    }
    Ok(reconciled.action_ids)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = actions)]
struct TrackedRow {
    id: String,
    check_id: Option<String>,
    status: String,
    resolved_at: Option<NaiveDateTime>,
    verified_at: Option<NaiveDateTime>,
    waived_at: Option<NaiveDateTime>,
    #[diesel(embed)]
    evidence: EvidenceRow,
}

impl TrackedRow {
    /// Returns `None` for an item that a person created.
    fn read(self) -> Result<Option<TrackedItem>, StorageError> {
        let (Some(check_id), Some(evidence)) = (self.check_id, self.evidence.read()?) else {
            return Ok(None);
        };
        Ok(Some(TrackedItem {
            id: known("action", &self.id, ActionId::parse(&self.id))?,
            check_id,
            status: known("status", &self.status, ActionStatus::named(&self.status))?,
            resolved_at: self.resolved_at.map(|time| time.and_utc()),
            verified_at: self.verified_at.map(|time| time.and_utc()),
            waived_at: self.waived_at.map(|time| time.and_utc()),
            evidence,
        }))
    }
}

/// Reads the items that audits of a site created, and locks them until the transaction ends. A concurrent change
/// by a person is either visible here or happens later.
fn tracked(
    connection: &mut AnyConnection,
    org: &OrgId,
    site: &SiteId,
) -> Result<Vec<TrackedItem>, StorageError> {
    let of_audits = actions::table
        .filter(actions::org_id.eq(org.as_str()))
        .filter(actions::site_id.eq(site.as_str()))
        .filter(actions::check_id.is_not_null())
        .order(actions::id);
    if let AnyConnection::Postgres(postgres) = connection {
        let query = of_audits.select(actions::id).for_no_key_update();
        let _kept: Vec<String> = query.load(postgres)?;
    }
    let rows: Vec<TrackedRow> = of_audits.select(TrackedRow::as_select()).load(connection)?;
    rows.into_iter()
        .filter_map(|row| row.read().transpose())
        .collect()
}

fn apply(connection: &mut AnyConnection, org: &OrgId, change: &Change) -> Result<(), StorageError> {
    match change {
        Change::Open(new) => {
            let evidence = EvidenceRow::new(&new.evidence);
            rows::insert(connection, &new.item(org), evidence)?;
        }
        Change::Refresh {
            id,
            audit,
            evidence,
        } => {
            diesel::update(actions::table.find(id.as_str()))
                .set((AuditRow::new(audit), EvidenceRow::new(evidence)))
                .execute(connection)?;
        }
        Change::Verify {
            id,
            resolved_at,
            verified_at,
            comment,
        } => {
            diesel::update(actions::table.find(id.as_str()))
                .set((
                    actions::status.eq(ActionStatus::Done.as_str()),
                    actions::resolved_at.eq(stored_time(*resolved_at)),
                    actions::verified_at.eq(stored_time(*verified_at)),
                    actions::updated_at.eq(stored_time(*verified_at)),
                ))
                .execute(connection)?;
            comments::add(connection, org, id, comment)?;
        }
        Change::Dismiss {
            id,
            audit,
            evidence,
            at,
            comment,
        } => {
            diesel::update(actions::table.find(id.as_str()))
                .set((
                    AuditRow::new(audit),
                    EvidenceRow::new(evidence),
                    actions::status.eq(ActionStatus::Dismissed.as_str()),
                    actions::resolved_at.eq(stored_time(*at)),
                    actions::waived_at.eq(stored_time(*at)),
                    actions::updated_at.eq(stored_time(*at)),
                ))
                .execute(connection)?;
            comments::add(connection, org, id, comment)?;
        }
        Change::Reopen {
            id,
            why: _,
            audit,
            evidence,
            at,
            comment,
        } => {
            diesel::update(actions::table.find(id.as_str()))
                .set((
                    AuditRow::new(audit),
                    EvidenceRow::new(evidence),
                    actions::status.eq(ActionStatus::Open.as_str()),
                    actions::resolved_at.eq(None::<NaiveDateTime>),
                    actions::verified_at.eq(None::<NaiveDateTime>),
                    actions::updated_at.eq(stored_time(*at)),
                ))
                .execute(connection)?;
            comments::add(connection, org, id, comment)?;
        }
    }
    Ok(())
}

/// Adds audit log lines for what the audit did to an item. New evidence alone is not logged.
fn log(
    connection: &mut AnyConnection,
    claim: &Claim,
    change: &Change,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    let Some((event, action)) = change.event() else {
        return Ok(());
    };
    let line = Line {
        event,
        subject: action.as_str(),
        detail: claim.run_id.to_string(),
    };
    note(connection, &claim.org_id, now, &Actor::System, &line)
}
