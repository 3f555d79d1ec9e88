//! Resource limits of a child process. It sets its own limits before it reads anything that a site sends.

/// Limits of a child process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Limits {
    /// Maximum memory that it may allocate, in bytes.
    pub(super) memory_bytes: u64,
    /// The parent process; the child ends with it.
    pub(super) parent: u32,
}

/// The nice value of a child relative to its parent, from 0 to 19: the parent serves requests and has priority.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;
/// The OOM score of a child, from 0 to 1,000: if memory is short, the system kills it rather than its parent.
#[cfg(target_os = "linux")]
const OOM_SCORE: &str = "800";

impl Limits {
    /// Applies the limits to this process. Only Linux supports them.
    #[cfg(target_os = "linux")]
    pub(super) fn apply(self) -> std::io::Result<()> {
        use rustix::process::{
            Resource, Rlimit, Signal, getppid, getrlimit, setpriority_process, setrlimit,
        };

        // Its browser, whose memory is watched, does without this limit.
        let memory = Rlimit {
            current: Some(self.memory_bytes),
            ..getrlimit(Resource::Data)
        };
        setrlimit(Resource::Data, memory)?;
        // A core dump would write the run's data, such as headers with passwords, to a file.
        let no_dump = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        setrlimit(Resource::Core, no_dump)?;
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        let parent = getppid().map(|parent| parent.as_raw_nonzero().get());
        if parent != i32::try_from(self.parent).ok() {
            return Err(std::io::Error::other("the parent has ended"));
        }
        // Best effort: the audit works without them.
        let _ = setpriority_process(None, NICE);
        let _ = std::fs::write("/proc/self/oom_score_adj", OOM_SCORE);
        Ok(())
    }

    /// Applies the limits to this process. Only Linux supports them.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn apply(self) -> std::io::Result<()> {
        Ok(())
    }
}
