use api_types::waiver as wire;
use chrono::{DateTime, Utc};
use domain::action::Author;
use domain::id::{SiteId, WaiverId};
use domain::ports::{CheckCatalogue, IdSource};
use domain::report::Variant;
use domain::waiver::{Waiver, WaiverAuthor, WaiverRequest};
use httpkit::problem::{FieldCode, Problem};
use report::json::{waiver_author, waiver_state};

use super::{given_time, is_shown, time};
use crate::input::InvalidFields;

/// The waivers of a site, with their state at this time.
pub(crate) fn waivers(site: &SiteId, waivers: &[Waiver], now: DateTime<Utc>) -> wire::WaiverList {
    let waivers = waivers.iter();
    wire::WaiverList {
        waivers: waivers.map(|one| waiver(site, one, now)).collect(),
    }
}

/// A waiver, with its state at this time.
pub(crate) fn waiver(site: &SiteId, waiver: &Waiver, now: DateTime<Utc>) -> wire::Waiver {
    let terms = &waiver.terms;
    wire::Waiver {
        waiver_id: waiver.id.to_string(),
        site_id: site.to_string(),
        check_id: terms.check_id.clone(),
        path: terms.path.clone(),
        cause: terms.cause.clone(),
        reason: terms.reason.clone(),
        author: waiver_author(&waiver.author),
        created_at: time(waiver.created_at.unwrap_or_default()),
        expires_at: terms.expires_at.map(time),
        state: waiver_state(waiver.state(now)),
    }
}

/// The waiver of a request, which has to name a check of the variant.
pub(crate) fn new_waiver(
    asked: wire::CreateWaiverRequest,
    (checks, variant): (&dyn CheckCatalogue, Variant),
    author: &Author,
    (ids, now): (&dyn IdSource, DateTime<Utc>),
    invalid: &mut InvalidFields,
) -> Option<Waiver> {
    let expires_at = invalid.check(asked.expires_at.as_deref().map(expiry).transpose());
    let request = WaiverRequest {
        check_id: asked.check_id,
        path: asked.path,
        cause: asked.cause,
        reason: asked.reason,
        expires_at: expires_at.flatten(),
    };
    let is_check = |id: &str| {
        checks
            .check(id)
            .is_some_and(|check| is_shown(&check, variant))
    };
    let terms = invalid.check(request.validate(is_check, Some(now)));
    expires_at?;
    Some(Waiver {
        id: WaiverId::make(ids),
        terms: terms?,
        author: WaiverAuthor::from(author),
        created_at: Some(now),
    })
}

/// The time at which a waiver expires.
fn expiry(text: &str) -> Result<DateTime<Utc>, Problem> {
    given_time::parse(text)
        .map_err(|message| Problem::coded(FieldCode::NotADate, "expiresAt", message))
}
