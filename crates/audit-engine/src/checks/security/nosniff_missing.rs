//! Responses without `X-Content-Type-Options: nosniff`.

use domain::Severity;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::declare_check;
use crate::gather::Headers;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Pages and the site's own scripts and style sheets have the header
    /// `X-Content-Type-Options: nosniff`.
    ///
    /// ## Why it matters
    /// Without the header, browsers may guess the type of a file and ignore its `Content-Type`
    /// (MIME sniffing). An uploaded text file can then run as a script.
    ///
    /// ## How to fix it
    /// Configure the server to send `X-Content-Type-Options: nosniff` with every response, and to send the correct
    /// `Content-Type` for every file. On nginx: `add_header X-Content-Type-Options nosniff always;`.
    ///
    /// ## Example
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```http
    /// HTTP/1.1 200 OK
    /// Content-Type: text/html; charset=utf-8
    /// X-Content-Type-Options: nosniff
    ///
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    ///
    /// ## Limits
    /// The severity is minor on a site whose pages set no cookies: a script that runs there finds no session to steal.
    ///
    /// The check does not evaluate images, fonts and files of other sites. It ignores files that
    /// return an error or were not requested. If the header has several values, the first one
    /// applies, as in browsers; the Observatory reports `nosniff, nosniff` as invalid.
    ///
    /// ## Also known as
    /// - Observatory: `x-content-type-options-not-implemented`
    /// - ZAP: X-Content-Type-Options Header Missing
    /// - Common name: MIME sniffing
    ///
    /// ## References
    /// - WHATWG Fetch Standard, X-Content-Type-Options header
    /// - MDN HTTP Observatory, tests and scoring: X-Content-Type-Options
    NOSNIFF_MISSING {
        id: "nosniff-missing",
        title: "Missing X-Content-Type-Options: nosniff",
        dimension: Security,
        scope: Resource,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [Headers],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut headers = site.pages.iter().filter_map(|page| page.headers.as_ref());
    let severity = match headers.any(|headers| headers.has("set-cookie")) {
        true => Severity::Moderate,
        false => Severity::Minor,
    };
    let outcome = |headers: &Headers| outcome(headers).with_severity(severity);
    for page in &site.pages {
        if let Some(headers) = &page.headers {
            verdicts.record(page.url.as_str(), outcome(headers));
        }
    }
    let scripts_and_styles = site.resources.iter().filter(|resource| {
        resource.internal
            && resource.ok()
            && matches!(
                resource.kind,
                ResourceKind::Script | ResourceKind::Stylesheet
            )
    });
    for resource in scripts_and_styles {
        verdicts.record(resource.url.as_str(), outcome(&resource.headers));
    }
}

/// Evaluates the header. Only the first value of the list applies.
fn outcome(headers: &Headers) -> Outcome {
    let header = headers.get("x-content-type-options");
    let first = header
        .and_then(|value| value.split(',').next())
        .map(str::trim);
    match first {
        Some(value) if value.eq_ignore_ascii_case("nosniff") => Outcome::Passed,
        Some(value) => Outcome::failed(vec![
            Evidence::header("X-Content-Type-Options", value).message(format!(
                "The X-Content-Type-Options header has the value `{value}`; expected nosniff."
            )),
        ]),
        None => Outcome::failed(vec![Evidence::here().message(
            "The response has no X-Content-Type-Options header; expected nosniff.",
        )]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn pages_scripts_and_styles_are_evaluated_separately() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nX-Content-Type-Options: NoSniff\n\n<script src=/a.js></script><link rel=stylesheet href=/b.css><img src=/c.png><script src=https://e.org/d.js></script>\n=== /a.js\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\na()\n=== /b.css\nHTTP/1.1 404 Not Found\n\n=== https://e.org/d.js\nHTTP/1.1 200 OK\n\nd()\n=== /c.png\nHTTP/1.1 200 OK\n\nc";
        let tallied = audit(&NOSNIFF_MISSING, site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
    }

    #[test]
    fn an_invalid_first_value_fails() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nX-Content-Type-Options: none, nosniff\n\n<p>x";
        assert_eq!(audit(&NOSNIFF_MISSING, site).affected, 1);
    }
}
