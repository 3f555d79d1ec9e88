//! One-time links: setup of an installation, invitations, password resets.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::id::{AccountId, MemberId, OrgId};
use crate::named_enum::named_enum;

const HOUR: u64 = 60 * 60;

named_enum! {
    /// What a one-time link is for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum LinkPurpose {
        /// Creates an administrator of an organization.
        Setup = "setup",
        /// Gives a member an account.
        Invitation = "invitation",
        /// Sets another password.
        PasswordReset = "password_reset",
    }
}

impl LinkPurpose {
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
