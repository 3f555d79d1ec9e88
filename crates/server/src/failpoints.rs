//! Fault injection for tests, only in builds with the feature `failpoints`.

use chrono::TimeDelta;

/// The variable that names the failpoint at which the process kills itself.
const ABORT: &str = "FAILPOINT_ABORT";
/// The variable that names a file with the clock error in seconds.
const CLOCK: &str = "FAILPOINT_CLOCK";

/// Arms the failpoint that the environment names.
pub(crate) fn arm() {
    if let Ok(place) = std::env::var(ABORT) {
        storage::arm_failpoint(place);
    }
}

/// Returns the clock error.
pub(crate) fn clock_error() -> TimeDelta {
    let file = std::env::var(CLOCK).ok();
    let text = file.and_then(|file| std::fs::read_to_string(file).ok());
    let seconds = text.and_then(|text| text.trim().parse().ok());
    seconds.map_or(TimeDelta::zero(), TimeDelta::seconds)
}

/// The audit of a site whose URL contains this text aborts its process after the first page.
const ABORTS: &str = "/failpoint-abort/";
/// The audit of a site whose URL contains this text allocates memory until the process reaches its limit.
const ALLOCATES: &str = "/failpoint-memory/";
/// Size of one allocation: 16 MiB.
const PIECE: usize = 16 << 20;

/// Simulates an exploit of a fault by a hostile site.
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
