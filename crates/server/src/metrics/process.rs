//! Process metrics from the operating system.

use rustix::process::{Resource, getrlimit};

use super::exposition::Exposition;
use super::{float, table};

/// Clock ticks a second in `/proc`, which Linux fixed for programs.
const TICKS: f64 = 100.0;

/// Adds the process metrics. Unavailable values are omitted.
pub(super) fn measure(out: &mut Exposition) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(bytes) = resident_bytes(&status) {
        out.one(table::PROCESS_MEMORY, &[], float(bytes));
    }
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    if let Some(ticks) = cpu_ticks(&stat) {
        out.one(table::PROCESS_CPU, &[], float(ticks) / TICKS);
    }
    if let Ok(entries) = std::fs::read_dir("/proc/self/fd") {
        // One of them is the folder that is being read.
        let open = u64::try_from(entries.count()).unwrap_or(u64::MAX);
        out.one(table::PROCESS_FILES, &[], float(open.saturating_sub(1)));
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        out.one(table::PROCESS_MAX_FILES, &[], float(most));
    }
}

fn resident_bytes(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1_024)
}

/// Returns the CPU ticks from the fields after the process name, which may contain spaces: user and system time are the
/// 12th and the 13th.
fn cpu_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    user.checked_add(system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_metrics_are_parsed() {
        let status = "Name:\tassay\nVmRSS:\t    2048 kB\n";
        assert_eq!(resident_bytes(status), Some(2_097_152));
        assert_eq!(resident_bytes("VmRSS: many"), None);
        let stat = "7 (a b) c) S 1 7 7 0 -1 4194560 1 2 3 4 250 150 0 0 20 0";
        assert_eq!(cpu_ticks(stat), Some(400));
        assert_eq!(cpu_ticks(""), None);
    }
}
