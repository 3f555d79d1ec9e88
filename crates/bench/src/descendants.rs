//! The processor time of the processes that this one started, as reported by Linux.

use std::collections::HashMap;

use anyhow::Context;

/// Ticks per second in `/proc/PID/stat`. Every supported Linux has a hundred.
const TICKS_PER_SECOND: f64 = 100.0;

/// Seconds of processor time of all descendants that run, and of their children that have ended.
pub(crate) fn cpu_seconds() -> anyhow::Result<f64> {
    let mut processes = HashMap::new();
    for entry in std::fs::read_dir("/proc").context("/proc")? {
        let name = entry.context("/proc")?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        // A process may have ended since.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        if let Some(process) = stat.ok().as_deref().and_then(process) {
            processes.insert(pid, process);
        }
    }
    let own = std::process::id();
    let mine = processes
        .iter()
        .filter(|(pid, _)| descends(**pid, own, &processes));
    Ok(mine.map(|(_, (_, ticks))| ticks).sum::<f64>() / TICKS_PER_SECOND)
}

fn descends(pid: u32, ancestor: u32, processes: &HashMap<u32, (u32, f64)>) -> bool {
    let mut at = pid;
    // Parents that were read at different moments could form a circle.
    for _ in 0..processes.len() {
        match processes.get(&at) {
            Some((parent, _)) if *parent == ancestor => return true,
            Some((parent, _)) => at = *parent,
            None => return false,
        }
    }
    false
}

/// The parent, and the ticks of the process and of its ended children: the fields 4 and 14 to 17. The second field is the
/// program's name in parentheses and may contain any characters.
fn process(stat: &str) -> Option<(u32, f64)> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(1);
    let parent = fields.next()?.parse().ok()?;
    let ticks: Vec<f64> = fields
        .skip(9)
        .take(4)
        .filter_map(|ticks| ticks.parse().ok())
        .collect();
    (ticks.len() == 4).then(|| (parent, ticks.iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_process_and_its_ended_children_is_found_after_any_name() {
        let stat = "9 (a) b (c)) S 2 3 4 5 6 7 8 9 10 11 120 30 14 15 20 0";
        assert_eq!(process(stat), Some((2, 179.0)));
    }

    #[test]
    fn only_descendants_count() {
        let processes = HashMap::from([(2, (1, 5.0)), (3, (2, 5.0)), (4, (9, 5.0)), (9, (4, 5.0))]);
        assert!(descends(3, 1, &processes));
        assert!(!descends(4, 1, &processes), "a circle ends");
    }
}
