//! Faults that tests do to this process, in builds with the feature `failpoints` alone.

use chrono::TimeDelta;

/// Names the place at which the process is to be killed.
const ABORT: &str = "FAILPOINT_ABORT";
/// Names a file with the seconds by which the clock is wrong.
const CLOCK: &str = "FAILPOINT_CLOCK";

/// Arms the place that the environment names.
pub(crate) fn arm() {
    if let Ok(place) = std::env::var(ABORT) {
        storage::arm_failpoint(place);
    }
}

/// By how much the clock is wrong.
pub(crate) fn clock_error() -> TimeDelta {
    let file = std::env::var(CLOCK).ok();
    let text = file.and_then(|file| std::fs::read_to_string(file).ok());
    let seconds = text.and_then(|text| text.trim().parse().ok());
    seconds.map_or(TimeDelta::zero(), TimeDelta::seconds)
}

/// An audit of a site whose URL holds this aborts its process, once a page was audited.
const ABORTS: &str = "/failpoint-abort/";
/// An audit of a site whose URL holds this allocates until the process may have no more memory.
const ALLOCATES: &str = "/failpoint-memory/";
/// What is allocated at once: 16 MiB.
const PIECE: usize = 16 << 20;

/// Does what a hostile site would find a fault for.
pub(crate) fn hostile_site(url: &str, progress: &domain::run::RunProgress) {
    if progress.pages_audited == 0 {
        return;
    }
    if url.contains(ABORTS) {
        std::process::abort();
    }
    if url.contains(ALLOCATES) {
        let mut pieces = Vec::new();
        loop {
            pieces.push(vec![1_u8; PIECE]);
            std::hint::black_box(&pieces);
        }
    }
}
