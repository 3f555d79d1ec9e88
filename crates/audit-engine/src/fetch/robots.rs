//! Requests robots.txt.

use url::Url;

use super::exchange::Exchange;
use super::follow::{ENDLESS, follow, probe_of};
use crate::bounds::crawl::MAX_ROBOTS_BYTES;
use crate::gather::robots::{Robots, RobotsState};
use crate::gather::{FetchError, Request};
use crate::site::Probe;

/// What the answer to a request for a robots.txt means (RFC 9309, section 2.3.1).
///
/// # Errors
/// When the host gave no answer at all: nothing else of it will be fetched either.
pub(crate) async fn ask_robots(
    exchange: &Exchange,
    url: &Url,
) -> Result<(RobotsState, Probe), FetchError> {
    // RFC 9309, section 2.3.1.2: at least five redirects, across hosts too.
    let request = Request::get(url.clone(), MAX_ROBOTS_BYTES);
    let followed = follow(exchange, request, 5, |_| true).await;
    let state = match &followed.answer {
        Ok(response) => match response.status {
            200..=299 if response.truncated => {
                RobotsState::Found(Robots::parse_beginning(&response.body))
            }
            200..=299 => RobotsState::Found(Robots::parse(&response.body)),
            500..=599 => RobotsState::Unreachable {
                status: Some(response.status),
            },
            _ => RobotsState::Missing,
        },
        // Redirects that do not come to an end are as good as no file (section 2.3.1.2).
        Err(error) if error.message == ENDLESS => RobotsState::Missing,
        // A server or network that fails forbids everything, behind a redirect as well
        // (section 2.3.1.4). Nor is a target that may not be visited a reason to go on.
        Err(_) if !followed.hops.is_empty() => RobotsState::Unreachable { status: None },
        Err(error) => return Err(error.clone()),
    };
    let probe = probe_of(url, followed.hops, followed.answer);
    Ok((state, probe))
}
