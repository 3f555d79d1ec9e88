//! The states of a run and their transitions.

use chrono::{DateTime, Utc};

use crate::FailureCode;
use crate::id::ReportId;
use crate::named_enum::named_enum;

named_enum! {
    /// The name of a run's state.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RunStatus {
        /// Waiting for a worker.
        Queued = "queued",
        /// A worker works on it, or will take it up again.
        Running = "running",
        /// It has a report.
        Completed = "completed",
        /// Ended without a report, with the reason.
        Failed = "failed",
        /// Cancelled.
        Cancelled = "cancelled",
    }
}

impl RunStatus {
    /// Whether a run ends here.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }

    /// Whether a run may go from here to `next`. A run that was handed back stays `running` until it
    /// is taken up again.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        match self {
            Self::Queued => matches!(next, Self::Running | Self::Cancelled),
            Self::Running => next.is_final(),
            Self::Completed | Self::Failed | Self::Cancelled => false,
        }
    }
}

/// Why a run has no report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunError {
    /// The reason, from the closed list.
    pub code: FailureCode,
    /// One or two sentences for the person who started it.
    pub message: String,
}

impl RunError {
    /// A fault of ours, without its cause.
    #[must_use]
    pub fn internal() -> Self {
        Self {
            code: FailureCode::Internal,
            message:
                "The audit failed due to an internal error of the service. It is not counted; start it \
                      again, and ask the operator if it fails again."
                    .to_owned(),
        }
    }

    /// The audit ended its worker again and again while it ran alone.
    #[must_use]
    pub fn resource_limit() -> Self {
        Self {
            code: FailureCode::ResourceLimit,
            message:
                "The audit of this site crashed its worker twice while no other audit was running: \
                      it needs more memory than the service allows for one audit. Audit fewer pages, \
                      exclude pages that are too large (`exclude`), or ask the operator for \
                      more memory. The run counts towards the plan's limit."
                    .to_owned(),
        }
    }

    /// The run took longer than it may.
    #[must_use]
    pub fn past_deadline() -> Self {
        Self {
            code: FailureCode::DeadlineExceeded,
            message:
                "The audit took longer than the service allows. Audit fewer pages, or ask the \
                      operator for more time."
                    .to_owned(),
        }
    }
}

/// The state of a run with its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    /// Waiting for a worker.
    Queued,
    /// A worker works on it.
    Running {
        /// Since the first claim.
        started_at: DateTime<Utc>,
    },
    /// It has a report.
    Completed {
        /// When it was first claimed.
        started_at: DateTime<Utc>,
        /// When it ended.
        finished_at: DateTime<Utc>,
        /// The report.
        report_id: ReportId,
    },
    /// It has no report.
    Failed {
        /// When it was first claimed.
        started_at: DateTime<Utc>,
        /// When it ended.
        finished_at: DateTime<Utc>,
        /// Why.
        error: RunError,
    },
    /// Cancelled.
    Cancelled {
        /// When it was first claimed, if it was.
        started_at: Option<DateTime<Utc>>,
        /// When it was cancelled.
        finished_at: DateTime<Utc>,
    },
}

impl RunState {
    /// Its name.
    #[must_use]
    pub const fn status(&self) -> RunStatus {
        match self {
            Self::Queued => RunStatus::Queued,
            Self::Running { .. } => RunStatus::Running,
            Self::Completed { .. } => RunStatus::Completed,
            Self::Failed { .. } => RunStatus::Failed,
            Self::Cancelled { .. } => RunStatus::Cancelled,
        }
    }

    /// When the run was first claimed.
    #[must_use]
    pub const fn started_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Queued => None,
            Self::Running { started_at }
            | Self::Completed { started_at, .. }
            | Self::Failed { started_at, .. } => Some(*started_at),
            Self::Cancelled { started_at, .. } => *started_at,
        }
    }

    /// When the run ended.
    #[must_use]
    pub const fn finished_at(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Queued | Self::Running { .. } => None,
            Self::Completed { finished_at, .. }
            | Self::Failed { finished_at, .. }
            | Self::Cancelled { finished_at, .. } => Some(*finished_at),
        }
    }

    /// Why the run failed.
    #[must_use]
    pub const fn error(&self) -> Option<&RunError> {
        match self {
            Self::Failed { error, .. } => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn these_transitions_and_no_others() {
        let mut possible = Vec::new();
        for from in RunStatus::ALL {
            for to in RunStatus::ALL {
                if from.may_become(to) {
                    possible.push(format!("{} → {}", from.as_str(), to.as_str()));
                }
            }
        }
        assert_eq!(
            possible,
            [
                "queued → running",
                "queued → cancelled",
                "running → completed",
                "running → failed",
                "running → cancelled",
            ]
        );
    }
}
