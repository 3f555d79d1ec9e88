//! What a report found of one check.

use std::collections::{BTreeMap, BTreeSet};

use super::{NewAction, RunFacts};
use crate::action::evidence::pages_of;
use crate::action::{AuditFacts, Description, Evidence, Priority, Reach, Title};
use crate::id::ActionId;
use crate::ports::IdSource;
use crate::report::Issue;
use crate::{Severity, text};

/// The issues of one check, worst first; never none.
pub(super) struct Found<'a> {
    worst: &'a Issue,
    all: Vec<&'a Issue>,
}

impl<'a> Found<'a> {
    /// The issues of a report, worst first, by their check.
    pub(super) fn by_check(issues: &'a [Issue]) -> BTreeMap<&'a str, Self> {
        let mut found: BTreeMap<&str, Self> = BTreeMap::new();
        for issue in issues {
            found
                .entry(&issue.check_id)
                .and_modify(|known| known.add(issue))
                .or_insert_with(|| Self {
                    worst: issue,
                    all: vec![issue],
                });
        }
        found
    }

    fn add(&mut self, issue: &'a Issue) {
        if issue.severity < self.worst.severity {
            self.worst = issue;
        }
        self.all.push(issue);
    }

    /// Whether there is something to be done.
    pub(super) fn is_work(&self) -> bool {
        self.worst.severity != Severity::Info
    }

    pub(super) fn facts(&self, run: &RunFacts<'_>) -> AuditFacts {
        AuditFacts {
            check_id: self.worst.check_id.clone(),
            dimension: self.worst.dimension,
            severity: self.worst.severity,
            report_id: run.report_id.clone(),
            affected_pages: self.affected_pages(),
        }
    }

    pub(super) fn evidence(&self, run: &RunFacts<'_>) -> Evidence {
        Evidence::of(&self.all, run.coverage.sight(), run.now)
    }

    /// The item to open; none where nothing is to be done.
    pub(super) fn open(&self, run: &RunFacts<'_>, ids: &dyn IdSource) -> Option<NewAction> {
        let reach = Reach {
            affected: self.affected_subjects(),
            applicable: self.worst.applicable,
        };
        let priority = Priority::from_audit(self.worst.severity, reach)?;
        Some(NewAction {
            id: ActionId::make(ids),
            site_id: run.site_id.clone(),
            title: Title::of_finding(&self.title()),
            description: Description::of_issue(self.worst),
            priority,
            audit: self.facts(run),
            evidence: self.evidence(run),
            created_at: run.now,
        })
    }

    /// The causes of one check share pages, so their counts cannot be added: it is at least the
    /// highest, and at least the pages known.
    fn affected_pages(&self) -> u64 {
        let counted = self.all.iter().map(|issue| issue.affected_pages).max();
        counted.unwrap_or_default().max(self.known_pages())
    }

    fn affected_subjects(&self) -> u64 {
        let counted = self.all.iter().map(|issue| issue.affected).max();
        counted
            .unwrap_or_default()
            .max(self.known_pages())
            .min(self.worst.applicable)
    }

    fn known_pages(&self) -> u64 {
        let pages: BTreeSet<_> = self.all.iter().flat_map(|issue| pages_of(issue)).collect();
        u64::try_from(pages.len()).unwrap_or(u64::MAX)
    }

    fn others(&self) -> u64 {
        u64::try_from(self.all.len())
            .unwrap_or(u64::MAX)
            .saturating_sub(1)
    }

    /// The headline of the worst, and how many others there are.
    fn title(&self) -> String {
        /// What the number of others needs of a title's length.
        const ROOM: usize = 30;
        let first = &self.worst.title;
        if self.others() == 0 {
            return first.clone();
        }
        let most = crate::action::MAX_TITLE_CHARS - ROOM;
        let first: String = if first.chars().count() > most {
            first.chars().take(most - 1).chain(['…']).collect()
        } else {
            first.clone()
        };
        format!("{first} (and {} more)", text::grouped(self.others()))
    }
}
