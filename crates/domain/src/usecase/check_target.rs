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
    let mut url = match gate_url(text, allow) {
        Ok(url) => url,
        Err(error) => {
            if let TargetError::NotAllowed { .. } = &error {
                let noted = stores.note(org, now, by, &refusal(text, &error));
                noted.map_err(TargetRejected::Store)?;
            }
            return Err(error.into());
        }
    };
    url.set_fragment(None);
    let host = SiteHost::of(&url).ok_or(TargetError::from(InvalidTarget::NoHost))?;
    Ok((url, host))
}

fn refusal(url: &str, error: &TargetError) -> AuditNote {
    // A refused URL has no user information in it: that is refused before, as invalid.
    let shown: String = url.chars().take(SHOWN_URL_CHARS).collect();
    AuditNote {
        event: "target.refused",
        subject: shown,
        detail: error.to_string(),
    }
}
