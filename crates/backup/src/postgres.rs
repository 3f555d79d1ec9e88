//! Dumps and restores of PostgreSQL databases, with PostgreSQL's own programs.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use storage::ConnectionString;

use crate::failure::BackupFailure;

/// The most bytes of a program's messages that are kept.
const MAX_MESSAGE_BYTES: u64 = 4_096;

/// Tables whose rows let somebody sign in. Backups do not contain these rows.
const WITHOUT_ROWS: [&str; 3] = ["sessions", "pending_sign_ins", "one_time_links"];

/// The names or paths of PostgreSQL's programs. They must be of the server's major version or a later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresTools {
    /// `pg_dump`.
    pub pg_dump: OsString,
    /// `pg_restore`.
    pub pg_restore: OsString,
}

impl Default for PostgresTools {
    /// The programs found in `PATH`.
    fn default() -> Self {
        Self {
            pg_dump: "pg_dump".into(),
            pg_restore: "pg_restore".into(),
        }
    }
}

/// A running program. It is killed on drop, unless it was waited for.
pub(crate) struct Running {
    name: &'static str,
    child: Child,
    messages: Option<JoinHandle<String>>,
}

impl PostgresTools {
    /// Starts to dump a database to a stream, as a consistent snapshot.
    pub(crate) fn dump(
        &self,
        database: &ConnectionString,
    ) -> Result<(Running, ChildStdout), BackupFailure> {
        let mut command = Command::new(&self.pg_dump);
        command.args(["--format=custom", "--no-owner", "--no-privileges"]);
        for table in WITHOUT_ROWS {
            command.arg(format!("--exclude-table-data={table}"));
        }
        connect(&mut command, database);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut running = Running::start("pg_dump", &mut command).map_err(BackupFailure::Source)?;
        let out = running.child.stdout.take();
        let out = out.ok_or_else(|| BackupFailure::Source("pg_dump has no output".to_owned()))?;
        Ok((running, out))
    }

    /// Starts to restore a stream into an empty database. Without a database, the dump is only read to its end.
    pub(crate) fn restore(
        &self,
        into: Option<&ConnectionString>,
    ) -> Result<(Running, ChildStdin), BackupFailure> {
        let mut command = Command::new(&self.pg_restore);
        command.args(["--no-owner", "--no-privileges", "--exit-on-error"]);
        match into {
            Some(database) => connect(&mut command, database),
            None => {
                command.arg("--file=/dev/null");
            }
        }
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut running =
            Running::start("pg_restore", &mut command).map_err(BackupFailure::Verification)?;
        let input = running.child.stdin.take();
        let input = input
            .ok_or_else(|| BackupFailure::Verification("pg_restore has no input".to_owned()))?;
        Ok((running, input))
    }
}

/// The password is passed in the environment: command lines are visible to all users.
fn connect(command: &mut Command, database: &ConnectionString) {
    command.arg(format!("--dbname={}", database.without_password()));
    if let Some(password) = database.password() {
        command.env("PGPASSWORD", password);
    }
    command.arg("--no-password");
}

impl Running {
    fn start(name: &'static str, command: &mut Command) -> Result<Self, String> {
        command.stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            format!(
                "{name} cannot be started ({error}): install PostgreSQL's client programs of the server's version, and set backup.postgres_bin if they are not in PATH"
            )
        })?;
        let messages = child.stderr.take().map(|stderr| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let mut stderr = stderr;
                drop(
                    stderr
                        .by_ref()
                        .take(MAX_MESSAGE_BYTES)
                        .read_to_end(&mut text),
                );
                // The program must not block on a full pipe.
                drop(std::io::copy(&mut stderr, &mut std::io::sink()));
                String::from_utf8_lossy(&text).into_owned()
            })
        });
        Ok(Self {
            name,
            child,
            messages,
        })
    }

    /// Waits for the end of the program, and returns its messages if it failed.
    pub(crate) fn wait(mut self) -> Result<(), String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let messages = self.messages.take().map(JoinHandle::join);
        if status.success() {
            return Ok(());
        }
        let text = messages.and_then(Result::ok).unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Err(format!("{} failed ({status}): {text}", self.name))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Ended already, if it was waited for.
        if let Ok(None) = self.child.try_wait() {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}

/// Writes to the input of `pg_restore`. If it ended early its message says why, so a broken pipe is no error here.
pub(crate) fn feed(input: &mut ChildStdin, bytes: &[u8]) -> bool {
    input.write_all(bytes).is_ok()
}
