//! One-time links: setup of an installation, invitations, password resets.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::id::{AccountId, MemberId, OrgId};

const HOUR: u64 = 60 * 60;

/// What a one-time link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkPurpose {
    /// Creates an administrator of an organization.
    Setup,
    /// Gives a member an account.
    Invitation,
    /// Sets another password.
    PasswordReset,
}

impl LinkPurpose {
    /// All purposes.
    pub const ALL: [Self; 3] = [Self::Setup, Self::Invitation, Self::PasswordReset];

    /// The name in the database and the audit log.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Invitation => "invitation",
            Self::PasswordReset => "password_reset",
        }
    }

    /// The purpose of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == name)
    }

    /// How long a link works.
    #[must_use]
    pub const fn lifetime(self) -> Duration {
        Duration::from_secs(match self {
            Self::Setup | Self::PasswordReset => HOUR,
            Self::Invitation => 72 * HOUR,
        })
    }
}

/// A one-time link as it is stored, without its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneTimeLink {
    /// What it is for.
    pub purpose: LinkPurpose,
    /// The organization that issued it.
    pub org_id: OrgId,
    /// The member it is for; none for a setup link.
    pub member_id: Option<MemberId>,
    /// The account whose password it resets; none for other purposes.
    pub account_id: Option<AccountId>,
    /// When it was issued.
    pub created_at: DateTime<Utc>,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
}

impl OneTimeLink {
    /// Whether it works at `now`. A link that was used is no longer stored.
    #[must_use]
    pub fn works_at(&self, now: DateTime<Utc>) -> bool {
        now < self.expires_at
    }
}
