//! Requests robots.txt.

use url::Url;

use super::exchange::Exchange;
use super::follow::{ENDLESS_REDIRECTS, follow, probe_of};
use crate::bounds::crawl::MAX_ROBOTS_BYTES;
use crate::gather::robots::{Robots, RobotsState};
use crate::gather::{FetchError, Request};
use crate::site::Probe;

/// Requests a robots.txt and evaluates its response (RFC 9309, section 2.3.1).
///
/// # Errors
/// If the host does not respond. Nothing else is fetched from it then.
pub(crate) async fn request_robots(
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
        // A redirect loop or a chain that is too long counts as a missing file (section 2.3.1.2).
        Err(error) if error.message == ENDLESS_REDIRECTS => RobotsState::Missing,
        // A server or network error disallows everything, also after a redirect (section 2.3.1.4). The same
        // applies to a target that the gates forbid.
        Err(_) if !followed.hops.is_empty() => RobotsState::Unreachable { status: None },
        Err(error) => return Err(error.clone()),
    };
    let probe = probe_of(url, followed.hops, followed.answer);
    Ok((state, probe))
}
