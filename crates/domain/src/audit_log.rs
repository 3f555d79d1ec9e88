//! Who changed what: lines that are only ever added, in the transaction of the change.

use chrono::{DateTime, Utc};

use crate::id::{KeyId, MemberId};

/// Who does something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// The service itself, for example at its first start.
    System,
    /// Somebody at the command line of the server's machine.
    CommandLine,
    /// A caller with a key.
    Key(KeyId),
    /// A person.
    Member(MemberId),
    /// Whoever has a signed link.
    Link,
}

impl Actor {
    /// The actor as the log keeps it: `system`, `command_line`, `link`, or the id of the key or of the
    /// person.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::System => "system",
            Self::CommandLine => "command_line",
            Self::Key(id) => id.as_str(),
            Self::Member(id) => id.as_str(),
            Self::Link => "link",
        }
    }
}

/// What a line of the audit log says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditNote {
    /// What, for example `link.issued`.
    pub event: &'static str,
    /// The id of what it is about.
    pub subject: String,
    /// The particulars, in words; never a secret.
    pub detail: String,
}

/// A line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: DateTime<Utc>,
    /// Who, as [`Actor::as_str`] gives it.
    pub actor: String,
    /// What, for example `key.created`.
    pub event: String,
    /// The id of what was changed.
    pub subject: String,
    /// What it was changed to, in words; never a secret.
    pub detail: String,
}
