//! Whether a store can work.

/// Why a store cannot work. The list is closed, and no value tells anything of the installation, so
/// that anybody may see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NotReady {
    /// There is no connection to the database.
    DatabaseUnreachable,
    /// The database did not let us write in time.
    DatabaseBusy,
    /// The database can be read and not written, as a standby can.
    DatabaseReadOnly,
    /// The disk or a quota is full.
    DiskFull,
    /// The disk failed.
    DiskFailed,
    /// The file of the database is not where it was opened.
    DatabaseFileMissing,
    /// Another file is where that of the database was opened.
    DatabaseFileReplaced,
    /// Migrations have to run first.
    MigrationsPending,
    /// The last probe has not ended.
    NoAnswer,
    /// The database failed in another way.
    DatabaseFailed,
}

impl NotReady {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::DatabaseUnreachable,
        Self::DatabaseBusy,
        Self::DatabaseReadOnly,
        Self::DiskFull,
        Self::DiskFailed,
        Self::DatabaseFileMissing,
        Self::DatabaseFileReplaced,
        Self::MigrationsPending,
        Self::NoAnswer,
        Self::DatabaseFailed,
    ];

    /// The reason on the wire and in the log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DatabaseUnreachable => "database_unreachable",
            Self::DatabaseBusy => "database_busy",
            Self::DatabaseReadOnly => "database_read_only",
            Self::DiskFull => "disk_full",
            Self::DiskFailed => "disk_failed",
            Self::DatabaseFileMissing => "database_file_missing",
            Self::DatabaseFileReplaced => "database_file_replaced",
            Self::MigrationsPending => "migrations_pending",
            Self::NoAnswer => "no_answer",
            Self::DatabaseFailed => "database_failed",
        }
    }

    /// The reason as a sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::DatabaseUnreachable => "The database is unreachable.",
            Self::DatabaseBusy => "Writes to the database time out.",
            Self::DatabaseReadOnly => "The database is read-only.",
            Self::DiskFull => "The disk or the quota of the database is full.",
            Self::DiskFailed => "The disk of the database has failed.",
            Self::DatabaseFileMissing => "The database file is missing.",
            Self::DatabaseFileReplaced => "The database file was replaced. Restart the service.",
            Self::MigrationsPending => "Database migrations are pending.",
            Self::NoAnswer => "The database does not respond.",
            Self::DatabaseFailed => "The database returned an error.",
        }
    }
}

/// Whether a store can work.
pub trait Health: Send + Sync {
    /// Tells whether the store can be read and written, as the last probe found. Where probes run in
    /// the background, this does not wait for one.
    ///
    /// # Errors
    /// Why the store cannot work.
    fn ready(&self) -> Result<(), NotReady>;
}
