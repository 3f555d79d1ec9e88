//! Links that need no key: who has one may fetch one report for a few minutes.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};

use crate::id::{OrgId, ReportId};

/// How long a link to a report lasts.
pub const REPORT_LINK_LIFETIME: TimeDelta = TimeDelta::minutes(5);

/// What a link allows: to fetch a report of an organization until a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportLink {
    /// Whose report it is. The link does not show it, and is signed for it all the same.
    pub org_id: OrgId,
    /// The report.
    pub report_id: ReportId,
    /// When the link stops working, in whole seconds.
    pub expires_at: DateTime<Utc>,
}

impl ReportLink {
    /// A link that lasts [`REPORT_LINK_LIFETIME`] from `now`, less the part of a second.
    #[must_use]
    pub fn issued(org_id: OrgId, report_id: ReportId, now: DateTime<Utc>) -> Self {
        let expires_at = now + REPORT_LINK_LIFETIME;
        Self {
            org_id,
            report_id,
            expires_at: DateTime::from_timestamp(expires_at.timestamp(), 0).unwrap_or(expires_at),
        }
    }

    /// Whether it works no more.
    #[must_use]
    pub fn is_expired(&self, now: DateTime<Utc>) -> bool {
        now >= self.expires_at
    }

    /// What is signed. No part holds a line break, so no two links have one text.
    #[must_use]
    pub fn signed_text(&self, key_id: &str) -> String {
        format!(
            "assay report pdf\n{key_id}\n{}\n{}\n{}",
            self.org_id,
            self.report_id,
            self.expires_at.timestamp()
        )
    }
}

/// A key that links are signed with. It is made at the first start and shared by all processes.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// What links name it by: 1 to 32 letters and digits.
    pub id: String,
    /// The secret, from the system's random source.
    pub secret: [u8; 32],
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// The signature of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The id of the key.
    pub key_id: String,
    /// HMAC-SHA256 (RFC 2104) over [`ReportLink::signed_text`]: 64 lower-case hexadecimal digits.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(now: DateTime<Utc>) -> ReportLink {
        let ulid = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";
        let org = OrgId::parse(&format!("org_{ulid}")).unwrap();
        let report = ReportId::parse(&format!("rep_{ulid}")).unwrap();
        ReportLink::issued(org, report, now)
    }

    #[test]
    fn links_last_five_minutes() {
        let now = DateTime::from_timestamp_millis(1_795_262_400_900).unwrap();
        let link = link(now);
        assert_eq!(link.expires_at.timestamp(), 1_795_262_700);
        assert_eq!(link.expires_at.timestamp_subsec_nanos(), 0);
        let second = TimeDelta::seconds(1);
        assert!(!link.is_expired(link.expires_at - second));
        assert!(link.is_expired(link.expires_at));
        assert!(link.is_expired(link.expires_at + second));
    }

    #[test]
    fn a_secret_is_not_shown() {
        let key = SigningKey {
            id: "k1".to_owned(),
            secret: [7; 32],
            created_at: DateTime::UNIX_EPOCH,
        };
        assert!(!format!("{key:?}").contains('7'));
    }
}
