//! The resource usage of this process, as reported by Linux.

use anyhow::Context;

/// Ticks per second in `/proc/self/stat`. Every supported Linux has a hundred.
const TICKS_PER_SECOND: f64 = 100.0;

/// Processor time and memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    /// All threads, in user and in kernel mode.
    pub(crate) cpu_seconds: f64,
    /// The largest resident set size.
    pub(crate) peak_mib: f64,
}

/// Reads `/proc/self`.
pub(crate) fn of_this_process() -> anyhow::Result<Usage> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("/proc/self/stat")?;
    let status = std::fs::read_to_string("/proc/self/status").context("/proc/self/status")?;
    Ok(Usage {
        cpu_seconds: ticks(&stat).context("/proc/self/stat has no times")? / TICKS_PER_SECOND,
        peak_mib: peak_kib(&status).context("/proc/self/status has no VmHWM")? / 1024.0,
    })
}

/// The fields 14 and 15. The second field is the program's name in parentheses and may contain any characters.
fn ticks(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some(next()? + next()?)
}

fn peak_kib(status: &str) -> Option<f64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_found_after_any_name() {
        let stat = "1 (a) b (c)) S 2 3 4 5 6 7 8 9 10 11 120 30 14 15";
        assert_eq!(ticks(stat), Some(150.0));
    }

    #[test]
    fn a_process_has_used_memory() {
        assert!(of_this_process().unwrap().peak_mib > 0.0);
    }
}
