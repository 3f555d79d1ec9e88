//! Sites without a `security.txt` file.

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::gather::{is_html_type, media_type};
use crate::site::{ProbeAnswer, Site};

declare_check! {
    /// ## What it checks
    /// The file `/.well-known/security.txt` exists.
    ///
    /// ## Why it matters
    /// Security researchers who find a vulnerability look in this file for a contact to report it
    /// to. Without a contact, the vulnerability may stay unfixed or become public.
    ///
    /// ## How to fix it
    /// Create a text file at `/.well-known/security.txt` with the lines `Contact:
    /// mailto:security@example.com` and `Expires: 2027-03-31T00:00:00Z`. Use your own address and a
    /// date less than a year in the future, and renew the date before it passes.
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
    /// Expires: 2027-03-31T00:00:00Z
    /// ```
    ///
    /// ## Limits
    /// An HTML page at this URL counts as missing. If the server returns an error other than 404 or
    /// 410, the outcome is "cannot tell". For sites on loopback, it is "not applicable".
    ///
    /// ## Also known as
    /// - Internet.nl: security.txt
    /// - IETF: RFC 9116
    ///
    /// ## References
    /// - RFC 9116, A File Format to Aid in Security Vulnerability Disclosure, section 3
    SECURITY_TXT_MISSING {
        id: "security-txt-missing",
        title: "Missing security.txt",
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
            "{} returns an HTML page; expected a text file.",
            probe.requested
        )),
        200..=299 => Outcome::Passed,
        404 | 410 => missing(format!(
            "{} returns status {}; expected the security.txt file.",
            probe.requested, answer.status
        )),
        // The crawler does not follow a redirect to another site, which RFC 9116 allows.
        _ => Outcome::CannotTell(
            "The response to the request for security.txt is neither a file nor status 404 or 410.",
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
    fn an_html_page_fails() {
        assert_eq!(affected("<title>Home</title>"), (1, 1));
    }

    #[test]
    fn gone_fails_and_forbidden_cannot_tell() {
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
