//! The status of a URL that a link, a sitemap or a canonical references.

use crate::gather::FetchErrorKind;
use crate::site::{Site, UrlEntry, UrlId, UrlState};

/// The result of a request for a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LinkStatus {
    /// The response is a success.
    Fine,
    /// The request fails. The text is the predicate after the URL, for example "returns status 404".
    Broken(String),
    /// The URL was not requested, or its response applies only to this visitor or moment.
    Unknown,
}

/// Whether the status depends on the visitor or the moment and not on the page: access denied, method not
/// allowed, rate limits, legal reasons, and the unofficial status 999 of bot protection.
pub(crate) const fn is_unverifiable(status: u16) -> bool {
    matches!(status, 401 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 999)
}

/// The status of this URL alone; redirects are not followed.
pub(crate) fn own_link_status(entry: &UrlEntry) -> LinkStatus {
    match &entry.state {
        UrlState::Known | UrlState::Skipped(_) => LinkStatus::Unknown,
        UrlState::Responded(answer) => match answer.status {
            status if is_unverifiable(status) => LinkStatus::Unknown,
            200..=299 => LinkStatus::Fine,
            status @ (301 | 302 | 303 | 307 | 308) if answer.location.is_none() => {
                LinkStatus::Broken(format!("returns status {status} without a Location header"))
            }
            status @ 400.. => LinkStatus::Broken(format!("returns status {status}")),
            _ => LinkStatus::Unknown,
        },
        UrlState::Failed(kind, _) => match kind {
            FetchErrorKind::Dns => {
                LinkStatus::Broken("has a host name that DNS does not resolve".to_owned())
            }
            FetchErrorKind::Connect => LinkStatus::Broken("does not accept connections".to_owned()),
            FetchErrorKind::Tls => LinkStatus::Broken("fails the TLS handshake".to_owned()),
            // One slow or malformed response does not prove that the URL is broken.
            FetchErrorKind::Timeout | FetchErrorKind::Protocol | FetchErrorKind::NotAllowed => {
                LinkStatus::Unknown
            }
        },
    }
}

/// The status of the URL after its redirects. The status of a redirect loop is unknown.
pub(crate) fn link_status(site: &Site, id: UrlId) -> LinkStatus {
    let Some(landing) = site.urls.landing(id) else {
        return LinkStatus::Unknown;
    };
    let Some(entry) = site.urls.get(landing) else {
        return LinkStatus::Unknown;
    };
    match own_link_status(entry) {
        LinkStatus::Broken(what) if landing != id => {
            LinkStatus::Broken(format!("redirects to {}, which {what}", entry.url))
        }
        status => status,
    }
}

/// Whether the URL was requested, successfully or not.
pub(crate) const fn was_requested(entry: &UrlEntry) -> bool {
    matches!(entry.state, UrlState::Responded(_) | UrlState::Failed(..))
}

/// The internal URLs that were requested as pages, in the order of discovery.
pub(crate) fn requested_urls(site: &Site) -> impl Iterator<Item = (UrlId, &UrlEntry)> {
    site.urls
        .iter()
        .filter(|(_, entry)| entry.internal && was_requested(entry))
}
