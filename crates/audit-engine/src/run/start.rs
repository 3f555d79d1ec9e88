//! Follows the requested URL to the start page.

use domain::FailureCode;
use domain::target::{AllowTargets, gate_parsed_url, same_landing};
use url::Url;

use super::failure::{AuditError, Remedy};
use crate::address::{at_origin, path_and_query, without_fragment};
use crate::bounds::page::MAX_HTML_BYTES;
use crate::crawl::is_page;
use crate::fetch::exchange::Exchange;
use crate::fetch::refusal::Refusal;
use crate::fetch::robots::request_robots;
use crate::gather::robots::RobotsState;
use crate::gather::{FetchErrorKind, Request, Response};
use crate::options::{AuditOptions, PRODUCT_TOKEN};
use crate::site::{MAX_REDIRECTS, Probe};

/// The start page and the responses on the way to it.
pub(crate) struct Landing {
    /// The robots.txt files of the origins on the way, by URL; that of the start page's own origin is `robots`.
    pub(crate) asked: Vec<(Url, RobotsState)>,
    pub(crate) hops: Vec<(u16, Url)>,
    pub(crate) response: Response,
    pub(crate) robots: RobotsState,
    pub(crate) robots_probe: Probe,
}

/// Follows the requested URL to the page at which the crawl begins. Before the first request to an origin its
/// robots.txt is requested.
pub(crate) async fn land(
    exchange: &Exchange,
    requested: &Url,
    options: &AuditOptions,
    allow: &AllowTargets,
) -> Result<Landing, AuditError> {
    let mut hops: Vec<(u16, Url)> = Vec::new();
    let mut current = requested.clone();
    let mut robots: Option<(Url, RobotsState, Probe)> = None;
    let mut asked: Vec<(Url, RobotsState)> = Vec::new();
    loop {
        let origin = at_origin(&current, "/robots.txt");
        let (state, probe) = match robots.take().filter(|(of, _, _)| *of == origin) {
            Some((_, state, probe)) => (state, probe),
            None => first_request(exchange, &origin).await?,
        };
        if options.respect_robots && !state.is_allowed(PRODUCT_TOKEN, &path_and_query(&current)) {
            return Err(disallowed(exchange, &current, &state).await);
        }
        let response = exchange
            .send(Request::page(current.clone(), MAX_HTML_BYTES))
            .await
            .map_err(|error| AuditError::of_fetch(&error))?;
        // Fragments are never sent, and do not identify another page.
        let target = response.redirect_target().as_ref().map(without_fragment);
        let Some(target) = target else {
            evaluate_start(&response)?;
            return Ok(Landing {
                asked,
                hops,
                response,
                robots: state,
                robots_probe: probe,
            });
        };
        if target == current || hops.iter().any(|(_, url)| *url == target) {
            return Err(AuditError::failed(
                FailureCode::TooManyRedirects,
                format!(
                    "{requested} is in a redirect loop: {current} redirects back to {target}. Fix the redirects."
                ),
            ));
        }
        if hops.len() >= MAX_REDIRECTS {
            return Err(AuditError::failed(
                FailureCode::TooManyRedirects,
                format!(
                    "{requested} has a redirect chain of more than {MAX_REDIRECTS} redirects. Use the last URL."
                ),
            ));
        }
        gate_parsed_url(&target, allow).map_err(|error| redirect_refused(&error))?;
        if !same_landing(requested, &target) {
            return Err(AuditError::failed(
                FailureCode::RedirectedElsewhere,
                format!(
                    "{requested} redirects to another site, {target}. To audit that site, use its URL."
                ),
            ));
        }
        hops.push((response.status, current));
        exchange.adopt(&target);
        current = target;
        if at_origin(&current, "/robots.txt") == origin {
            robots = Some((origin, state, probe));
        } else {
            asked.push((origin, state));
        }
    }
}

/// Requests robots.txt, the first request to an origin. If its certificate is invalid, the certificate is
/// accepted, so that the audit has a report that says so. No headers of the run are sent over such a connection.
async fn first_request(
    exchange: &Exchange,
    robots: &Url,
) -> Result<(RobotsState, Probe), AuditError> {
    let error = match request_robots(exchange, robots).await {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    if error.kind == FetchErrorKind::Tls && exchange.accept_certificate(robots, &error.message) {
        match request_robots(exchange, robots).await {
            Ok(found) => return Ok(found),
            // There is no TLS connection with any certificate.
            Err(_) => exchange.reject_certificate(robots),
        }
    }
    Err(AuditError::of_fetch(&error))
}

/// The site chose the target of the redirect, so this is never a usage error.
fn redirect_refused(error: &domain::target::TargetError) -> AuditError {
    let message = format!("The site redirects to a target that is not allowed: {error}.");
    AuditError::failed(FailureCode::TargetNotAllowed, message)
        .with_remedy(error.allow_target().map(Remedy::AllowTarget))
}

/// Why the start page is disallowed. If robots.txt itself returns 5xx, the start URL, which a person entered,
/// is requested once, to distinguish a site that is down from a broken robots.txt.
async fn disallowed(exchange: &Exchange, url: &Url, state: &RobotsState) -> AuditError {
    let RobotsState::Unreachable { status } = state else {
        return AuditError::failed(
            FailureCode::RobotsDisallowed,
            format!("robots.txt disallows {url} for {PRODUCT_TOKEN}. Allow it there."),
        )
        .with_remedy(Some(Remedy::IgnoreRobots));
    };
    match exchange.send(Request::head(url.clone())).await {
        Err(error) => return AuditError::of_fetch(&error),
        Ok(response) if response.status >= 500 => return http_error(&response),
        Ok(_) => {}
    }
    let status = status.map_or_else(|| "an error".to_owned(), |status| status.to_string());
    AuditError::failed(
        FailureCode::RobotsDisallowed,
        format!(
            "robots.txt returns {status}, which crawlers must treat as \"disallow all\" (RFC 9309, \
             section 2.3.1.4). Repair it."
        ),
    )
    .with_remedy(Some(Remedy::IgnoreRobots))
}

fn evaluate_start(response: &Response) -> Result<(), AuditError> {
    if let Some(refusal) = Refusal::from_response(response) {
        let evidence = format!("{} responds with {}", response.url, refusal.sign);
        return Err(blocked(&evidence));
    }
    if !(200..300).contains(&response.status) {
        return Err(http_error(response));
    }
    if response.body.is_empty() && response.is_html() {
        return Err(AuditError::failed(
            FailureCode::NotHtml,
            format!(
                "{} returns an empty document. Use the URL of a page.",
                response.url
            ),
        ));
    }
    if !is_page(response) {
        let media_type = response.media_type();
        let what = if media_type.is_empty() {
            "no media type".to_owned()
        } else {
            media_type
        };
        return Err(AuditError::failed(
            FailureCode::NotHtml,
            format!(
                "{} is not an HTML document: it returns {} with {what}. Use the URL of a page.",
                response.url, response.status
            ),
        ));
    }
    Ok(())
}

fn http_error(response: &Response) -> AuditError {
    let hint = match response.status {
        401 => "The page requires a login. Use the URL of a public page.",
        404 | 410 => "Check the path.",
        500..=599 => "The server reports an error. Check its log.",
        301 | 302 | 303 | 307 | 308 => "The redirect has no Location header.",
        _ => "Check that the URL works in a browser.",
    };
    AuditError::failed(
        FailureCode::HttpError,
        format!(
            "{} returns status {}. {hint}",
            response.url, response.status
        ),
    )
}

/// The site blocks automated visitors.
pub(super) fn blocked(evidence: &str) -> AuditError {
    AuditError::failed(
        FailureCode::Blocked,
        format!(
            "The site blocks automated visitors: {evidence}. Allow {PRODUCT_TOKEN}, or \
             audit from an address the site trusts."
        ),
    )
}

/// Whether the failed fetch sent no request.
pub(crate) const fn never_sent(kind: FetchErrorKind) -> bool {
    matches!(kind, FetchErrorKind::NotAllowed)
}
