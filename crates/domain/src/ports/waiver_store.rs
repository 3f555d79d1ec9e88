//! Where waivers are kept.

use chrono::{DateTime, Utc};

use super::StoreError;
use crate::audit_log::Actor;
use crate::id::{OrgId, SiteId, WaiverId};
use crate::idempotency::{Idempotent, IdempotentWrite, KeyReused};
use crate::waiver::Waiver;

/// Why a waiver is not stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CreateWaiverError {
    /// The organization has no such site.
    #[error("there is no such site")]
    NoSite,
    /// The site has as many as it may have.
    #[error("the site has reached the limit of {0} waivers")]
    TooMany(usize),
    /// The key of the call was used for another one.
    #[error(transparent)]
    KeyReused(#[from] KeyReused),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where waivers are kept.
pub trait WaiverStore: Send + Sync {
    /// Stores a waiver of a site, with a line in the audit log. The count is judged in the transaction, against
    /// [`MAX_WAIVERS`], and includes waivers that have expired. With a call in `once`, the change is made once, and
    /// the answer is stored with it.
    ///
    /// # Errors
    /// When there is no such site, it has as many as it may have, the key of the call was used for another one, or
    /// the database fails.
    ///
    /// [`MAX_WAIVERS`]: crate::waiver::MAX_WAIVERS
    fn create_waiver(
        &self,
        org: &OrgId,
        site: &SiteId,
        waiver: &Waiver,
        by: &Actor,
        once: Option<&IdempotentWrite<'_, Waiver>>,
    ) -> Result<Idempotent<Waiver>, CreateWaiverError>;

    /// The waivers of a site, oldest first, also those that have expired. `None` where there is no such site.
    ///
    /// # Errors
    /// When the database fails.
    fn waivers(&self, org: &OrgId, site: &SiteId) -> Result<Option<Vec<Waiver>>, StoreError>;

    /// Removes a waiver of a site, with a line in the audit log. False where there is no such waiver.
    ///
    /// # Errors
    /// When the database fails.
    fn delete_waiver(
        &self,
        org: &OrgId,
        site: &SiteId,
        waiver: &WaiverId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;

    /// Ends a waiver of a site now, with a line in the audit log: it stays in the list as expired. A waiver that has
    /// expired already stays as it is. False where there is no such waiver.
    ///
    /// # Errors
    /// When the database fails.
    fn expire_waiver(
        &self,
        org: &OrgId,
        site: &SiteId,
        waiver: &WaiverId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError>;
}
