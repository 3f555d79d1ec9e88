//! The processes of one browser: started together, ended together.

use std::collections::VecDeque;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::profile::ProfileFolder;
use crate::bounds::browser::{BROWSER_CLOSE_TIMEOUT, MAX_BROWSER_STDERR_BYTES};

/// Starts the browser with descriptors 3 and 4 for its pipe, which the standard library cannot hand to a child.
///
/// A browser reserves more memory than it uses, so it does without a limit that the engine has set for itself.
///
/// The shell stays until the browser has ended. If the engine is killed, its ends of the pipe close, the browser
/// ends for want of them, and the shell removes the profile and ends what is left of the process group.
const GUARD: &str = r#"
profile=$1
shift
exec 3<&0 4>&1 0</dev/null 1>/dev/null
ulimit -S -d "$(ulimit -H -d)" 2>/dev/null
"$@" &
exec 3<&- 4>&-
wait $!
code=$?
rm -rf -- "$profile"
rm -rf -- "$profile"
trap '' TERM
kill -TERM 0
exit $code
"#;

/// How long dropping a browser waits for its processes to end.
const DROP_TIMEOUT: Duration = Duration::from_millis(500);

/// How often that is tried.
const POLL: Duration = Duration::from_millis(5);

/// The processes of a browser. Dropping this kills them and removes the profile.
#[derive(Debug)]
pub(super) struct BrowserProcess {
    shell: Child,
    group: Pid,
    profile: ProfileFolder,
    stderr: StderrTail,
    is_over: bool,
}

/// The engine's ends of the pipe. The browser ends when they are dropped.
pub(super) struct Pipe {
    pub(super) from: ChildStdout,
    pub(super) to: ChildStdin,
}

impl BrowserProcess {
    /// Starts the program. It sees no variable of the engine's environment but the search path.
    pub(super) fn spawn(
        program: &std::path::Path,
        arguments: &[String],
        profile: ProfileFolder,
        search_path: &std::ffi::OsStr,
    ) -> io::Result<(Self, Pipe)> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", GUARD, "sh"])
            .arg(profile.path())
            .arg(program)
            .args(arguments)
            .env_clear()
            .env("PATH", search_path)
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .current_dir(profile.path())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for variable in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(variable, profile.path());
        }
        let mut shell = command.spawn()?;
        let (pid, pipes) = (shell.id(), (shell.stdin.take(), shell.stdout.take()));
        let pid = pid.and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        let (Some(group), (Some(to), Some(from))) = (pid, pipes) else {
            return Err(io::Error::other("the shell has ended"));
        };
        let stderr = StderrTail::default();
        if let Some(source) = shell.stderr.take() {
            tokio::spawn(stderr.clone().fill(source));
        }
        let process = Self {
            shell,
            group,
            profile,
            stderr,
            is_over: false,
        };
        Ok((process, Pipe { from, to }))
    }

    /// The process group of the browser.
    pub(super) const fn group(&self) -> Pid {
        self.group
    }

    /// The last lines that the browser wrote to its standard error.
    pub(super) fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Waits until the browser has ended, at most `most`. Returns whether it has.
    pub(super) async fn ended(&mut self, most: Duration) -> bool {
        let ended = tokio::time::timeout(most, self.shell.wait()).await;
        matches!(ended, Ok(Ok(_)))
    }

    /// Ends a browser that was asked to end, or whose pipe is closed: waits for it, then kills what is left.
    pub(super) async fn close(mut self) {
        if !self.ended(BROWSER_CLOSE_TIMEOUT).await {
            self.kill();
            self.ended(BROWSER_CLOSE_TIMEOUT).await;
        }
        self.end();
    }

    fn kill(&self) {
        // The group may have ended already.
        let _ = kill_process_group(self.group, Signal::KILL);
    }

    /// Kills what is left, and removes the profile when it has ended.
    fn end(&mut self) {
        if std::mem::replace(&mut self.is_over, true) {
            return;
        }
        self.kill();
        let deadline = Instant::now() + DROP_TIMEOUT;
        loop {
            // The shell is a child of this process, so it stays in its group until its end is read.
            let is_shell_over = !matches!(self.shell.try_wait(), Ok(None));
            let is_group_over = test_kill_process_group(self.group).is_err();
            let is_late = Instant::now() >= deadline;
            if (is_shell_over && is_group_over || is_late) && self.profile.remove().is_ok() {
                return;
            }
            if is_late {
                let folder = self.profile.path().display();
                tracing::warn!(%folder, "the profile of a browser was not removed");
                return;
            }
            std::thread::sleep(POLL);
        }
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        self.end();
    }
}

/// The last bytes of a stream.
#[derive(Debug, Clone, Default)]
struct StderrTail(Arc<Mutex<VecDeque<u8>>>);

impl StderrTail {
    async fn fill(self, mut source: impl AsyncRead + Unpin) {
        let mut chunk = [0; 4_096];
        while let Ok(count @ 1..) = source.read(&mut chunk).await {
            self.push(chunk.get(..count).unwrap_or_default());
        }
    }

    fn push(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let excess = kept.len().saturating_sub(MAX_BROWSER_STDERR_BYTES);
        kept.drain(..excess);
    }

    fn text(&self) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_bytes_of_the_standard_error_are_kept() {
        let tail = StderrTail::default();
        let long = format!("first {}last", "x".repeat(3 * MAX_BROWSER_STDERR_BYTES));
        tail.clone().fill(long.as_bytes()).await;
        let kept = tail.text();
        assert_eq!(kept.len(), MAX_BROWSER_STDERR_BYTES);
        assert!(kept.ends_with("last") && !kept.contains("first"));
    }
}
