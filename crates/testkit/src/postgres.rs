//! A PostgreSQL server for tests.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use url::Url;

/// Starts a server that runs as long as its command; see the head of the script.
const WITH_POSTGRES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/with-postgres");

const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations/postgresql");

/// Prints the locations of the server and of `psql`, and runs until standard input is closed.
const TELL_AND_WAIT: &str = r#"echo "$TEST_POSTGRES_URL"; command -v psql; cat >/dev/null"#;

/// The PostgreSQL server of this process: the one in `TEST_POSTGRES_URL`, else one that ends together with the
/// process, even after a crash.
#[derive(Debug)]
pub struct TestPostgres {
    url: Url,
    psql: String,
    /// The script that runs the server. The system closes its standard input when this process ends.
    _script: Option<Child>,
}

impl TestPostgres {
    /// A new empty database. Starts the server if necessary.
    ///
    /// # Panics
    /// If there is no server and none can be started, with the packages to install; and if the server rejects
    /// the statement.
    #[must_use]
    #[expect(clippy::panic, reason = "a test cannot go on, and says why")]
    pub fn database() -> TestDatabase {
        // No connection ever uses template0, so it can be copied at any time.
        let created = Self::server().create_database("template0");
        created.unwrap_or_else(|why| panic!("{why}"))
    }

    /// A new database with all migrations, copied from a template. The first test of a server creates the
    /// template with `migrate`, which receives the URL of an empty database and must have closed its
    /// connections when it returns. A permanent server keeps the template until there is another migration.
    ///
    /// # Panics
    /// As [`Self::database`].
    #[must_use]
    pub fn migrated(migrate: impl FnOnce(&str)) -> TestDatabase {
        Self::copy_of(&template_name(), migrate)
    }

    #[expect(clippy::panic, reason = "a test cannot go on, and says why")]
    fn copy_of(template: &str, prepare: impl FnOnce(&str)) -> TestDatabase {
        let server = Self::server();
        server.create_database(template).unwrap_or_else(|_| {
            let draft = Self::database();
            prepare(draft.url());
            let name = &draft.name;
            // Fails if another process was faster. Its template is equivalent.
            let renamed = server.execute(&format!("ALTER DATABASE {name} RENAME TO {template}"));
            let created = server.create_database(template);
            created.unwrap_or_else(|why| panic!("{why} {renamed:?}"))
        })
    }

    fn server() -> &'static Self {
        static SERVER: OnceLock<TestPostgres> = OnceLock::new();
        SERVER.get_or_init(Self::of_this_process)
    }

    fn create_database(&'static self, template: &str) -> Result<TestDatabase, String> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let name = format!(
            "assay_{}_{}_{}",
            std::process::id(),
            since_1970.unwrap_or_default().as_nanos(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        self.execute(&format!("CREATE DATABASE {name} TEMPLATE {template}"))?;
        let mut url = self.url.clone();
        url.set_path(&name);
        Ok(TestDatabase {
            server: self,
            name,
            url,
        })
    }

    fn of_this_process() -> Self {
        match std::env::var("TEST_POSTGRES_URL") {
            Ok(url) => Self::at(&url, "psql", None),
            Err(_) => Self::start(),
        }
    }

    #[expect(clippy::panic, reason = "a test cannot go on, and says why")]
    fn start() -> Self {
        let started = Command::new(WITH_POSTGRES)
            .args(["sh", "-c", TELL_AND_WAIT])
            // An interrupt at the keyboard ends the tests, and the server can still shut down cleanly.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut script = started.unwrap_or_else(|error| panic!("{WITH_POSTGRES}: {error}"));
        let lines: Vec<String> = script.stdout.take().map_or_else(Vec::new, |stdout| {
            let lines = BufReader::new(stdout).lines();
            lines.map_while(Result::ok).take(2).collect()
        });
        if let [url, psql] = lines.as_slice() {
            return Self::at(url, psql, Some(script));
        }
        let mut why = String::new();
        if let Some(mut stderr) = script.stderr.take() {
            let _ = stderr.read_to_string(&mut why);
        }
        let _ = script.wait();
        panic!("there is no PostgreSQL to test on: {}", why.trim());
    }

    #[expect(clippy::panic, reason = "a test cannot go on, and says why")]
    fn at(url: &str, psql: &str, script: Option<Child>) -> Self {
        Self {
            url: Url::parse(url).unwrap_or_else(|error| panic!("TEST_POSTGRES_URL: {error}")),
            psql: psql.to_owned(),
            _script: script,
        }
    }

    /// Executes a statement on the server. Returns the reason for a failure.
    fn execute(&self, sql: &str) -> Result<(), String> {
        let done = Command::new(&self.psql)
            .args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql])
            .arg(self.url.as_str())
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("psql, of Debian's postgresql-client: {error}"))?;
        if done.status.success() {
            Ok(())
        } else {
            Err(format!("{sql}: {}", String::from_utf8_lossy(&done.stderr)))
        }
    }
}

/// The name of the template depends on the migrations: another migration makes another template.
#[expect(clippy::panic, reason = "a test cannot go on, and says why")]
fn template_name() -> String {
    let read = || -> std::io::Result<Vec<Vec<u8>>> {
        let entries = std::fs::read_dir(MIGRATIONS)?;
        let paths = entries.map(|entry| Ok(entry?.path().join("up.sql")));
        let mut paths: Vec<_> = paths.collect::<std::io::Result<_>>()?;
        paths.sort();
        paths.iter().map(std::fs::read).collect()
    };
    let migrations = read().unwrap_or_else(|error| panic!("{MIGRATIONS}: {error}"));
    let mut hasher = DefaultHasher::new();
    migrations.hash(&mut hasher);
    format!("assay_template_{:016x}", hasher.finish())
}

/// The database of one test. Dropping it drops the database, even if there are connections.
#[derive(Debug)]
pub struct TestDatabase {
    server: &'static TestPostgres,
    name: String,
    url: Url,
}

impl TestDatabase {
    /// Its URL: `postgres://…`.
    #[must_use]
    pub fn url(&self) -> &str {
        self.url.as_str()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // A stopped server needs no cleanup, and a failed test reports its own failure.
        let name = &self.name;
        let _ = (self.server).execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(url: &str, sql: &str) -> String {
        let server = TestPostgres::database();
        let answer = Command::new(&server.server.psql)
            .args(["-XAtc", sql, url])
            .output()
            .unwrap();
        String::from_utf8(answer.stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn a_template_is_made_once_and_copied() {
        let made = AtomicU64::new(0);
        let prepare = |url: &str| {
            made.fetch_add(1, Ordering::Relaxed);
            select(url, "CREATE TABLE t ()");
        };
        let template = format!("assay_template_of_{}", std::process::id());
        let copies = [(); 3].map(|()| TestPostgres::copy_of(&template, prepare));
        assert_eq!(made.load(Ordering::Relaxed), 1);
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
        for copy in &copies {
            assert_eq!(select(copy.url(), tables), "1");
        }
        let dropped = TestPostgres::server().execute(&format!("DROP DATABASE {template}"));
        assert_eq!(dropped, Ok(()));
    }

    #[test]
    fn databases_are_empty_apart_and_dropped() {
        let (one, other) = (TestPostgres::database(), TestPostgres::database());
        assert_ne!(one.url(), other.url());
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
        select(one.url(), "CREATE TABLE t ()");
        assert_eq!(select(one.url(), tables), "1");
        assert_eq!(select(other.url(), tables), "0");
        let name = one.name.clone();
        drop(one);
        let there = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'");
        assert_eq!(select(other.url(), &there), "0");
    }
}
