//! Whether a store can work.

use crate::named_enum::named_enum;

named_enum! {
    /// Why a store cannot work. The list is closed, and no value tells anything of the installation, so
    /// that anybody may see it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum NotReady {
        /// There is no connection to the database.
        DatabaseUnreachable = "database_unreachable",
        /// The database did not let us write in time.
        DatabaseBusy = "database_busy",
        /// The database can be read and not written, as a standby can.
        DatabaseReadOnly = "database_read_only",
        /// The disk or a quota is full.
        DiskFull = "disk_full",
        /// The disk failed.
        DiskFailed = "disk_failed",
        /// The file of the database is not where it was opened.
        DatabaseFileMissing = "database_file_missing",
        /// Another file is where that of the database was opened.
        DatabaseFileReplaced = "database_file_replaced",
        /// Migrations have to run first.
        MigrationsPending = "migrations_pending",
        /// The last probe has not ended.
        NoAnswer = "no_answer",
        /// The database failed in another way.
        DatabaseFailed = "database_failed",
        /// The process ends soon; others should get its requests.
        Stopping = "stopping",
    }
}

impl NotReady {
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
            Self::Stopping => "The service is stopping.",
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
