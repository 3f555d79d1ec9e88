//! The run and epoch that the causes and occurrences of a report are stored under.

use diesel::prelude::*;
use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::Claim;
use domain::report::Variant;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{issues, reports};
use crate::database::values::known;

/// The run and the epoch that wrote the rows.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = reports)]
pub(super) struct Source {
    pub(super) run_id: String,
    pub(super) epoch: i64,
}

impl Source {
    pub(super) fn of_claim(claim: &Claim) -> Self {
        Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
        }
    }

    /// The source of a report; `None` if the organization has no such report.
    pub(super) fn of_report(
        connection: &mut AnyConnection,
        org: &OrgId,
        report: &ReportId,
    ) -> Result<Option<Self>, StorageError> {
        Ok(reports::table
            .filter(reports::id.eq(report.as_str()))
            .filter(reports::org_id.eq(org.as_str()))
            .select(Self::as_select())
            .get_result(connection)
            .optional()?)
    }
}

/// An issue whose causes or occurrences are listed.
#[derive(Queryable, Selectable)]
#[diesel(table_name = issues)]
pub(super) struct ListedIssue {
    #[diesel(embed)]
    pub(super) source: Source,
    pub(super) position: i64,
    dimension: String,
    pub(super) causes_total: i64,
    pub(super) causes_stored: i64,
    pub(super) occurrences_total: i64,
    pub(super) occurrences_stored: i64,
}

impl ListedIssue {
    /// Finds the issue; `None` if the organization has no such report, the report has no such issue, or the variant
    /// does not show it.
    pub(super) fn find(
        connection: &mut AnyConnection,
        org: &OrgId,
        report: &ReportId,
        issue: &IssueId,
        variant: Variant,
    ) -> Result<Option<Self>, StorageError> {
        let found: Option<Self> = issues::table
            .inner_join(reports::table.on(reports::id.eq(issues::report_id)))
            .filter(issues::id.eq(issue.as_str()))
            .filter(issues::report_id.eq(report.as_str()))
            .filter(reports::org_id.eq(org.as_str()))
            .select(Self::as_select())
            .get_result(connection)
            .optional()?;
        let Some(found) = found else {
            return Ok(None);
        };
        let dimension = found.dimension.parse().ok();
        let dimension = known("dimension", &found.dimension, dimension)?;
        let is_shown = variant.dimensions().contains(&dimension);
        Ok(is_shown.then_some(found))
    }
}
