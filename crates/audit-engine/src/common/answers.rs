//! What became of a URL that a link, a sitemap or a canonical names.

use crate::gather::FetchErrorKind;
use crate::site::{Site, UrlEntry, UrlId, UrlState};

/// What a request for a URL came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It answers with success.
    Fine,
    /// It does not; the words follow its name, for example "answers 404".
    Broken(String),
    /// Nobody can know: it was not requested, or the answer is meant for visitors like this one.
    Unknown,
}

/// Statuses that say something of the visitor or the moment and nothing of the page: refusals,
/// methods, rate limits, legal reasons, and the unofficial 999 of bot walls.
pub(crate) const fn is_unverifiable(status: u16) -> bool {
    matches!(status, 401 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 999)
}

/// What a request for this URL alone came to, redirects not followed.
pub(crate) fn own_fate(entry: &UrlEntry) -> Fate {
    match &entry.state {
        UrlState::Known | UrlState::Skipped(_) => Fate::Unknown,
        UrlState::Answered(answer) => match answer.status {
            status if is_unverifiable(status) => Fate::Unknown,
            200..=299 => Fate::Fine,
            status @ (301 | 302 | 303 | 307 | 308) if answer.location.is_none() => {
                Fate::Broken(format!("answers {status} without saying where to"))
            }
            status @ 400.. => Fate::Broken(format!("answers {status}")),
            _ => Fate::Unknown,
        },
        UrlState::Failed(kind, _) => match kind {
            FetchErrorKind::Dns => Fate::Broken("has a host name without an address".to_owned()),
            FetchErrorKind::Connect => Fate::Broken("cannot be connected to".to_owned()),
            FetchErrorKind::Tls => Fate::Broken("fails to set up TLS".to_owned()),
            // One slow or garbled answer is no proof.
            FetchErrorKind::Timeout | FetchErrorKind::Protocol | FetchErrorKind::NotAllowed => {
                Fate::Unknown
            }
        },
    }
}

/// What a request for this URL came to, redirects followed. A loop has no fate.
pub(crate) fn fate(site: &Site, id: UrlId) -> Fate {
    let Some(landing) = site.urls.landing(id) else {
        return Fate::Unknown;
    };
    let Some(entry) = site.urls.get(landing) else {
        return Fate::Unknown;
    };
    match own_fate(entry) {
        Fate::Broken(what) if landing != id => {
            Fate::Broken(format!("redirects to {}, which {what}", entry.url))
        }
        fate => fate,
    }
}

/// Whether the URL was requested, whatever came of it.
pub(crate) const fn was_requested(entry: &UrlEntry) -> bool {
    matches!(entry.state, UrlState::Answered(_) | UrlState::Failed(..))
}

/// The internal URLs that were requested as pages, in the order met.
pub(crate) fn requested_urls(site: &Site) -> impl Iterator<Item = (UrlId, &UrlEntry)> {
    site.urls
        .iter()
        .filter(|(_, entry)| entry.internal && was_requested(entry))
}
