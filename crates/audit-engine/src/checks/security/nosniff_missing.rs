//! Files whose type browsers may guess.

use crate::check::{Evidence, Outcome, Verdicts};
use crate::declare_check;
use crate::gather::Headers;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Pages, and the site's own scripts and style sheets, come with `X-Content-Type-Options: nosniff`.
    ///
    /// ## Why it matters
    /// Without the header a browser may take a file for something else than its type says. An
    /// uploaded text file can then run as a script.
    ///
    /// ## How to fix it
    /// Let the server send `X-Content-Type-Options: nosniff` with every answer, and give every file its
    /// right `Content-Type`.
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
    /// Images, fonts and files of other sites are not judged. Files that answer with an error or were
    /// not requested are left out. Of several values the first decides, as in browsers; the
    /// Observatory takes `nosniff, nosniff` for a mistake.
    ///
    /// ## References
    /// - WHATWG Fetch Standard, X-Content-Type-Options header
    /// - MDN HTTP Observatory, tests and scoring: X-Content-Type-Options
    NOSNIFF_MISSING {
        id: "nosniff-missing",
        title: "Browsers may guess the type of files",
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
    for page in &site.pages {
        if let Some(headers) = &page.headers {
            verdicts.judge(page.url.as_str(), outcome(headers));
        }
    }
    let judged = site.resources.iter().filter(|resource| {
        resource.internal
            && resource.ok()
            && matches!(
                resource.kind,
                ResourceKind::Script | ResourceKind::Stylesheet
            )
    });
    for resource in judged {
        verdicts.judge(resource.url.as_str(), outcome(&resource.headers));
    }
}

/// The first value of the list decides.
fn outcome(headers: &Headers) -> Outcome {
    let written = headers.get("x-content-type-options");
    let first = written
        .and_then(|value| value.split(',').next())
        .map(str::trim);
    match first {
        Some(value) if value.eq_ignore_ascii_case("nosniff") => Outcome::Passed,
        Some(value) => Outcome::failed(vec![
            Evidence::header("X-Content-Type-Options", value).message(format!(
                "X-Content-Type-Options has the value `{value}`; expected is nosniff."
            )),
        ]),
        None => Outcome::failed(vec![
            Evidence::here().message("The header X-Content-Type-Options: nosniff is missing."),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn pages_scripts_and_styles_are_judged_one_by_one() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nX-Content-Type-Options: NoSniff\n\n<script src=/a.js></script><link rel=stylesheet href=/b.css><img src=/c.png><script src=https://e.org/d.js></script>\n=== /a.js\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\na()\n=== /b.css\nHTTP/1.1 404 Not Found\n\n=== https://e.org/d.js\nHTTP/1.1 200 OK\n\nd()\n=== /c.png\nHTTP/1.1 200 OK\n\nc";
        let tallied = audit(&NOSNIFF_MISSING, site);
        assert_eq!((tallied.applicable, tallied.affected), (2, 1));
    }

    #[test]
    fn another_value_fails() {
        let site = "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nX-Content-Type-Options: none, nosniff\n\n<p>x";
        assert_eq!(audit(&NOSNIFF_MISSING, site).affected, 1);
    }
}
