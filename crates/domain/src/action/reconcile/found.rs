//! What a report found of one check.

use super::{NewAction, RunFacts};
use crate::action::{AuditFacts, Description, Evidence, Priority, Reach, Title};
use crate::id::ActionId;
use crate::report::Issue;
use crate::sources::IdSource;
use crate::{Severity, text};

/// The issue of a check.
#[derive(Clone, Copy)]
pub(super) struct Found<'a>(pub(super) &'a Issue);

impl Found<'_> {
    /// Whether there is something to be done.
    pub(super) fn is_work(self) -> bool {
        self.0.severity != Severity::Info && !self.is_waived()
    }

    /// Whether waivers accept all of it.
    pub(super) fn is_waived(self) -> bool {
        self.0.is_waived()
    }

    pub(super) fn facts(self, run: &RunFacts<'_>) -> AuditFacts {
        AuditFacts {
            check_id: self.0.check_id.clone(),
            dimension: self.0.dimension,
            severity: self.0.severity,
            report_id: run.report_id.clone(),
            affected_pages: self.0.affected_pages,
        }
    }

    pub(super) fn evidence(self, run: &RunFacts<'_>) -> Evidence {
        Evidence::new(self.0, run.coverage.mode(), run.now)
    }

    /// The item to open; none where nothing is to be done.
    pub(super) fn open(self, run: &RunFacts<'_>, ids: &dyn IdSource) -> Option<NewAction> {
        if !self.is_work() {
            return None;
        }
        let reach = Reach {
            affected: self.0.affected,
            applicable: self.0.applicable,
        };
        let priority = Priority::from_audit(self.0.severity, reach)?;
        Some(NewAction {
            id: ActionId::make(ids),
            site_id: run.site_id.clone(),
            title: Title::of_finding(&self.title()),
            description: Description::of_issue(self.0),
            priority,
            audit: self.facts(run),
            evidence: self.evidence(run),
            created_at: run.now,
        })
    }

    /// The headline of the largest cause, and how many others there are.
    fn title(self) -> String {
        /// What the number of others needs of a title's length.
        const ROOM: usize = 30;
        let first = self
            .0
            .causes
            .first()
            .map_or(&self.0.title, |cause| &cause.message);
        let others = self.0.causes_total.saturating_sub(1);
        if others == 0 {
            return first.clone();
        }
        let most = crate::action::MAX_TITLE_CHARS - ROOM;
        let first: String = if first.chars().count() > most {
            first.chars().take(most - 1).chain(['…']).collect()
        } else {
            first.clone()
        };
        format!("{first} (and {} more)", text::grouped(others))
    }
}
