//! Watches the memory of a browser's processes.
//!
//! Buffers and images grow beside the heap of a page's scripts, which has a limit of its own. A limit on address space
//! would not do: a browser reserves tens of gigabytes of it.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::task::JoinHandle;

/// How often the memory is read. A page that fills canvases takes more than a gigabyte in a second.
const INTERVAL: Duration = Duration::from_millis(250);

/// How long the browser may stay above its limit while its largest page ends.
const MOST_ABOVE: Duration = Duration::from_secs(2);

/// Processes of pages that a browser has at most. A page that opens windows has one more for each, and none of them is large.
const MAX_PAGE_PROCESSES: usize = 100;

/// A process of a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    pid: Pid,
    /// Bytes, its share of what it has in common with others included.
    bytes: u64,
    /// Whether it shows pages.
    is_renderer: bool,
}

/// What is done about the memory of a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Nothing,
    /// The process ends, and with it its page.
    EndPage(Pid),
    /// The browser ends.
    EndBrowser,
}

/// Watches until it is dropped.
#[derive(Debug)]
pub(super) struct MemoryWatch(JoinHandle<()>);

impl MemoryWatch {
    /// Watches the processes of a group. They use at most `limit` bytes together.
    pub(super) fn start(group: Pid, limit: u64) -> Self {
        Self(tokio::spawn(async move {
            let mut above_since: Option<Instant> = None;
            loop {
                tokio::time::sleep(INTERVAL).await;
                let read = tokio::task::spawn_blocking(move || {
                    let roughly = processes(group, resident);
                    if has_too_many_pages(&roughly) {
                        return Measure::EndBrowser;
                    }
                    if measure(&roughly, limit, Duration::ZERO) == Measure::Nothing {
                        return Measure::Nothing;
                    }
                    // What is exact takes longer to read: of a hundred processes some tenths of a second.
                    let exact = processes(group, proportional);
                    let above_for = above_since.map_or(Duration::ZERO, |since| since.elapsed());
                    measure(&exact, limit, above_for)
                });
                let measure = read.await;
                above_since = match measure {
                    Ok(Measure::EndPage(_)) => above_since.or_else(|| Some(Instant::now())),
                    _ => None,
                };
                // The process may have exited in the meantime.
                match measure {
                    Ok(Measure::EndPage(pid)) => {
                        tracing::info!("a page uses too much memory and is ended");
                        let _ = kill_process(pid, Signal::KILL);
                    }
                    Ok(Measure::EndBrowser) => {
                        tracing::warn!(
                            "the browser uses too much memory or too many processes, and is ended"
                        );
                        let _ = kill_process_group(group, Signal::KILL);
                    }
                    Ok(Measure::Nothing) => {}
                    Err(_) => return,
                }
            }
        }))
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Whether pages have more processes than a browser may have.
fn has_too_many_pages(processes: &[Process]) -> bool {
    let pages = processes.iter().filter(|process| process.is_renderer);
    pages.count() > MAX_PAGE_PROCESSES
}

/// At the limit the largest page ends. The browser ends at one and a half times the limit, if there is no page to end, or if
/// it has been above the limit for too long.
fn measure(processes: &[Process], limit: u64, above_for: Duration) -> Measure {
    let all: u64 = processes.iter().map(|process| process.bytes).sum();
    if all < limit {
        return Measure::Nothing;
    }
    let pages = processes.iter().filter(|process| process.is_renderer);
    match pages.max_by_key(|process| process.bytes) {
        Some(largest) if all < limit.saturating_add(limit / 2) && above_for < MOST_ABOVE => {
            Measure::EndPage(largest.pid)
        }
        _ => Measure::EndBrowser,
    }
}

/// The processes of a group. On systems without `/proc` there are none, and nothing is watched.
#[expect(
    clippy::disallowed_methods,
    reason = "the engine's own processes, not files of a site"
)]
fn processes(group: Pid, memory: impl Fn(&Path) -> u64) -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let own = entries.flatten().filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let folder = entry.path();
        let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
        (group_in(&stat)? == group.as_raw_nonzero().get()).then_some(())?;
        let line = std::fs::read(folder.join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line);
        Some(Process {
            pid: Pid::from_raw(pid)?,
            bytes: memory(&folder),
            is_renderer: line.contains("--type=renderer"),
        })
    });
    own.collect()
}

/// The process group: the third field after the name, which is in parentheses (proc_pid_stat(5)).
fn group_in(stat: &str) -> Option<i32> {
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(2)?.parse().ok()
}

/// What is resident: an upper limit, because all count what they share.
#[expect(
    clippy::disallowed_methods,
    reason = "the engine's own processes, not files of a site"
)]
fn resident(folder: &Path) -> u64 {
    let status = std::fs::read_to_string(folder.join("status")).ok();
    let resident = status.and_then(|text| bytes_in(&text, "VmRSS:"));
    resident.unwrap_or(0)
}

/// The proportional set size, or where it cannot be read the memory that is not of files: the system hides the first of
/// processes in a sandbox.
#[expect(
    clippy::disallowed_methods,
    reason = "the engine's own processes, not files of a site"
)]
fn proportional(folder: &Path) -> u64 {
    let line = |file: &str, name: &str| {
        let text = std::fs::read_to_string(folder.join(file)).ok()?;
        bytes_in(&text, name)
    };
    let own = line("smaps_rollup", "Pss:").or_else(|| line("status", "RssAnon:"));
    own.unwrap_or(0)
}

/// The size on the line that begins with this name, in kibibytes (proc_pid_smaps(5), proc_pid_status(5)).
fn bytes_in(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kibibytes.saturating_mul(1_024))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    fn process(pid: i32, megabytes: u64, is_renderer: bool) -> Process {
        Process {
            pid: Pid::from_raw(pid).unwrap(),
            bytes: megabytes * MB,
            is_renderer,
        }
    }

    #[test]
    fn the_largest_page_ends_at_the_limit_and_the_browser_at_half_as_much_again() {
        let with = |megabytes| {
            let all = [
                process(1, 300, false),
                process(2, megabytes, true),
                process(3, 100, true),
            ];
            measure(&all, 1_000 * MB, Duration::ZERO)
        };
        assert_eq!(with(599), Measure::Nothing);
        assert_eq!(with(600), Measure::EndPage(Pid::from_raw(2).unwrap()));
        assert_eq!(with(1_099), Measure::EndPage(Pid::from_raw(2).unwrap()));
        assert_eq!(with(1_100), Measure::EndBrowser);
        let without_pages = [process(1, 1_000, false)];
        assert_eq!(
            measure(&without_pages, 1_000 * MB, Duration::ZERO),
            Measure::EndBrowser
        );
    }

    #[test]
    fn the_browser_ends_if_it_stays_above_the_limit_while_its_pages_end() {
        let windows: Vec<_> = (2..50).map(|pid| process(pid, 25, true)).collect();
        let after = |above_for| measure(&windows, 1_000 * MB, above_for);
        let briefly = MOST_ABOVE.saturating_sub(Duration::from_millis(1));
        assert!(matches!(after(briefly), Measure::EndPage(_)));
        assert_eq!(after(MOST_ABOVE), Measure::EndBrowser);
        assert_eq!(measure(&windows, 2_000 * MB, MOST_ABOVE), Measure::Nothing);
    }

    #[test]
    fn the_number_of_processes_of_pages_is_bounded() {
        let mut processes = vec![process(1, 1, false)];
        processes.extend(
            (2..)
                .map(|pid| process(pid, 1, true))
                .take(MAX_PAGE_PROCESSES),
        );
        assert!(!has_too_many_pages(&processes));
        processes.push(process(1_000, 1, true));
        assert!(has_too_many_pages(&processes));
    }

    #[test]
    fn what_the_system_says_is_read() {
        let stat = "42 (a) b (c)) S 1 4242 4242 0 -1";
        assert_eq!(group_in(stat), Some(4_242));
        assert_eq!(group_in("42"), None);
        let rollup =
            "00-ff ---p 0 00:00 0 [rollup]\nRss: 900 kB\nPss:    512 kB\nPss_Dirty: 1 kB\n";
        assert_eq!(bytes_in(rollup, "Pss:"), Some(512 * 1_024));
        assert_eq!(bytes_in("", "Pss:"), None);
        let status = "VmRSS:\t 900 kB\nRssAnon:\t     380 kB\n";
        assert_eq!(bytes_in(status, "RssAnon:"), Some(380 * 1_024));
    }

    #[tokio::test]
    async fn processes_are_found_by_their_group() {
        let own = rustix::process::getpgrp();
        let this = rustix::process::getpid();
        let bytes = |memory: fn(&Path) -> u64| {
            let found = processes(own, memory);
            let this = found.iter().find(|process| process.pid == this).unwrap();
            assert!(!this.is_renderer);
            this.bytes
        };
        if cfg!(target_os = "linux") {
            let exact = bytes(proportional);
            assert!(exact > MB && bytes(resident) >= exact);
        }
    }
}
