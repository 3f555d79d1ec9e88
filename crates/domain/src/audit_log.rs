//! Who changed what: lines that are only ever added, in the transaction of the change.

use chrono::{DateTime, Utc};

use crate::cursor::{signed, unsigned};
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

/// Which lines of the audit log are wanted; by default all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Only lines of this event.
    pub event: Option<String>,
    /// Only lines of this actor, as [`Actor::as_str`] gives it.
    pub actor: Option<String>,
}

/// A page of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// The lines, newest first.
    pub entries: Vec<AuditEntry>,
    /// The cursor of the next page; none on the last page.
    pub next: Option<AuditCursor>,
}

/// A place in the audit log: lines behind it were written before the line with this number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditCursor(pub i64);

impl AuditCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("l{:016x}", self.0.cast_unsigned()))
    }

    /// The cursor that a page gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let number = unsigned(text)?.strip_prefix('l')?;
        let number = u64::from_str_radix(number, 16).ok()?;
        Some(Self(number.cast_signed()))
    }
}

/// The events that the service writes, in the order of their names.
pub const EVENTS: &[&str] = &[
    "account.email_changed",
    "account.email_refused",
    "account.name_changed",
    "action.created",
    "action.updated",
    "backup.made",
    "backup.restored",
    "brief.queued",
    "comment.added",
    "key.created",
    "key.revoked",
    "link.created",
    "link.issued",
    "link.used",
    "member.added",
    "member.joined",
    "member.removed",
    "member.role_changed",
    "org.created",
    "org.plan_changed",
    "org.retention_changed",
    "org.second_factor_changed",
    "password.changed",
    "password.reset",
    "recovery_codes.renewed",
    "runs.removed_for_storage",
    "schedule.changed",
    "schedule.skipped",
    "second_factor.code_failed",
    "second_factor.disabled",
    "second_factor.enabled",
    "second_factor.reset",
    "secrets.forgotten",
    "sign_in.code_failed",
    "sign_in.failed",
    "sign_in.succeeded",
    "site.changed",
    "site.created",
    "site.deleted",
    "target.refused",
    "waiver.created",
    "waiver.deleted",
    "waiver.expired",
    "webhook.changed",
    "webhook.created",
    "webhook.deleted",
    "webhook.disabled",
    "webhook.tested",
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cursors_come_back_and_other_texts_do_not(number in any::<i64>(), text in any::<String>()) {
            let cursor = AuditCursor(number);
            prop_assert_eq!(AuditCursor::decode(&cursor.encode()), Some(cursor));
            prop_assert_eq!(AuditCursor::decode(&text), None);
        }
    }
}
