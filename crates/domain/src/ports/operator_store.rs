//! What the operator of an installation sees of all its organizations.

use super::{JobKind, StoreError};
use crate::id::OrgId;
use crate::org::Organization;

/// A page of the list of organizations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrgPage {
    /// The organizations, by id, and so about oldest first.
    pub organizations: Vec<Organization>,
    /// The last of them, if there are more.
    pub next: Option<OrgId>,
}

/// Jobs of a kind that a process works on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerLoad {
    /// The process.
    pub process: String,
    /// The kind of the jobs.
    pub kind: JobKind,
    /// How many it works on.
    pub jobs: u64,
}

/// What the operator of an installation sees of all its organizations.
pub trait OperatorStore: Send + Sync {
    /// The organizations, at most `limit`, from behind one on.
    ///
    /// # Errors
    /// When the database fails.
    fn org_page(&self, after: Option<&OrgId>, limit: u32) -> Result<OrgPage, StoreError>;

    /// What the processes work on, by process and kind, at most `limit`. A process without work is not listed.
    ///
    /// # Errors
    /// When the database fails.
    fn worker_loads(&self, limit: u32) -> Result<Vec<WorkerLoad>, StoreError>;
}
