//! Sites that do not redirect HTTP to HTTPS.

use url::Url;

use crate::check::{Evidence, Grade, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::{Probe, Site};

declare_check! {
    /// ## What it checks
    /// The HTTP URL of the start page redirects directly to HTTPS on the same host, or no server
    /// accepts connections there. If the audit was requested for another HTTP URL, such as the one
    /// without `www.`, its redirects are judged in the same way.
    ///
    /// ## Why it matters
    /// Old links and typed addresses start with `http://`. A visitor who is not redirected stays on
    /// the insecure page. An attacker can intercept a redirect chain that passes through another
    /// HTTP URL. If the first redirect goes to another host, the browser never receives the
    /// `Strict-Transport-Security` header of the first host, and uses HTTP again on the next visit.
    ///
    /// ## How to fix it
    /// Redirect every HTTP request with status 301 to the same URL with `https://`. Redirect to another host name,
    /// such as the one with `www.`, only from there.
    ///
    /// ## Example
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === http://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === https://example.com/
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === http://example.com/
    /// HTTP/1.1 301 Moved Permanently
    /// Location: https://example.com/
    ///
    /// ```
    ///
    /// ## Limits
    /// The crawler requests only the start page, and only on the default port. If the first
    /// redirect goes to HTTPS on another host, the check deducts a quarter of what a missing
    /// redirect costs. If the HTTP URL returns an error, the outcome is "cannot tell"; the
    /// Observatory treats an error as a missing redirect. This check does not know the HSTS preload
    /// list.
    ///
    /// ## Also known as
    /// - Lighthouse: `redirects-http`
    /// - Observatory: `redirection-missing`, `redirection-not-to-https`, `redirection-off-host-from-http`
    ///
    /// ## References
    /// - MDN HTTP Observatory, tests and scoring: Redirection
    HTTP_NO_REDIRECT {
        id: "http-no-redirect",
        title: "Missing or unsafe redirect from HTTP to HTTPS",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    if site.start.scheme() != "https" {
        return Outcome::NotApplicable;
    }
    let of_start = match &site.probes.plain_http {
        _ if site.start.port().is_some() => Outcome::NotApplicable,
        None => Outcome::CannotTell(NOT_ASKED),
        Some(probe) => evaluate_probe(probe),
    };
    match requested_chain(site) {
        Some(chain) => worse(of_start, evaluate_chain(&site.requested, &chain)),
        None => of_start,
    }
}

fn evaluate_probe(probe: &Probe) -> Outcome {
    let chain = redirect_chain(probe);
    if chain.is_empty() {
        return evaluate_without_redirect(probe);
    }
    evaluate_chain(&probe.requested, &chain)
}

/// The redirects of the requested URL, if it is on plain HTTP and not the HTTP URL of the start page, which is
/// evaluated anyway.
fn requested_chain(site: &Site) -> Option<Vec<Url>> {
    let requested = &site.requested;
    let is_start = site
        .probes
        .plain_http
        .as_ref()
        .is_some_and(|probe| probe.requested == *requested);
    if requested.scheme() != "http" || requested.port().is_some() || is_start {
        return None;
    }
    let (id, _) = site.lookup(requested)?;
    let behind = site.urls.chain(id).into_iter().skip(1);
    let chain: Vec<Url> = behind
        .filter_map(|id| Url::parse(site.urls.url(id)).ok())
        .collect();
    (!chain.is_empty()).then_some(chain)
}

/// The outcome that costs more; the first of two that cost the same, unless it is unknown.
fn worse(first: Outcome, second: Outcome) -> Outcome {
    let rank = |outcome: &Outcome| match outcome {
        Outcome::Failed(_) => 3,
        Outcome::Graded(..) => 2,
        Outcome::Passed => 1,
        _ => 0,
    };
    if rank(&second) > rank(&first) {
        second
    } else {
        first
    }
}

/// Evaluates the redirects of an HTTP URL, of which there is at least one.
fn evaluate_chain(requested: &Url, chain: &[Url]) -> Outcome {
    let Some(first) = chain.first() else {
        return Outcome::NotApplicable;
    };
    if first.scheme() != "https" {
        return failed(
            requested,
            "first-hop",
            format!(
                "{requested} redirects first to {first}, which is not HTTPS; expected HTTPS on the same host."
            ),
        );
    }
    if let Some(back) = chain.iter().find(|url| url.scheme() != "https") {
        return failed(
            requested,
            "back",
            format!("{requested} redirects to HTTPS and then back to {back} over plain HTTP."),
        );
    }
    if first.host() == requested.host() {
        return Outcome::Passed;
    }
    let evidence = Evidence::here()
        .at(requested.as_str())
        .message(format!(
            "{requested} redirects first to {first}, which is another host; expected HTTPS on the same host."
        ))
        .cause(
            "other-host",
            "HTTP redirects to another host before HTTPS on the same host",
        );
    Outcome::graded(OTHER_HOST, vec![evidence])
}

/// The redirects still end on HTTPS.
const OTHER_HOST: Grade = Grade::from_hundredths(75);

/// The URLs in the redirect chain, without the requested URL.
fn redirect_chain(probe: &Probe) -> Vec<Url> {
    let hops = probe.hops.iter().skip(1).map(|(_, url)| url.clone());
    let mut chain: Vec<Url> = hops.collect();
    if let Some(answer) = probe.answer() {
        if !probe.hops.is_empty() {
            chain.push(answer.url.clone());
        }
        let location = answer
            .headers
            .get("location")
            .filter(|_| matches!(answer.status, 301 | 302 | 303 | 307 | 308));
        chain.extend(location.and_then(|target| answer.url.join(target.trim()).ok()));
    }
    chain
}

/// The outcome for an HTTP URL that does not redirect.
fn evaluate_without_redirect(probe: &Probe) -> Outcome {
    match &probe.result {
        Err((FetchErrorKind::Connect, _)) if probe.hops.is_empty() => Outcome::Passed,
        Err((FetchErrorKind::Tls, why)) if !probe.hops.is_empty() => failed(
            &probe.requested,
            "certificate",
            format!(
                "{} redirects to HTTPS, where the TLS connection fails: {why}.",
                probe.requested
            ),
        ),
        Err(_) => Outcome::CannotTell("The request over plain HTTP failed."),
        Ok(answer) if answer.status < 300 => failed(
            &probe.requested,
            "",
            format!(
                "{} returns status {}; expected a redirect to HTTPS.",
                probe.requested, answer.status
            ),
        ),
        Ok(_) => Outcome::CannotTell("The HTTP URL of the start page returns an error."),
    }
}

fn failed(requested: &Url, cause: &str, message: String) -> Outcome {
    let evidence = Evidence::here().at(requested.as_str()).message(message);
    Outcome::failed(vec![match cause {
        "first-hop" => evidence.cause(cause, "HTTP redirects to another HTTP URL first"),
        "certificate" => evidence.cause(
            cause,
            "HTTP redirects to HTTPS, but the TLS connection fails",
        ),
        "back" => evidence.cause(cause, "A redirect leads from HTTPS back to HTTP"),
        _ => evidence,
    }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    fn affected(http: &str) -> (u64, u64) {
        let site = format!("=== https://example.com/\n<p>x\n=== http://example.com/\n{http}");
        let tallied = audit(&HTTP_NO_REDIRECT, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_page_without_a_redirect_fails() {
        assert_eq!(affected("<p>x"), (1, 1));
    }

    #[test]
    fn redirects_to_https_on_the_same_host_pass() {
        assert_eq!(
            affected("HTTP/1.1 308 Moved\nLocation: https://example.com/\n"),
            (1, 0)
        );
        let on = "HTTP/1.1 301 Moved\nLocation: https://example.com/a\n\n=== https://example.com/a\nHTTP/1.1 301 Moved\nLocation: https://www.example.com/\n";
        assert_eq!(affected(on), (1, 0));
    }

    #[test]
    fn a_first_redirect_to_another_host_costs_a_quarter() {
        for host in ["www.example.com", "login.example.net"] {
            let http = format!("HTTP/1.1 301 Moved\nLocation: https://{host}/\n");
            assert_eq!(affected(&http), (1, 1));
        }
    }

    /// The causes of the audit of `http://example.com/`, which ends on the host with `www.`. That host itself
    /// redirects correctly.
    fn causes_of_requested(redirects: &str) -> Vec<String> {
        let site = format!(
            "{redirects}\n=== https://www.example.com/\n<p>x\n=== http://www.example.com/\nHTTP/1.1 301 Moved\nLocation: https://www.example.com/\n"
        );
        let tallied = audit_from(&HTTP_NO_REDIRECT, "http://example.com/", &site);
        let causes = tallied.findings.into_iter().map(|found| found.cause);
        causes.collect()
    }

    #[test]
    fn the_first_redirect_of_a_requested_http_url_is_judged() {
        const TO: &str = "HTTP/1.1 301 Moved\nLocation:";
        let over_http = format!("=== http://example.com/\n{TO} http://www.example.com/\n");
        assert_eq!(causes_of_requested(&over_http), ["first-hop"]);
        let elsewhere = format!("=== http://example.com/\n{TO} https://www.example.com/\n");
        assert_eq!(causes_of_requested(&elsewhere), ["other-host"]);
        let right = format!(
            "=== http://example.com/\n{TO} https://example.com/\n\n=== https://example.com/\n{TO} https://www.example.com/\n"
        );
        assert!(causes_of_requested(&right).is_empty());
    }

    #[test]
    fn another_port_of_the_same_host_is_not_another_host() {
        let site = "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com:8443/\n\n=== https://example.com:8443/\n<p>x";
        let tallied = audit_from(&HTTP_NO_REDIRECT, "http://example.com/", site);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
    }

    #[test]
    fn a_redirect_to_https_with_a_tls_error_fails() {
        let broken = "HTTP/1.1 301 Moved\nLocation: https://www.example.com/\n\n=== https://www.example.com/\nFAILS tls";
        assert_eq!(affected(broken), (1, 1));
    }

    #[test]
    fn a_first_redirect_over_http_fails() {
        let detour = "HTTP/1.1 301 Moved\nLocation: http://www.example.com/\n\n=== http://www.example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n";
        assert_eq!(affected(detour), (1, 1));
    }

    #[test]
    fn an_error_over_http_cannot_tell() {
        assert_eq!(affected("HTTP/1.1 403 Forbidden\n"), (0, 0));
    }
}
