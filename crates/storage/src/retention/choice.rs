//! The retention settings that an organization chose.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::retention::{Keep, RetentionChoice};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::org_retention;
use crate::database::values::number;
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;

type Row = (Option<i64>, Option<i64>);

pub(super) fn load(
    connection: &mut AnyConnection,
    org: &OrgId,
) -> Result<RetentionChoice, StorageError> {
    let row: Option<Row> = org_retention::table
        .find(org.as_str())
        .select((org_retention::reports_days, org_retention::audit_log_days))
        .get_result(connection)
        .optional()?;
    let (reports, audit_log) = row.unwrap_or_default();
    let keep = |days: Option<i64>| {
        days.map(|days| number("number of days", days).map(Keep::days))
            .transpose()
    };
    Ok(RetentionChoice {
        reports: keep(reports)?,
        audit_log: keep(audit_log)?,
    })
}

/// Stores the settings. Returns `false` if there is no such organization.
pub(super) fn set(
    connection: &mut AnyConnection,
    org: &OrgId,
    choice: RetentionChoice,
    at: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    // The lock also prevents the insertion of a second row.
    if !orgs::lock(connection, org)? {
        return Ok(false);
    }
    let days = |keep: Option<Keep>| keep.map(|keep| i64::from(keep.as_days()));
    diesel::delete(org_retention::table.find(org.as_str())).execute(connection)?;
    diesel::insert_into(org_retention::table)
        .values((
            org_retention::org_id.eq(org.as_str()),
            org_retention::reports_days.eq(days(choice.reports)),
            org_retention::audit_log_days.eq(days(choice.audit_log)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "org.retention_changed",
        subject: org.as_str(),
        detail: choice.to_string(),
    };
    note(connection, org, at, by, &line)?;
    Ok(true)
}
