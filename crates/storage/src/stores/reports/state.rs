//! The state of issues and causes compared with the previous report of the site.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::prelude::*;
use domain::id::ReportId;
use domain::ports::Claim;
use domain::report::{IssueState, Scores};

use super::changes::{StoredChanges, different_pages};
use super::issues::IssueRow;
use super::source::Source;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{causes, issues, reports};
use crate::database::values::known;
use crate::stores::rows::ScoresRow;

diesel::alias!(causes as earlier_causes: EarlierCauses);

/// The latest report of a site before the one being written.
pub(super) struct EarlierReport {
    source: Source,
    report_id: ReportId,
    scores: Scores,
    /// By check, its dimension and whether all its causes are stored.
    checks: HashMap<String, (String, bool)>,
}

impl EarlierReport {
    /// Finds the latest report of the site of a claim, whose own report is not written yet.
    pub(super) fn find(
        connection: &mut AnyConnection,
        claim: &Claim,
    ) -> Result<Option<Self>, StorageError> {
        let latest: Option<(String, Source, ScoresRow)> = reports::table
            .filter(reports::org_id.eq(claim.org_id.as_str()))
            .filter(reports::site_id.eq(claim.site_id.as_str()))
            .order((reports::created_at.desc(), reports::run_id.desc()))
            .select((reports::id, Source::as_select(), ScoresRow::as_select()))
            .first(connection)
            .optional()?;
        let Some((report_id, source, scores)) = latest else {
            return Ok(None);
        };
        let checks: Vec<(String, String, bool)> = issues::table
            .filter(issues::report_id.eq(&report_id))
            .select((
                issues::check_id,
                issues::dimension,
                issues::causes_stored.ge(issues::causes_total),
            ))
            .load(connection)?;
        let checks = checks.into_iter();
        Ok(Some(Self {
            source,
            scores: scores.read()?,
            report_id: known("report", &report_id, ReportId::parse(&report_id))?,
            checks: checks
                .map(|(check_id, dimension, is_whole)| (check_id, (dimension, is_whole)))
                .collect(),
        }))
    }

    /// What changed in the report that is about to be stored, whose pages are already stored.
    pub(super) fn changes(
        &self,
        connection: &mut AnyConnection,
        now: &Source,
        scores: &Scores,
        issues: &[IssueRow],
    ) -> Result<StoredChanges, StorageError> {
        let mut fixed = BTreeMap::new();
        let checks: HashSet<&str> = issues.iter().map(|issue| issue.check_id.as_str()).collect();
        for (check_id, (dimension, _)) in &self.checks {
            if !checks.contains(check_id.as_str()) {
                *fixed.entry(dimension.clone()).or_default() += 1;
            }
        }
        let mut new = BTreeMap::new();
        for issue in issues {
            if !self.checks.contains_key(&issue.check_id) {
                *new.entry(issue.dimension.clone()).or_default() += 1;
            }
        }
        let pages = different_pages(connection, &self.source, now)?;
        let scores = (&self.scores, scores);
        Ok(StoredChanges::new(
            &self.report_id,
            scores,
            (fixed, new),
            pages,
        ))
    }

    /// Sets the state of issues that are about to be stored, and of their causes, which are already stored.
    pub(super) fn compare(
        &self,
        connection: &mut AnyConnection,
        now: &Source,
        issues: &mut [IssueRow],
    ) -> Result<(), StorageError> {
        let mut unknown = Vec::new();
        for issue in issues {
            let earlier = self.checks.get(&issue.check_id);
            let state = match earlier {
                Some(_) => IssueState::Persisting,
                None => IssueState::New,
            };
            issue.state = Some(state.as_str().to_owned());
            if earlier.is_some_and(|(_, is_whole)| !is_whole) {
                unknown.push(issue.position);
            }
        }
        // A cause missing from the earlier report is not new if that report did not store all causes.
        diesel::update(causes::table)
            .filter(causes::run_id.eq(&now.run_id))
            .filter(causes::epoch.eq(now.epoch))
            .filter(causes::issue_position.ne_all(unknown))
            .set(causes::state.eq(IssueState::New.as_str()))
            .execute(connection)?;
        // Updates row by row instead of a join, so that the planner uses the index for each.
        let earlier = earlier_causes
            .filter(earlier_causes.field(causes::run_id).eq(&self.source.run_id))
            .filter(earlier_causes.field(causes::epoch).eq(self.source.epoch))
            .filter(
                earlier_causes
                    .field(causes::fingerprint)
                    .eq(causes::fingerprint),
            )
            .select(earlier_causes.field(causes::position))
            .single_value();
        diesel::update(causes::table)
            .filter(causes::run_id.eq(&now.run_id))
            .filter(causes::epoch.eq(now.epoch))
            .filter(earlier.is_not_null())
            .set(causes::state.eq(IssueState::Persisting.as_str()))
            .execute(connection)?;
        Ok(())
    }
}
