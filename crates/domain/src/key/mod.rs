//! API keys: format, stored data and roles.

mod role;
mod secret;

use chrono::{DateTime, Utc};

pub use role::{Role, UnknownRole};
pub use secret::{KeyHash, KeySecret, MistypedKey};

use crate::id::{KeyId, OrgId};

/// The stored data of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: KeyId,
    /// Whose key it is.
    pub org_id: OrgId,
    /// What it is for, in words.
    pub name: String,
    /// The beginning of the secret, by which a person recognizes it.
    pub prefix: String,
    /// What it allows.
    pub role: Role,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it stops working.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

impl ApiKey {
    /// Tells whether the key opens anything at a time. At the very moment of its expiry it does not.
    #[must_use]
    pub fn works_at(&self, now: DateTime<Utc>) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }

    /// Tells whether a use at `now` should be noted: once a minute is enough.
    #[must_use]
    pub fn use_is_news(&self, now: DateTime<Utc>) -> bool {
        self.last_used_at
            .is_none_or(|last| now - last >= chrono::TimeDelta::minutes(1))
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeDelta, TimeZone};

    use super::*;

    fn key() -> ApiKey {
        ApiKey {
            id: KeyId::parse("key_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap(),
            org_id: OrgId::parse("org_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap(),
            name: "ci".to_owned(),
            prefix: "sk_service_AbCd".to_owned(),
            role: Role::Read,
            created_at: noon(),
            last_used_at: None,
            expires_at: None,
            revoked_at: None,
        }
    }

    fn noon() -> DateTime<Utc> {
        Utc.with_ymd_and_hms(2026, 11, 21, 12, 0, 0).unwrap()
    }

    #[test]
    fn a_key_works_until_it_expires() {
        let expiry = noon() + TimeDelta::days(1);
        let key = ApiKey {
            expires_at: Some(expiry),
            ..key()
        };
        assert!(key.works_at(expiry - TimeDelta::milliseconds(1)));
        assert!(!key.works_at(expiry));
    }

    #[test]
    fn a_revoked_key_never_works() {
        let key = ApiKey {
            revoked_at: Some(noon()),
            ..key()
        };
        assert!(!key.works_at(noon()));
        assert!(!key.works_at(noon() - TimeDelta::days(1)));
    }

    #[test]
    fn a_use_is_news_once_a_minute() {
        assert!(key().use_is_news(noon()));
        let key = ApiKey {
            last_used_at: Some(noon()),
            ..key()
        };
        assert!(!key.use_is_news(noon() + TimeDelta::seconds(59)));
        assert!(key.use_is_news(noon() + TimeDelta::seconds(60)));
    }
}
