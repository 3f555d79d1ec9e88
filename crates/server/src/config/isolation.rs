//! Which runs are audited in a child process.

/// The setting `worker.isolation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IsolationMode {
    /// Every run.
    Process,
    /// Only suspects: runs that were interrupted by the death of a process.
    Thread,
    /// As [`IsolationMode::Process`] if there are several organizations, else as
    /// [`IsolationMode::Thread`].
    Auto,
}
