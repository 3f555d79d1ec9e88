//! The target that a caller names.

use chrono::{DateTime, Utc};
use url::Url;

use crate::audit_log::{Actor, AuditNote};
use crate::id::OrgId;
use crate::ports::{OrgStore, StoreError};
use crate::site::SiteHost;
use crate::target::{AllowTargets, InvalidTarget, TargetError, gate_url};

/// Characters of a refused URL that the audit log keeps.
const SHOWN_URL_CHARS: usize = 500;

/// Why a target is rejected.
pub(super) enum TargetRejected {
    /// The URL is none, or its target is not allowed.
    Target(TargetError),
    /// The database failed.
    Store(StoreError),
}

impl From<TargetError> for TargetRejected {
    fn from(error: TargetError) -> Self {
        Self::Target(error)
    }
}

/// The URL that a caller names, without its fragment, and its host. A target that is not allowed
/// leaves a line in the audit log.
pub(super) fn check_target<S: OrgStore + ?Sized>(
    stores: &S,
    allow: &AllowTargets,
    org: &OrgId,
    text: &str,
    by: &Actor,
    now: DateTime<Utc>,
) -> Result<(Url, SiteHost), TargetRejected> {
    // A refused URL has no user information in it: that is refused before, as invalid.
    let shown = |text: &str| text.chars().take(SHOWN_URL_CHARS).collect();
    let url = check_url(stores, allow, org, (text, &shown), by, now)?;
    let host = SiteHost::from_url(&url).ok_or(TargetError::from(InvalidTarget::NoHost))?;
    Ok((url, host))
}

/// The URL that a caller names, without its fragment. One that is not allowed leaves a line in the audit log with
/// what `shown` makes of it.
pub(super) fn check_url<S: OrgStore + ?Sized>(
    stores: &S,
    allow: &AllowTargets,
    org: &OrgId,
    (text, shown): (&str, &dyn Fn(&str) -> String),
    by: &Actor,
    now: DateTime<Utc>,
) -> Result<Url, TargetRejected> {
    match gate_url(text, allow) {
        Ok(mut url) => {
            url.set_fragment(None);
            Ok(url)
        }
        Err(error) => {
            if let TargetError::NotAllowed { .. } = &error {
                let note = AuditNote {
                    event: "target.refused",
                    subject: shown(text),
                    detail: error.to_string(),
                };
                stores
                    .note(org, now, by, &note)
                    .map_err(TargetRejected::Store)?;
            }
            Err(error.into())
        }
    }
}
