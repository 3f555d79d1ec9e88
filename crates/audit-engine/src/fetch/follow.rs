//! Redirects, followed by hand.

use url::Url;

use super::exchange::Exchange;
use crate::gather::{FetchError, FetchErrorKind, Request, Response};
use crate::site::{Probe, ProbeAnswer};

/// What is said of redirects that go in a circle or on and on.
pub(crate) const ENDLESS: &str = "the redirects do not come to an end";

/// A request followed to its end.
#[derive(Debug)]
pub(crate) struct Followed {
    /// The redirects on the way.
    pub(crate) hops: Vec<(u16, Url)>,
    /// The last answer. A redirect that was not followed is one, too.
    pub(crate) answer: Result<Response, FetchError>,
}

/// Sends the request and follows at most `most` redirects, each through the gates again. Stops at
/// a URL that has occurred before and at the first target that `may_follow` refuses.
///
/// Headers of the request go to its own origin alone.
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
                answer: Err(FetchError::new(FetchErrorKind::Protocol, ENDLESS)),
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

/// Makes a probe of a followed request.
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
