//! Follows redirects.

use url::Url;

use super::exchange::Exchange;
use crate::gather::{FetchError, FetchErrorKind, Request, Response};
use crate::site::{Probe, ProbeAnswer};

/// The message for a redirect loop or a redirect chain that is too long.
pub(crate) const ENDLESS_REDIRECTS: &str = "the redirects form a loop or a chain that is too long";

/// A request with its redirects.
#[derive(Debug)]
pub(crate) struct Followed {
    /// The followed redirects.
    pub(crate) hops: Vec<(u16, Url)>,
    /// The last response. It may be a redirect that was not followed.
    pub(crate) answer: Result<Response, FetchError>,
}

/// Sends the request and follows at most `most` redirects, each through the gates again. Stops at a URL that
/// occurred before and at the first target that `may_follow` refuses.
///
/// Headers of the request go only to its own origin.
pub(crate) async fn follow(
    exchange: &Exchange,
    request: Request,
    most: usize,
    may_follow: impl Fn(&Url) -> bool,
) -> Followed {
    let mut hops: Vec<(u16, Url)> = Vec::new();
    let mut request = request;
    loop {
        let response = match exchange.send(request.clone()).await {
            Ok(response) => response,
            Err(error) => {
                return Followed {
                    hops,
                    answer: Err(error),
                };
            }
        };
        let Some(target) = response.redirect_target() else {
            return Followed {
                hops,
                answer: Ok(response),
            };
        };
        let again = target == request.url || hops.iter().any(|(_, url)| *url == target);
        if again || hops.len() >= most {
            hops.push((response.status, request.url));
            return Followed {
                hops,
                answer: Err(FetchError::new(FetchErrorKind::Protocol, ENDLESS_REDIRECTS)),
            };
        }
        if !may_follow(&target) {
            return Followed {
                hops,
                answer: Ok(response),
            };
        }
        hops.push((response.status, request.url.clone()));
        if target.origin() != request.url.origin() {
            request.headers.clear();
        }
        request.url = target;
    }
}

/// Converts a followed request to a probe.
pub(crate) fn probe_of(
    requested: &Url,
    hops: Vec<(u16, Url)>,
    answer: Result<Response, FetchError>,
) -> Probe {
    Probe {
        requested: requested.clone(),
        hops,
        result: answer
            .map(|response| ProbeAnswer {
                url: response.url,
                status: response.status,
                headers: response.headers,
                body: response.body,
                version: response.version,
            })
            .map_err(|error| (error.kind, error.message)),
    }
}
