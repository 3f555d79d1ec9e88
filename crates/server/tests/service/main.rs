//! End-to-end tests of the service: the real binary, a site on loopback, both databases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a failed expectation ends the test, and tests are HTTP clients of the service"
)]

mod actions;
mod administration;
mod agents;
mod audits;
mod bad_requests;
mod cancelling;
mod caps;
mod client;
mod commands;
mod documents;
mod first_start;
mod headers;
mod isolation;
mod matrix;
mod operate;
mod processes;
mod rendered;
mod running;
mod shutdown;
mod waivers;
mod webhooks;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use client::Client;
use serde_json::Value;
use storage::{Database, DatabaseOptions};
use testkit::{LoopbackServer, TestDatabase, TestPostgres, TestResponse};

/// The database of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgresql,
}

/// An isolated environment for a service: a folder and, for PostgreSQL, a database.
struct Home {
    folder: PathBuf,
    database: Option<TestDatabase>,
}

/// Makes the schema in an empty PostgreSQL database.
fn migrate(url: &str) {
    let database = Database::connect(&url.parse().unwrap(), &DatabaseOptions::default()).unwrap();
    database.migrate().unwrap();
}

impl Home {
    /// A new folder, and a database whose schema is there, if it is PostgreSQL.
    fn new(kind: Kind) -> Self {
        Self::with(kind, || TestPostgres::migrated(migrate))
    }

    /// A new folder, and an empty database, as before the first start.
    fn empty(kind: Kind) -> Self {
        Self::with(kind, TestPostgres::database)
    }

    fn with(kind: Kind, postgresql: impl FnOnce() -> TestDatabase) -> Self {
        let folder = std::env::temp_dir().join(format!(
            "assay-service-{}-{:?}-{kind:?}",
            std::process::id(),
            std::thread::current().id(),
        ));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self {
            folder,
            database: (kind == Kind::Postgresql).then(postgresql),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A command that uses this database.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command
            .args(arguments)
            .arg("--data-dir")
            .arg(self.path("data"))
            .current_dir(&self.folder)
            .env("ASSAY_WORKER__LEASE_SECONDS", "3")
            .env("ASSAY_WORKER__HEARTBEAT_SECONDS", "1")
            .env("ASSAY_WORKER__REAPER_SECONDS", "1")
            // Tests of rendered mode turn the browser on.
            .env("ASSAY_BROWSER__RUNS", "off")
            // Tests send requests without pause; tests of the rate limit enable it.
            .env("ASSAY_RATE_LIMIT__ENABLED", "false");
        if let Some(database) = &self.database {
            command.args(["--database-url", database.url()]);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Returns the output of a command without the trailing line break.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    /// Executes SQL without the service.
    fn execute(&self, sql: &str) {
        use diesel::Connection;
        use diesel::connection::SimpleConnection;

        match &self.database {
            Some(database) => {
                let mut connection = diesel::PgConnection::establish(database.url()).unwrap();
                connection.batch_execute(sql).unwrap();
            }
            None => {
                let file = self.path("data/assay.db");
                let file = file.to_str().unwrap();
                let mut connection = diesel::SqliteConnection::establish(file).unwrap();
                connection
                    .batch_execute("PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;")
                    .unwrap();
                connection.batch_execute(sql).unwrap();
            }
        }
    }

    /// Reverts the last migration of an SQLite database.
    fn undo_last_migration(&self) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/sqlite");
        let entries = std::fs::read_dir(&folder).unwrap();
        let last = entries.map(|entry| entry.unwrap().path()).max().unwrap();
        self.execute(&std::fs::read_to_string(last.join("down.sql")).unwrap());
        let name = last.file_name().unwrap().to_str().unwrap().to_owned();
        let version = name.split('_').next().unwrap().replace('-', "");
        self.execute(&format!(
            "DELETE FROM __diesel_schema_migrations WHERE version = '{version}'"
        ));
    }

    fn serve(&self, further: &[&str]) -> Service {
        self.serve_with(further, &[])
    }

    /// Starts the service with additional settings from the environment.
    fn serve_with(&self, further: &[&str], environment: &[(&str, &str)]) -> Service {
        let key_file = self.path("key");
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--bootstrap-key-file"];
        arguments.push(key_file.to_str().unwrap());
        arguments.extend(further);
        let mut command = self.command(&arguments);
        command.envs(environment.iter().copied());
        Service::start(command, &key_file)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A running service.
struct Service {
    child: Child,
    address: String,
    key_file: PathBuf,
    log: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Service {
    fn start(command: Command, key_file: &Path) -> Self {
        Self::start_until(command, key_file, "listening")
    }

    /// Starts a process, and waits until it logs that it has started.
    fn start_until(mut command: Command, key_file: &Path, started: &str) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let mut address = None;
        for line in lines.by_ref() {
            let line = line.unwrap();
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            log.lock().unwrap().push_str(&format!("{line}\n"));
            if event["message"] == started {
                address = Some(event["address"].as_str().unwrap_or_default().to_owned());
                break;
            }
        }
        let Some(address) = address else {
            panic!("the service did not start: {}", log.lock().unwrap());
        };
        let further = Arc::clone(&log);
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                further.lock().unwrap().push_str(&format!("{line}\n"));
            }
        });
        Self {
            child,
            address,
            key_file: key_file.to_owned(),
            log,
            reader: Some(reader),
        }
    }

    fn key(&self) -> String {
        std::fs::read_to_string(&self.key_file)
            .unwrap()
            .trim()
            .to_owned()
    }

    /// A client with the first key.
    fn client(&self) -> Client {
        Client::new(&self.address, &self.key())
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for a log line that contains the text.
    fn wait_for_log(&self, words: &str) {
        let end = Instant::now() + Duration::from_secs(60);
        while !self.log.lock().unwrap().contains(words) {
            assert!(
                Instant::now() < end,
                "{words}: {}",
                self.log.lock().unwrap()
            );
            std::thread::yield_now();
        }
    }

    /// Waits for the end; returns the exit status and the whole log.
    fn wait(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        let log = self.log.lock().unwrap().clone();
        (status.code(), log)
    }

    /// Stops the service with a signal.
    fn stop(self) -> (Option<i32>, String) {
        self.signal("TERM");
        self.wait()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A site of four pages with findings.
fn site() -> LoopbackServer {
    LoopbackServer::start(|request| match request.target.as_str() {
        "/" => page(
            "Home",
            "<a href=/a>A</a><a href=/b>B</a><a href=/gone>Gone</a>",
        ),
        "/a" => page("A", "<img src=/x.png><a href=/c>C</a>"),
        "/b" => page("B", "<h3>Deep</h3><a href=/>Home</a>"),
        "/c" => page("C", "<p>Words</p>"),
        _ => TestResponse::new(404, "nothing"),
    })
    .unwrap()
}

fn page(title: &str, body: &str) -> TestResponse {
    let html = format!("<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{body}");
    TestResponse::new(200, html).header("Content-Type", "text/html; charset=utf-8")
}
