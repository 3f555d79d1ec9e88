//! What a child may use. It sets its own limits before it reads what a site sends.

/// Limits of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Limits {
    /// Bytes of memory that it may allocate.
    pub(super) memory_bytes: u64,
    /// The process that started it, and with which it ends.
    pub(super) parent: u32,
}

/// How much lower than its parent's the priority of a child is, from 0 to 19: the parent answers
/// callers.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;
/// How much rather than its parent the system ends a child when memory is short, from 0 to 1,000.
#[cfg(target_os = "linux")]
const OOM_SCORE: &str = "800";

impl Limits {
    /// Sets the limits of this process. Elsewhere than on Linux there are none.
    #[cfg(target_os = "linux")]
    pub(super) fn apply(self) -> std::io::Result<()> {
        use rustix::process::{Resource, Rlimit, Signal, getppid, setpriority_process, setrlimit};

        let at_most = |bytes| Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        setrlimit(Resource::Data, at_most(self.memory_bytes))?;
        // What a run holds, as headers with passwords, is for no file.
        setrlimit(Resource::Core, at_most(0))?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        let parent = getppid().map(|parent| parent.as_raw_nonzero().get());
        if parent != i32::try_from(self.parent).ok() {
            return Err(std::io::Error::other("the parent has ended"));
        }
        // Both are a wish: without them an audit is not worse.
        let _ = setpriority_process(None, NICE);
        let _ = std::fs::write("/proc/self/oom_score_adj", OOM_SCORE);
        Ok(())
    }

    /// Sets the limits of this process. Elsewhere than on Linux there are none.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply(self) -> std::io::Result<()> {
        Ok(())
    }
}
