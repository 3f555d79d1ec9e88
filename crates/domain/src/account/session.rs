//! Sessions of people who signed in.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use crate::id::{AccountId, OrgId, SessionId};

/// The most sessions that an account has at once. A new sign-in ends the one that was used least recently.
pub const MAX_SESSIONS: usize = 20;

/// For how long after a sign-in a person may change passwords, keys and members without the password.
pub const RECENT_SIGN_IN: Duration = Duration::from_secs(15 * 60);

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id, by which it is listed and revoked; not its token.
    pub id: SessionId,
    /// Whose session it is.
    pub account_id: AccountId,
    /// The organization that its pages show.
    pub org_id: OrgId,
    /// When the person signed in.
    pub created_at: DateTime<Utc>,
    /// When the person last entered the password.
    pub password_entered_at: DateTime<Utc>,
    /// When it was last used, to a minute.
    pub last_seen_at: DateTime<Utc>,
    /// The browser's `User-Agent`, cut to 300 characters.
    pub user_agent: String,
    /// The client's address at sign-in.
    pub address: String,
}

/// How long sessions last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLifetime {
    /// The longest time between two uses.
    pub idle: Duration,
    /// The longest time since sign-in.
    pub absolute: Duration,
}

impl Default for SessionLifetime {
    /// 7 days without use, 30 days in all.
    fn default() -> Self {
        const DAY: u64 = 24 * 60 * 60;
        Self {
            idle: Duration::from_secs(7 * DAY),
            absolute: Duration::from_secs(30 * DAY),
        }
    }
}

impl SessionLifetime {
    /// Whether a session still works at `now`.
    #[must_use]
    pub fn is_alive(&self, session: &Session, now: DateTime<Utc>) -> bool {
        now - session.last_seen_at < delta(self.idle)
            && now - session.created_at < delta(self.absolute)
    }

    /// Sessions created before this moment, or last used before the second one, have expired at `now`.
    #[must_use]
    pub fn expired_before(&self, now: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
        (now - delta(self.absolute), now - delta(self.idle))
    }
}

impl Session {
    /// Whether the person entered the password less than [`RECENT_SIGN_IN`] ago.
    #[must_use]
    pub fn is_recent(&self, now: DateTime<Utc>) -> bool {
        now - self.password_entered_at < delta(RECENT_SIGN_IN)
    }

    /// Whether a use at `now` is worth storing: the last one that is stored is a minute old.
    #[must_use]
    pub fn use_is_news(&self, now: DateTime<Utc>) -> bool {
        now - self.last_seen_at >= TimeDelta::minutes(1)
    }
}

fn delta(span: Duration) -> TimeDelta {
    TimeDelta::from_std(span).unwrap_or(TimeDelta::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(created_hours: i64, seen_hours: i64) -> (Session, DateTime<Utc>) {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        let ulid = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";
        let created_at = now - TimeDelta::hours(created_hours);
        let session = Session {
            id: SessionId::parse(&format!("ses_{ulid}")).unwrap(),
            account_id: AccountId::parse(&format!("acc_{ulid}")).unwrap(),
            org_id: OrgId::parse(&format!("org_{ulid}")).unwrap(),
            created_at,
            password_entered_at: created_at,
            last_seen_at: now - TimeDelta::hours(seen_hours),
            user_agent: String::new(),
            address: String::new(),
        };
        (session, now)
    }

    #[test]
    fn a_session_ends_when_it_is_idle_or_old() {
        let lifetime = SessionLifetime::default();
        for (created, seen, alive) in [
            (1, 1, true),
            (400, 167, true),
            (400, 168, false),
            (719, 0, true),
            (720, 0, false),
        ] {
            let (session, now) = session(created, seen);
            assert_eq!(lifetime.is_alive(&session, now), alive, "{created} {seen}");
        }
    }

    #[test]
    fn a_sign_in_is_recent_for_a_quarter_of_an_hour() {
        let (session, now) = session(0, 0);
        assert!(session.is_recent(now + TimeDelta::seconds(899)));
        assert!(!session.is_recent(now + TimeDelta::seconds(900)));
    }
}
