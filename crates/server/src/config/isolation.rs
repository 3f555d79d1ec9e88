//! Which runs are audited in a process of their own.

/// The setting `worker.isolation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IsolationMode {
    /// Every run.
    Process,
    /// Only runs to which a crash may be charged.
    Thread,
    /// As [`IsolationMode::Process`] where there is more than one organization, else as
    /// [`IsolationMode::Thread`].
    Auto,
}
