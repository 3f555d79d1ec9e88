//! One connection, to either database.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::{Duration, Instant};

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::{Connection, ConnectionError, PgConnection, QueryResult, SqliteConnection};
use domain::ports::NotReady;

use crate::database::error::{Error, StorageError, not_now};
use crate::database::system_roots::{system_file, with_system_roots};
use crate::database::url::{DatabaseUrl, TARGET_SESSION_ATTRS, lists_several_hosts, parameter};

/// A connection to either database.
///
/// A row that is found by a unique key is read with `get_result`, not with `first`: that one binds a `LIMIT`, and
/// SQLite prepares a statement with a bound `LIMIT` anew each time it runs, which takes longer than the look-up.
#[derive(diesel::MultiConnection)]
pub(crate) enum AnyConnection {
    /// To a file.
    Sqlite(SqliteConnection),
    /// To a server.
    Postgres(PgConnection),
}

/// Runs the same code on the connection of either database. For what Diesel cannot say on both at
/// once: inserts of several rows, `ON CONFLICT`, locks; and for the look-ups of most calls, since
/// `MultiConnection` writes the SQL of a query anew each time it runs, cached or not.
macro_rules! on_either {
    ($connection:expr, $inner:ident => $code:expr) => {
        match $connection {
            $crate::database::connection::AnyConnection::Sqlite($inner) => $code,
            $crate::database::connection::AnyConnection::Postgres($inner) => $code,
        }
    };
}
pub(crate) use on_either;

/// How long a statement on PostgreSQL may take; the longest ones finish a report with thousands of
/// occurrences, in well under a second.
const STATEMENT_TIMEOUT_MS: u32 = 5_000;
/// How long a transaction on PostgreSQL may do nothing. A process that was paused within one loses it,
/// so that nobody waits for its locks longer.
const IDLE_TIMEOUT_MS: u32 = 5_000;
/// How long a statement on SQLite waits for another process. Beginning to write has a wait of its
/// own, see [`in_transaction`].
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a process waits until it tries again to change the journal mode.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(5);

/// Opens a connection.
pub(crate) fn open(url: &DatabaseUrl, connect_timeout: Duration) -> Result<AnyConnection, Error> {
    match url {
        DatabaseUrl::Sqlite(path) => open_file(path).map(AnyConnection::Sqlite),
        DatabaseUrl::Postgres(text) => open_server(url, text, connect_timeout),
    }
}

fn open_file(path: &Path) -> Result<SqliteConnection, Error> {
    create_file(path)?;
    let mut connection = open_copy(path)?;
    use_wal(&mut connection)
        .and_then(|()| {
            connection.batch_execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")
        })
        .map_err(|error| Error::Sqlite {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
    Ok(connection)
}

/// Turns the write-ahead log on. While several processes open a new file, SQLite refuses the change of the journal
/// mode at once: it does not use the busy timeout where two processes would wait for each other
/// (<https://www.sqlite.org/c3ref/busy_handler.html>). So this function tries again for as long.
fn use_wal(connection: &mut SqliteConnection) -> QueryResult<()> {
    let last_attempt = Instant::now() + BUSY_TIMEOUT;
    loop {
        match connection.batch_execute("PRAGMA journal_mode = WAL") {
            Err(error) if is_busy(&error) && Instant::now() < last_attempt => {
                std::thread::sleep(BETWEEN_ATTEMPTS);
            }
            done => return done,
        }
    }
}

fn is_busy(error: &diesel::result::Error) -> bool {
    not_now(&error.to_string()) == Some(NotReady::DatabaseBusy)
}

/// Opens a file that is there, and changes nothing about it.
pub(crate) fn open_copy(path: &Path) -> Result<SqliteConnection, Error> {
    let unusable = |message: String| Error::Sqlite {
        path: path.to_owned(),
        message,
    };
    let text = path
        .to_str()
        .ok_or_else(|| unusable("its path is not UTF-8".to_owned()))?;
    // SQLite reads a name that begins so as a URL.
    let name = match text.starts_with("file:") {
        true => format!("./{text}"),
        false => text.to_owned(),
    };
    let mut connection =
        SqliteConnection::establish(&name).map_err(|error| unusable(error.to_string()))?;
    connection
        .batch_execute(&format!(
            "PRAGMA busy_timeout = {};
             PRAGMA trusted_schema = OFF;",
            BUSY_TIMEOUT.as_millis()
        ))
        .map_err(|error| unusable(error.to_string()))?;
    Ok(connection)
}

/// Creates the file where it is missing, readable by its owner alone. SQLite gives the files it puts
/// beside it the same mode.
fn create_file(path: &Path) -> Result<(), Error> {
    if path.exists() {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Error::NoFolder(folder.to_owned()));
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(|error| Error::Open {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// Asks the server for English messages. Diesel does not expose the SQLSTATE of an error, so some errors are
/// recognized by their message (`NOT_NOW` in `error.rs`). Only superusers and roles that were granted it may set
/// `lc_messages`. For others the block changes nothing, and the server logs no error.
const ENGLISH_MESSAGES: &str = "DO $$ BEGIN
    PERFORM set_config('lc_messages', 'C', false);
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$";

fn open_server(
    url: &DatabaseUrl,
    text: &str,
    connect_timeout: Duration,
) -> Result<AnyConnection, Error> {
    let refused = |message: &str| refusal(&message.replace(text, &url.to_string()));
    let with_defaults = with_defaults(text, connect_timeout);
    let mut connection = PgConnection::establish(&with_defaults).map_err(|error| match error {
        ConnectionError::BadConnection(message) => refused(&message.replace(&with_defaults, text)),
        other => refused(&other.to_string()),
    })?;
    connection
        .batch_execute(&format!(
            "SET statement_timeout = {STATEMENT_TIMEOUT_MS};
             SET idle_in_transaction_session_timeout = {IDLE_TIMEOUT_MS}"
        ))
        .map_err(|error| refused(&error.to_string()))?;
    // A server without PL/pgSQL keeps its language.
    let _ = connection.batch_execute(ENGLISH_MESSAGES);
    Ok(AnyConnection::Postgres(connection))
}

/// Tells the refusals apart that a person can do something about.
fn refusal(message: &str) -> Error {
    let has = |part| message.contains(part);
    let text = message.trim_end().to_owned();
    let is_plain = has("no encryption") || has("SSL off");
    if has("SSL support is not compiled in") || (is_plain && !cfg!(feature = "postgres-tls")) {
        Error::NoTls(text)
    } else if is_plain {
        Error::NotEncrypted(text)
    } else if has("certificate verify failed")
        || has("does not match host name")
        || has("root certificate file")
    {
        Error::ServerCertificate(text)
    } else if has("client certificate") || has("private key file") {
        Error::ClientCertificate(text)
    } else if !has("connection to server") && (has("@") || message.starts_with("invalid")) {
        // libpq took a part of the password for something else, and repeats it.
        Error::UnreadableUrl
    } else if has("password") || (has("role") && has("does not exist")) {
        Error::Refused(text)
    } else if has("database") && has("does not exist") {
        Error::NoDatabase(text)
    } else {
        Error::Unreachable(text)
    }
}

/// The URL with bounds on every wait for the server and, where it lists several servers, the one that
/// may be written, unless it says otherwise itself.
pub(crate) fn with_defaults(url: &str, connect_timeout: Duration) -> String {
    let url = &*with_system_roots(url, system_file);
    // libpq reads less than two seconds as two.
    let connect_seconds = connect_timeout.as_secs().max(2).to_string();
    let defaults = [
        ("connect_timeout", connect_seconds.as_str()),
        ("tcp_user_timeout", "5000"),
        ("keepalives_idle", "5"),
        ("keepalives_interval", "2"),
        ("keepalives_count", "3"),
        ("application_name", "assay"),
    ];
    // Without it libpq uses the first server that answers, which may be a standby.
    let writable = lists_several_hosts(url).then_some((TARGET_SESSION_ATTRS, "read-write"));
    let mut whole = url.to_owned();
    let mut separator = if url.contains('?') { '&' } else { '?' };
    for (name, value) in defaults.into_iter().chain(writable) {
        if parameter(url, name).is_none() {
            whole.push(separator);
            whole.push_str(&format!("{name}={value}"));
            separator = '&';
        }
    }
    whole
}

/// Runs `work` in a transaction that may write. On SQLite it holds the file's one write lock from
/// its beginning: a transaction that began by reading could no longer get it once another wrote. It
/// waits for another process that holds the lock no longer than `patience`.
pub(crate) fn in_transaction<T>(
    connection: &mut AnyConnection,
    patience: Duration,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, StorageError>,
) -> Result<T, Transaction> {
    begin(connection, patience).map_err(|error| Transaction::NotBegun(error.into()))?;
    match work(connection) {
        Ok(done) => {
            <AnyConnection as Connection>::TransactionManager::commit_transaction(connection)
                .map_err(|error| Transaction::Failed(error.into()))?;
            Ok(done)
        }
        Err(fault) => {
            let back =
                <AnyConnection as Connection>::TransactionManager::rollback_transaction(connection);
            Err(Transaction::Failed(
                match (fault, back.map_err(StorageError::from)) {
                    (StorageError::Failed(_), Err(lost @ StorageError::Lost(_))) => lost,
                    // SQLite ends some transactions itself; then there is nothing to roll back.
                    (fault, _) => fault,
                },
            ))
        }
    }
}

/// Where a transaction failed.
#[derive(Debug)]
pub(crate) enum Transaction {
    /// Before it did anything.
    NotBegun(StorageError),
    /// Later. Where the connection was lost, it may have been committed.
    Failed(StorageError),
}

fn begin(connection: &mut AnyConnection, patience: Duration) -> QueryResult<()> {
    match connection {
        AnyConnection::Sqlite(sqlite) => {
            set_busy_timeout(sqlite, patience)?;
            let begun = AnsiTransactionManager::begin_transaction_sql(sqlite, "BEGIN IMMEDIATE");
            begun.and(set_busy_timeout(sqlite, BUSY_TIMEOUT))
        }
        AnyConnection::Postgres(postgres) => AnsiTransactionManager::begin_transaction_sql(
            postgres,
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        ),
    }
}

fn set_busy_timeout(sqlite: &mut SqliteConnection, timeout: Duration) -> QueryResult<()> {
    sqlite.batch_execute(&format!("PRAGMA busy_timeout = {}", timeout.as_millis()))
}

/// Lets nobody else add to a table until the transaction ends. The one writer of SQLite is alone as
/// it is.
pub(crate) fn keep_others_from_adding(
    connection: &mut AnyConnection,
    table: &'static str,
) -> Result<(), StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        postgres.batch_execute(&format!("LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE"))?;
    }
    Ok(())
}

/// Whether a transaction was left open, or cannot be ended.
pub(crate) fn is_in_transaction(connection: &mut AnyConnection) -> bool {
    <AnyConnection as Connection>::TransactionManager::is_broken_transaction_manager(connection)
}

#[cfg(test)]
mod tests {
    use diesel::RunQueryDsl;
    use diesel::dsl::sql;

    use super::*;

    /// The language in which a server reports errors on a new connection.
    fn language_of_messages(url: &str) -> String {
        let url = DatabaseUrl::Postgres(url.to_owned());
        let mut connection = open(&url, Duration::from_secs(5)).unwrap();
        diesel::select(sql::<diesel::sql_types::Text>(
            "current_setting('lc_messages')",
        ))
        .get_result(&mut connection)
        .unwrap()
    }

    #[test]
    fn messages_are_english_where_the_role_may_choose() {
        let database = testkit::TestPostgres::database();
        let (address, name) = database.url().rsplit_once('/').unwrap();
        let (_, server) = address.split_once('@').unwrap();
        let role = format!("role_of_{name}");
        let mut connection = PgConnection::establish(database.url()).unwrap();
        // Any other name than `C` shows that it was set: translations are not installed everywhere.
        connection
            .batch_execute(&format!(
                "DO $$ BEGIN EXECUTE
                    format('ALTER DATABASE %I SET lc_messages = %L', current_database(), 'POSIX');
                 END $$;
                 CREATE ROLE {role} LOGIN"
            ))
            .unwrap();
        let by_superuser = language_of_messages(database.url());
        let by_role = language_of_messages(&format!("postgres://{role}@{server}/{name}"));
        connection
            .batch_execute(&format!("DROP ROLE {role}"))
            .unwrap();
        assert_eq!((by_superuser.as_str(), by_role.as_str()), ("C", "POSIX"));
    }

    #[test]
    fn every_wait_for_a_server_is_bounded() {
        let five = Duration::from_secs(5);
        let whole = with_defaults("postgres://h/d", five);
        assert!(whole.starts_with("postgres://h/d?connect_timeout=5&tcp_user_timeout="));
        let own = with_defaults("postgres://h/d?connect_timeout=9", five);
        assert_eq!(own.matches("connect_timeout=").count(), 1, "{own}");
        assert!(own.contains("connect_timeout=9&tcp_user_timeout="), "{own}");
    }

    #[test]
    fn of_several_servers_the_one_that_can_be_written_is_used() {
        let five = Duration::from_secs(5);
        let one = with_defaults("postgres://h/d", five);
        assert!(!one.contains("target_session_attrs"), "{one}");
        let two = with_defaults("postgres://a,b/d", five);
        assert!(two.ends_with("&target_session_attrs=read-write"), "{two}");
        let own = with_defaults("postgres://a,b/d?target_session_attrs=any", five);
        assert_eq!(own.matches("target_session_attrs=").count(), 1, "{own}");
        assert!(own.contains("target_session_attrs=any"), "{own}");
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let text = |message| refusal(message).to_string();
        let no_tls =
            text("sslmode value \"require\" invalid when SSL support is not compiled in\n");
        assert!(no_tls.contains("postgres-tls"), "{no_tls}");
        let password = text("FATAL:  password authentication failed for user \"u\"");
        assert!(password.contains("the user or the password"), "{password}");
        let missing = text("FATAL:  database \"a\" does not exist");
        assert!(missing.contains("createdb"), "{missing}");
        let stranger = text("SSL error: certificate verify failed");
        assert!(stranger.contains("sslrootcert"), "{stranger}");
        let unknown = text("FATAL:  connection requires a valid client certificate");
        assert!(unknown.contains("sslcert"), "{unknown}");
        let plain = text("FATAL:  no pg_hba.conf entry for host \"h\", no encryption");
        let remedy = match cfg!(feature = "postgres-tls") {
            true => "sslmode=verify-full",
            false => "postgres-tls",
        };
        assert!(plain.contains(remedy), "{plain}");
        let away = text("connection to server at \"127.0.0.1\" failed: Connection refused");
        assert!(away.contains("check that it is running"), "{away}");
    }
}
