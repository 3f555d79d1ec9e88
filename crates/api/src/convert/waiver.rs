use api_types::waiver as wire;
use chrono::{DateTime, Utc};
use domain::action::Author;
use domain::id::{SiteId, WaiverId};
use domain::ports::{CheckCatalogue, IdSource};
use domain::report::Variant;
use domain::waiver::{Waiver, WaiverAuthor, WaiverRequest};
use httpkit::problem::{FieldCode, Problem, field_error};
use report::json::{waiver_author, waiver_state};

use super::{is_shown, time};

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
    ids: &dyn IdSource,
    now: DateTime<Utc>,
) -> Result<Waiver, Problem> {
    let expires_at = asked.expires_at.as_deref().map(parse_time).transpose();
    let request = WaiverRequest {
        check_id: asked.check_id,
        path: asked.path,
        cause: asked.cause,
        reason: asked.reason,
        expires_at: expires_at.as_ref().ok().copied().flatten(),
    };
    let is_check = |id: &str| {
        checks
            .check(id)
            .is_some_and(|check| is_shown(&check, variant))
    };
    let terms = request.validate(is_check, Some(now)).map_err(Problem::from);
    let terms = match (terms, expires_at) {
        (Ok(terms), Ok(_)) => terms,
        (Err(problem), Ok(_)) => return Err(problem),
        (terms, Err(message)) => {
            let mut errors = terms.err().map_or_else(Vec::new, Problem::into_fields);
            errors.push(field_error(FieldCode::NotADate, "expiresAt", message));
            return Err(Problem::fields(errors));
        }
    };
    Ok(Waiver {
        id: WaiverId::make(ids),
        terms,
        author: WaiverAuthor::from(author),
        created_at: Some(now),
    })
}

fn parse_time(text: &str) -> Result<DateTime<Utc>, &'static str> {
    DateTime::parse_from_rfc3339(text)
        .map(|at| at.with_timezone(&Utc))
        .map_err(|_| "Must be a time in RFC 3339, for example 2027-01-31T00:00:00Z.")
}
