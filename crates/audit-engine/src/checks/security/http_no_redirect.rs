//! Sites that do not lead visitors from http to https.

use url::Url;

use crate::check::{Evidence, Grade, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::gather::FetchErrorKind;
use crate::site::{Probe, Site};

declare_check! {
    /// ## What it checks
    /// The http address of the start page redirects to the same host on https at once, or nothing
    /// answers there.
    ///
    /// ## Why it matters
    /// Old links and typed addresses begin with http. A visitor who is not redirected stays on the
    /// insecure page, and a detour over another http address can be intercepted. Whoever is sent to
    /// another host at once never learns that the first one insists on https
    /// (`Strict-Transport-Security`), and goes over http again next time.
    ///
    /// ## How to fix it
    /// Let the server answer every http request with status 301 and the same address with `https://`
    /// in `Location`. Redirect to another host name, such as that with `www.`, from there.
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
    /// Only the start page is asked for, and only on the usual port. A first redirect that leads to
    /// https on another host name costs a quarter of what a missing one does. Where http answers with
    /// an error, the check cannot tell; the Observatory takes that for a missing redirect. Hosts that
    /// are built into browsers (the preload list) are not known.
    ///
    /// ## References
    /// - MDN HTTP Observatory, tests and scoring: Redirection
    HTTP_NO_REDIRECT {
        id: "http-no-redirect",
        title: "Plain http is not redirected to https",
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
    if site.start.scheme() != "https" || site.start.port().is_some() {
        return Outcome::NotApplicable;
    }
    match &site.probes.plain_http {
        None => Outcome::CannotTell(NOT_ASKED),
        Some(probe) => judge(probe),
    }
}

fn judge(probe: &Probe) -> Outcome {
    let path = path(probe);
    let Some(first) = path.first() else {
        return unanswered(probe);
    };
    if first.scheme() != "https" {
        return failed(
            probe,
            "first-hop",
            format!(
                "{} redirects to {first} first, which is not https.",
                probe.requested
            ),
        );
    }
    if let Some(back) = path.iter().find(|url| url.scheme() != "https") {
        return failed(
            probe,
            "back",
            format!(
                "{} is redirected to https and then back to {back}.",
                probe.requested
            ),
        );
    }
    if first.host() == probe.requested.host() {
        return Outcome::Passed;
    }
    let evidence = Evidence::here()
        .at(probe.requested.as_str())
        .message(format!(
            "{} redirects to {first}, which is another host; expected is https on the same one first.",
            probe.requested
        ))
        .cause(
            "other-host",
            "Plain http is redirected to another host before https on its own",
        );
    Outcome::graded(OTHER_HOST, vec![evidence])
}

/// Visitors end on https all the same.
const OTHER_HOST: Grade = Grade::from_hundredths(75);

/// The URLs that the redirects lead through, without the one asked for.
fn path(probe: &Probe) -> Vec<Url> {
    let hops = probe.hops.iter().skip(1).map(|(_, url)| url.clone());
    let mut path: Vec<Url> = hops.collect();
    if let Some(answer) = probe.answer() {
        if !probe.hops.is_empty() {
            path.push(answer.url.clone());
        }
        let location = answer
            .headers
            .get("location")
            .filter(|_| matches!(answer.status, 301 | 302 | 303 | 307 | 308));
        path.extend(location.and_then(|target| answer.url.join(target.trim()).ok()));
    }
    path
}

/// What an http address means that does not redirect.
fn unanswered(probe: &Probe) -> Outcome {
    match &probe.result {
        Err((FetchErrorKind::Connect, _)) if probe.hops.is_empty() => Outcome::Passed,
        Err((FetchErrorKind::Tls, why)) if !probe.hops.is_empty() => failed(
            probe,
            "certificate",
            format!(
                "The redirect of {} leads to an error: {why}.",
                probe.requested
            ),
        ),
        Err(_) => Outcome::CannotTell("The request over plain http failed."),
        Ok(answer) if answer.status < 300 => failed(
            probe,
            "",
            format!(
                "{} answers with status {} in place of a redirect to https.",
                probe.requested, answer.status
            ),
        ),
        Ok(_) => Outcome::CannotTell("The address with plain http answers with an error."),
    }
}

fn failed(probe: &Probe, cause: &str, message: String) -> Outcome {
    let evidence = Evidence::here()
        .at(probe.requested.as_str())
        .message(message);
    Outcome::failed(vec![match cause {
        "first-hop" => evidence.cause(
            cause,
            "Plain http is redirected to another http address first",
        ),
        "certificate" => evidence.cause(
            cause,
            "Plain http is redirected to https that cannot be used",
        ),
        "back" => evidence.cause(cause, "A redirect leads from https back to plain http"),
        _ => evidence,
    }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn affected(http: &str) -> (u64, u64) {
        let site = format!("=== https://example.com/\n<p>x\n=== http://example.com/\n{http}");
        let tallied = audit(&HTTP_NO_REDIRECT, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_page_over_http_fails() {
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

    #[test]
    fn a_redirect_to_https_that_cannot_be_used_fails() {
        let broken = "HTTP/1.1 301 Moved\nLocation: https://www.example.com/\n\n=== https://www.example.com/\nFAILS tls";
        assert_eq!(affected(broken), (1, 1));
    }

    #[test]
    fn a_first_redirect_over_http_fails() {
        let detour = "HTTP/1.1 301 Moved\nLocation: http://www.example.com/\n\n=== http://www.example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n";
        assert_eq!(affected(detour), (1, 1));
    }

    #[test]
    fn an_error_over_http_cannot_be_judged() {
        assert_eq!(affected("HTTP/1.1 403 Forbidden\n"), (0, 0));
    }
}
