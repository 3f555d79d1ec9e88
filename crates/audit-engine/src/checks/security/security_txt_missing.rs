//! Sites that do not say whom to tell of a hole.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::gather::{is_html_type, media_type};
use crate::site::{ProbeAnswer, Site};

declare_check! {
    /// ## What it checks
    /// `/.well-known/security.txt` exists.
    ///
    /// ## Why it matters
    /// People who find a hole look there for an address to report it to. Where they find none, the
    /// hole stays open, or becomes public.
    ///
    /// ## How to fix it
    /// Put a text file at `/.well-known/security.txt` with the lines
    /// `Contact: mailto:security@example.com` and `Expires: 2030-01-01T00:00:00Z`, with your own
    /// address and a date less than a year ahead.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === /.well-known/security.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain; charset=utf-8
    ///
    /// Contact: mailto:security@example.com
    /// Expires: 2030-01-01T00:00:00Z
    /// ```
    ///
    /// ## Limits
    /// A page in place of the file counts as missing. Where the server answers with another error
    /// than 404 or 410, the check cannot tell. Sites on loopback are not applicable.
    ///
    /// ## References
    /// - RFC 9116, A File Format to Aid in Security Vulnerability Disclosure, section 3
    SECURITY_TXT_MISSING {
        id: "security-txt-missing",
        title: "No security.txt",
        dimension: Security,
        scope: Origin,
        severity: Minor,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(probe) = &site.probes.security_txt else {
        return Outcome::CannotTell(NOT_ASKED);
    };
    let Some(answer) = probe.answer() else {
        return Outcome::CannotTell("The request for security.txt failed.");
    };
    let missing = |message: String| {
        Outcome::failed(vec![
            Evidence::here()
                .at(probe.requested.as_str())
                .message(message),
        ])
    };
    match answer.status {
        200..=299 if is_page(answer) => missing(format!(
            "{} answers with an HTML page in place of a text file.",
            probe.requested
        )),
        200..=299 => Outcome::Passed,
        404 | 410 => missing(format!(
            "{} answers with status {}.",
            probe.requested, answer.status
        )),
        // A redirect that was not followed leads to another site, which RFC 9116 allows.
        _ => Outcome::CannotTell(
            "The answer to the request for security.txt is neither a file nor 404.",
        ),
    }
}

fn is_page(answer: &ProbeAnswer) -> bool {
    is_html_type(&media_type(answer.headers.get("content-type")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{audit, audit_from};

    fn affected(answer: &str) -> (u64, u64) {
        let site = format!("=== /\n<p>x\n=== /.well-known/security.txt\n{answer}");
        let tallied = audit(&SECURITY_TXT_MISSING, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_file_passes() {
        assert_eq!(
            affected("HTTP/1.1 200 OK\nContent-Type: text/plain\n\nContact: mailto:a@b.c"),
            (1, 0)
        );
    }

    #[test]
    fn a_page_in_its_place_fails() {
        assert_eq!(affected("<title>Home</title>"), (1, 1));
    }

    #[test]
    fn not_found_fails_and_forbidden_cannot_be_judged() {
        assert_eq!(affected("HTTP/1.1 410 Gone\n"), (1, 1));
        assert_eq!(affected("HTTP/1.1 403 Forbidden\n"), (0, 0));
    }

    #[test]
    fn loopback_is_not_applicable() {
        let tallied = audit_from(
            &SECURITY_TXT_MISSING,
            "http://127.0.0.1/",
            "=== http://127.0.0.1/\n<p>x",
        );
        assert_eq!(tallied.applicable, 0);
    }
}
