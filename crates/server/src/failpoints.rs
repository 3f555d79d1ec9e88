//! Faults that tests do to this process, in builds with the feature `failpoints` alone.

use chrono::TimeDelta;

/// Names the place at which the process is to be killed.
const ABORT: &str = "FAILPOINT_ABORT";
/// Names a file with the seconds by which the clock is wrong.
const CLOCK: &str = "FAILPOINT_CLOCK";

/// Arms the place that the environment names.
pub(crate) fn arm() -> Result<(), String> {
    match std::env::var(ABORT) {
        // As with SIGKILL, nothing is written and nothing is tidied up.
        Ok(place) => fail::cfg_callback(place, || std::process::abort()),
        Err(_) => Ok(()),
    }
}

/// By how much the clock is wrong.
pub(crate) fn clock_error() -> TimeDelta {
    let file = std::env::var(CLOCK).ok();
    let text = file.and_then(|file| std::fs::read_to_string(file).ok());
    let seconds = text.and_then(|text| text.trim().parse().ok());
    seconds.map_or(TimeDelta::zero(), TimeDelta::seconds)
}
