//! What goes wrong with a database, told apart in one place.

use std::path::PathBuf;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use domain::ports::{
    ChangeActionError, CreateSiteError, CreateWebhookError, ListActionsError, StartRunError,
    StoreError,
};

/// Why a database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder of the file is missing.
    #[error("the folder {} does not exist; create it, or name another place for the database", .0.display())]
    NoFolder(PathBuf),
    /// The file cannot be opened or created.
    #[error("cannot open the database {}: {message}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        message: String,
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
        "the connection to PostgreSQL needs TLS, which this program was built without; build it with the feature `postgres-tls`, or set `sslmode=disable` where the way to the server is safe ({0})"
    )]
    NoTls(String),
    /// libpq cannot read the URL.
    #[error(
        "the database URL cannot be read; in user and password write `%` as %25, `@` as %40, `:` as %3A, `/` as %2F, `?` as %3F and `#` as %23"
    )]
    UnreadableUrl,
    /// User or password are wrong.
    #[error("PostgreSQL refused the user or the password; check both in the database URL ({0})")]
    Refused(String),
    /// The server has no such database.
    #[error("the database does not exist; create it with `createdb`, or name another one ({0})")]
    NoDatabase(String),
    /// The server cannot be reached, or answers something else.
    #[error("cannot connect to PostgreSQL; check that it runs, and host and port in the URL ({0})")]
    Unreachable(String),
    /// The schema was made by a later version.
    #[error(
        "the database was migrated by a later version of Assay (unknown: {}); start that version, or restore a backup made before the upgrade", .0.join(", ")
    )]
    NewerSchema(Vec<String>),
    /// A migration failed.
    #[error("the migration of the database failed: {0}")]
    Migration(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What went wrong on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
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

/// Texts of SQLite and PostgreSQL that mean: not now. Neither database gives the driver more than a
/// text for these. SQLite's texts are constants; those of a PostgreSQL server that speaks another
/// language are not recognized and count as failures.
const NOT_NOW: [&str; 18] = [
    "database is locked",
    "database table is locked",
    "database schema is locked",
    "database or disk is full",
    "disk I/O error",
    "readonly database",
    "unable to open database file",
    "No space left on device",
    "Disk quota exceeded",
    "statement timeout",
    "lock timeout",
    "idle-in-transaction timeout",
    "read-only transaction",
    "the database system is",
    "too many clients",
    "remaining connection slots",
    "terminating connection",
    "out of memory",
];

impl From<DieselError> for Fault {
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

impl Fault {
    /// A row that no version of this program writes.
    pub(crate) fn corrupt(what: &str, value: &str) -> Self {
        Self::Failed(format!("a row holds the {what} `{value}`"))
    }

    fn of_database(kind: &DatabaseErrorKind, message: String, constraint: Option<String>) -> Self {
        match kind {
            DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand => {
                Self::Lost(message)
            }
            DatabaseErrorKind::SerializationFailure => Self::Conflict(message),
            DatabaseErrorKind::ReadOnlyTransaction => Self::Unavailable(message),
            _ if message.contains("deadlock detected") => Self::Conflict(message),
            _ if NOT_NOW.iter().any(|text| message.contains(text)) => Self::Unavailable(message),
            _ => Self::Failed(match constraint {
                Some(name) => format!("{message} ({name})"),
                None => message,
            }),
        }
    }

    /// Whether the connection should not be used again.
    pub(crate) const fn spoils_connection(&self) -> bool {
        matches!(self, Self::Lost(_))
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Lost(text) | Fault::Conflict(text) | Fault::Unavailable(text) => {
                Self::Unavailable(text)
            }
            Fault::Sealed(text) => Self::Failed(text.to_owned()),
            Fault::Failed(text) => Self::Failed(text),
        }
    }
}

impl From<Fault> for StartRunError {
    fn from(fault: Fault) -> Self {
        Self::Store(fault.into())
    }
}

impl From<Fault> for CreateSiteError {
    fn from(fault: Fault) -> Self {
        Self::Store(fault.into())
    }
}

impl From<Fault> for CreateWebhookError {
    fn from(fault: Fault) -> Self {
        Self::Store(fault.into())
    }
}

impl From<Fault> for ListActionsError {
    fn from(fault: Fault) -> Self {
        Self::Store(fault.into())
    }
}

impl From<Fault> for ChangeActionError {
    fn from(fault: Fault) -> Self {
        Self::Store(fault.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(kind: DatabaseErrorKind, message: &str) -> Fault {
        DieselError::DatabaseError(kind, Box::new(message.to_owned())).into()
    }

    fn is_unavailable(fault: Fault) -> bool {
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
            assert!(matches!(fault, Fault::Conflict(_)), "{fault:?}");
        }
    }
}
