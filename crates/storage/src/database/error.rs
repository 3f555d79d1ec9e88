//! What goes wrong with a database, told apart in one place.

use std::fmt;
use std::path::PathBuf;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use domain::ports::{
    CancelRunError, ChangeActionError, CreateSiteError, CreateWaiverError, CreateWebhookError,
    KeepAnswerError, ListActionsError, NotReady, StartRunError, StoreError, TestWebhookError,
};

/// What happened to the file of a database while it was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileChange {
    /// The file is gone from its path, or the path cannot be looked at.
    Missing,
    /// Another file is at its path.
    Replaced,
}

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder of the file is missing.
    #[error("the folder {} does not exist; create it, or set another path for the database", .0.display())]
    NoFolder(PathBuf),
    /// The file cannot be opened or created.
    #[error("cannot open the database {}: {message}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
    /// The file is not the one that this process opened.
    #[error(
        "the database {} is not the file that was opened: it was {}; put the file back and restart the service", .path.display(), match .change { FileChange::Missing => "moved or deleted", FileChange::Replaced => "replaced" }
    )]
    FileChanged {
        /// The file.
        path: PathBuf,
        /// What happened to it.
        change: FileChange,
    },
    /// SQLite cannot use the file.
    #[error("cannot use the database {}: {message}", .path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        message: String,
    },
    /// The server, or its URL, wants TLS, which this program was built without.
    #[error(
        "the connection to PostgreSQL needs TLS, which this program was built without; build it with the feature `postgres-tls`, or set `sslmode=disable` if the connection to the server is safe ({0})"
    )]
    NoTls(String),
    /// The server wants TLS, and the URL turns it off or the server has none.
    #[error(
        "PostgreSQL refuses the connection because it is not encrypted; set `sslmode=verify-full` in the database URL, or allow the connection in pg_hba.conf ({0})"
    )]
    NotEncrypted(String),
    /// The certificate of the server cannot be verified.
    #[error(
        "the certificate of the PostgreSQL server was not accepted; check the host name in the database URL, and the file that `sslrootcert` names ({0})"
    )]
    ServerCertificate(String),
    /// The server wants a certificate of the client.
    #[error(
        "PostgreSQL did not get a client certificate that it accepts; set `sslcert` and `sslkey` in the database URL ({0})"
    )]
    ClientCertificate(String),
    /// libpq cannot read the URL.
    #[error(
        "the database URL is invalid; in user and password write `%` as %25, `@` as %40, `:` as %3A, `/` as %2F, `?` as %3F and `#` as %23"
    )]
    UnreadableUrl,
    /// User or password are wrong.
    #[error("PostgreSQL rejected the user or the password; check both in the database URL ({0})")]
    Refused(String),
    /// The server has no such database.
    #[error("the database does not exist; create it with `createdb`, or use another one ({0})")]
    NoDatabase(String),
    /// The server cannot be reached, or answers something else.
    #[error(
        "cannot connect to PostgreSQL; check that it is running, and check host and port in the URL ({0})"
    )]
    Unreachable(String),
    /// The schema was made by a later version.
    #[error(
        "the database was migrated by a later version of Assay (unknown: {}); start that version, or restore a backup made before the upgrade", .0.join(", ")
    )]
    NewerSchema(Vec<String>),
    /// A migration failed.
    #[error("the database migration failed: {0}")]
    Migration(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What went wrong on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StorageError {
    /// The connection is gone; another one may work.
    Lost(String),
    /// The database gave up one of several transactions; the same again may work.
    Conflict(String),
    /// The database is too busy, full, or may not be written.
    Unavailable(String),
    /// What is stored encrypted does not open with the key of this process.
    Sealed(&'static str),
    /// Anything else.
    Failed(String),
}

/// Messages of SQLite and PostgreSQL that mean "not now", and what each says about the readiness of the
/// database. Diesel exposes no SQLSTATE, only the message. SQLite's messages are constants. A connection asks a
/// PostgreSQL server for English messages (`ENGLISH_MESSAGES` in `connection.rs`); where its role may not choose
/// and the server reports in another language, such an error counts as a failure.
const NOT_NOW: [(&str, NotReady); 20] = [
    // What the pool says where it could not open a connection; the error comes behind it.
    (POOL_WITHOUT_CONNECTION, NotReady::DatabaseUnreachable),
    ("database is locked", NotReady::DatabaseBusy),
    ("database table is locked", NotReady::DatabaseBusy),
    ("database schema is locked", NotReady::DatabaseBusy),
    ("database or disk is full", NotReady::DiskFull),
    ("disk I/O error", NotReady::DiskFailed),
    ("readonly database", NotReady::DatabaseReadOnly),
    (
        "unable to open database file",
        NotReady::DatabaseUnreachable,
    ),
    ("No space left on device", NotReady::DiskFull),
    ("Disk quota exceeded", NotReady::DiskFull),
    ("statement timeout", NotReady::DatabaseBusy),
    ("lock timeout", NotReady::DatabaseBusy),
    ("idle-in-transaction timeout", NotReady::DatabaseBusy),
    ("read-only transaction", NotReady::DatabaseReadOnly),
    // A standby refuses a transaction that writes before it does anything.
    ("during recovery", NotReady::DatabaseReadOnly),
    ("the database system is", NotReady::DatabaseUnreachable),
    ("too many clients", NotReady::DatabaseBusy),
    ("remaining connection slots", NotReady::DatabaseBusy),
    ("terminating connection", NotReady::DatabaseUnreachable),
    ("out of memory", NotReady::DatabaseBusy),
];

/// How the pool begins to say why it has no connection.
const POOL_WITHOUT_CONNECTION: &str = "timed out waiting for connection: ";

/// How the driver names the statements that it prepares on PostgreSQL. A server repeats the name where
/// it does not know the statement (SQLSTATE 26000) or has another one of that name (42P05), in whatever
/// language it speaks; the driver hands over no SQLSTATE.
const PREPARED_STATEMENT: &str = "__diesel_stmt_";

/// What to do where prepared statements get lost between the driver and the server.
const POOLER: &str = "a pooler in transaction mode loses prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0, or pool_mode = session, or connect without the pooler";

/// The message of a database, with what to do about it where that is known.
pub(crate) fn explained(message: String) -> String {
    if message.contains(PREPARED_STATEMENT) {
        format!("{message}; {POOLER}")
    } else {
        message
    }
}

impl From<DieselError> for StorageError {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::DatabaseError(kind, information) => {
                let message = information.message().to_owned();
                let constraint = information.constraint_name().map(str::to_owned);
                Self::of_database(&kind, message, constraint)
            }
            DieselError::RollbackErrorOnCommit { commit_error, .. } => Self::from(*commit_error),
            DieselError::BrokenTransactionManager => Self::Lost(error.to_string()),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl StorageError {
    /// A row that no version of this program writes.
    pub(crate) fn corrupt(what: &str, value: &str) -> Self {
        Self::Failed(format!("a row contains the invalid {what} `{value}`"))
    }

    fn of_database(kind: &DatabaseErrorKind, message: String, constraint: Option<String>) -> Self {
        match kind {
            DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand => {
                Self::Lost(message)
            }
            DatabaseErrorKind::SerializationFailure => Self::Conflict(message),
            DatabaseErrorKind::ReadOnlyTransaction => Self::Unavailable(message),
            _ if message.contains("deadlock detected") => Self::Conflict(message),
            _ if not_now(&message).is_some() => Self::Unavailable(message),
            _ => Self::Failed(match constraint {
                Some(name) => format!("{message} ({name})"),
                None => explained(message),
            }),
        }
    }

    /// What it says of the readiness of the database.
    pub(crate) fn not_ready(&self) -> NotReady {
        match self {
            Self::Lost(_) => NotReady::DatabaseUnreachable,
            Self::Conflict(_) => NotReady::DatabaseBusy,
            Self::Unavailable(text) => not_now(text).unwrap_or(NotReady::DatabaseBusy),
            Self::Sealed(_) | Self::Failed(_) => NotReady::DatabaseFailed,
        }
    }

    /// Whether the connection should not be used again.
    pub(crate) const fn spoils_connection(&self) -> bool {
        matches!(self, Self::Lost(_))
    }
}

/// What a message that means "not now" says of the readiness of the database.
pub(super) fn not_now(message: &str) -> Option<NotReady> {
    NOT_NOW
        .iter()
        .find(|(text, _)| message.contains(text))
        .map(|(_, reason)| *reason)
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(text)
            | Self::Conflict(text)
            | Self::Unavailable(text)
            | Self::Failed(text) => f.write_str(text),
            Self::Sealed(text) => f.write_str(text),
        }
    }
}

impl From<StorageError> for StoreError {
    fn from(fault: StorageError) -> Self {
        match fault {
            StorageError::Lost(text)
            | StorageError::Conflict(text)
            | StorageError::Unavailable(text) => Self::Unavailable(text),
            StorageError::Sealed(text) => Self::Failed(text.to_owned()),
            StorageError::Failed(text) => Self::Failed(text),
        }
    }
}

impl From<StorageError> for StartRunError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for CreateSiteError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for CreateWaiverError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for KeepAnswerError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for TestWebhookError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for CancelRunError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for CreateWebhookError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for ListActionsError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

impl From<StorageError> for ChangeActionError {
    fn from(fault: StorageError) -> Self {
        Self::Store(fault.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: DatabaseErrorKind, message: &str) -> StorageError {
        DieselError::DatabaseError(kind, Box::new(message.to_owned())).into()
    }

    fn is_unavailable(fault: StorageError) -> bool {
        matches!(StoreError::from(fault), StoreError::Unavailable(_))
    }

    #[test]
    fn what_passes_is_unavailable() {
        for text in [
            "database is locked",
            "database or disk is full",
            "disk I/O error",
            "attempt to write a readonly database",
            "canceling statement due to statement timeout",
            "could not extend file \"base/5/1\": No space left on device",
        ] {
            let fault = fault(DatabaseErrorKind::Unknown, text);
            assert!(is_unavailable(fault), "{text}");
        }
        let closed = fault(DatabaseErrorKind::ClosedConnection, "gone");
        assert!(closed.spoils_connection() && is_unavailable(closed));
    }

    #[test]
    fn no_text_is_said_twice_in_the_chain_of_an_error() {
        let said = "Permission denied".to_owned();
        for error in [
            Error::Open {
                path: PathBuf::from("a.db"),
                message: said.clone(),
            },
            Error::Store(StoreError::Unavailable(said.clone())),
        ] {
            let first: &dyn std::error::Error = &error;
            let chain = std::iter::successors(Some(first), |error| error.source());
            let whole: Vec<_> = chain.map(ToString::to_string).collect();
            assert_eq!(whole.join(": ").matches(&said).count(), 1, "{whole:?}");
        }
    }

    #[test]
    fn a_message_says_why_the_database_is_not_ready() {
        let reason = |text| fault(DatabaseErrorKind::Unknown, text).not_ready();
        for (text, expected) in [
            ("database or disk is full", NotReady::DiskFull),
            (
                "could not extend file \"base/5/1\": No space left on device",
                NotReady::DiskFull,
            ),
            ("disk I/O error", NotReady::DiskFailed),
            (
                "attempt to write a readonly database",
                NotReady::DatabaseReadOnly,
            ),
            (
                "cannot set transaction read-write mode during recovery",
                NotReady::DatabaseReadOnly,
            ),
            (
                "cannot execute INSERT in a read-only transaction",
                NotReady::DatabaseReadOnly,
            ),
            ("database is locked", NotReady::DatabaseBusy),
            (
                "the database system is starting up",
                NotReady::DatabaseUnreachable,
            ),
            ("no such table: health_probes", NotReady::DatabaseFailed),
        ] {
            assert_eq!(reason(text), expected, "{text}");
        }
        let waited = |text: &str| StorageError::Unavailable(text.to_owned()).not_ready();
        let away = "timed out waiting for connection: cannot connect to PostgreSQL";
        assert_eq!(waited(away), NotReady::DatabaseUnreachable);
        let busy = "timed out waiting for connection";
        assert_eq!(waited(busy), NotReady::DatabaseBusy);
    }

    /// What PgBouncer before 1.21 leads to in transaction mode, in English and in another language.
    #[test]
    fn lost_prepared_statements_name_the_pooler() {
        for text in [
            "prepared statement \"__diesel_stmt_0\" does not exist",
            "prepared statement \"__diesel_stmt_12\" already exists",
            "vorbereitete Anweisung »__diesel_stmt_3« existiert nicht",
        ] {
            let StorageError::Failed(said) = fault(DatabaseErrorKind::Unknown, text) else {
                panic!("{text}");
            };
            assert!(said.starts_with(text), "{said}");
            for words in ["PgBouncer 1.21", "max_prepared_statements", "session"] {
                assert!(said.contains(words), "{said}");
            }
        }
        let other = "prepared statement \"mine\" does not exist".to_owned();
        assert_eq!(explained(other.clone()), other);
    }

    #[test]
    fn what_stays_is_failed() {
        let broken = fault(
            DatabaseErrorKind::UniqueViolation,
            "UNIQUE constraint failed",
        );
        assert!(!is_unavailable(broken));
        assert!(!is_unavailable(DieselError::NotFound.into()));
    }

    #[test]
    fn what_another_try_may_settle_is_a_conflict() {
        let deadlock = fault(DatabaseErrorKind::Unknown, "deadlock detected");
        let serialization = fault(DatabaseErrorKind::SerializationFailure, "restart");
        for fault in [deadlock, serialization] {
            assert!(matches!(fault, StorageError::Conflict(_)), "{fault:?}");
        }
    }
}
