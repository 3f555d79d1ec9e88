//! `security.txt` files that violate RFC 9116.

use chrono::DateTime;
use url::Url;

use crate::check::{Evidence, Outcome};
use crate::common::http::home::NOT_ASKED;
use crate::declare_check;
use crate::gather::{is_html_type, media_type};
use crate::policy::security_txt::SecurityTxt;
use crate::site::{Probe, ProbeAnswer, Site};

declare_check! {
    /// ## What it checks
    /// `security.txt` is plain text in UTF-8. It has a `Contact` field that is a URI, and exactly
    /// one `Expires` field with a date in the future. If it has a `Canonical` field, the field
    /// contains the file's own URL.
    ///
    /// ## Why it matters
    /// Security researchers and their tools trust the file only if it follows the format and has
    /// not expired.
    ///
    /// ## How to fix it
    /// Write `Contact: mailto:security@example.com` (with `mailto:` or `https://`) and `Expires:
    /// 2027-03-31T00:00:00Z` with a date less than a year in the future. Serve the file as
    /// `text/plain; charset=utf-8`.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === /.well-known/security.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain; charset=utf-8
    ///
    /// Contact: security@example.com
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
    /// The check compares `Expires` with the `Date` header of the same response; without that
    /// header, it does not evaluate the expiry. RFC 9116 recommends an `Expires` date less than a
    /// year in the future; the check does not require it. It does not verify signatures.
    ///
    /// ## Also known as
    /// - Internet.nl: security.txt
    /// - IETF: RFC 9116
    ///
    /// ## References
    /// - RFC 9116, A File Format to Aid in Security Vulnerability Disclosure, sections 2.5 and 3
    SECURITY_TXT_INVALID {
        id: "security-txt-invalid",
        title: "Invalid security.txt",
        dimension: Security,
        scope: Origin,
        severity: Moderate,
        confidence: High,
        effort: Small,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

fn evaluate(site: &Site) -> Outcome {
    let Some(probe) = &site.probes.security_txt else {
        return Outcome::CannotTell(NOT_ASKED);
    };
    let Some(answer) = probe.success() else {
        return Outcome::NotApplicable;
    };
    let media_type = media_type(answer.headers.get("content-type"));
    if is_html_type(&media_type) {
        return Outcome::NotApplicable;
    }
    let text = String::from_utf8_lossy(&answer.body);
    let file = SecurityTxt::parse(&text);
    let mut errors = Vec::new();
    errors.extend(encoding(answer, &media_type));
    errors.extend(contact(&file));
    errors.extend(expiry(&file, answer.headers.get("date")));
    errors.extend(canonical(&file, probe, answer));
    let evidence = errors.into_iter().map(|(key, message)| {
        Evidence::here()
            .at(answer.url.as_str())
            .message(message)
            .cause(key, format!("Error in security.txt: {key}"))
    });
    Outcome::from_failures(evidence.collect())
}

type FormatError = (&'static str, String);

fn encoding(answer: &ProbeAnswer, media_type: &str) -> Option<FormatError> {
    let charset = answer
        .headers
        .get("content-type")
        .and_then(|value| {
            value
                .to_ascii_lowercase()
                .split_once("charset=")
                .map(|(_, c)| c.to_owned())
        })
        .map(|charset| {
            charset
                .trim_matches(|c| matches!(c, '"' | ' ' | ';'))
                .to_owned()
        });
    if media_type != "text/plain" {
        let message = format!(
            "The file security.txt has the Content-Type `{media_type}`; expected text/plain."
        );
        return Some(("Content-Type", message));
    }
    let foreign =
        charset.filter(|charset| !matches!(charset.as_str(), "utf-8" | "utf8" | "us-ascii"));
    if let Some(charset) = foreign {
        return Some((
            "charset",
            format!("The file security.txt has the charset {charset}; expected utf-8."),
        ));
    }
    std::str::from_utf8(&answer.body).is_err().then(|| {
        (
            "charset",
            "The file security.txt is not valid UTF-8.".to_owned(),
        )
    })
}

fn contact(file: &SecurityTxt) -> Option<FormatError> {
    if file.all("contact").next().is_none() {
        return Some((
            "Contact",
            "The file security.txt has no Contact field.".to_owned(),
        ));
    }
    let wrong = file.all("contact").find(|field| !is_contact(&field.value));
    wrong.map(|field| {
        let value = &field.value;
        let message = format!(
            "The Contact field has the value `{value}`; expected a mailto:, tel: or https: URI."
        );
        ("Contact", message)
    })
}

/// Whether the value is a URI. A web URI must use `https` (section 2.5.3).
fn is_contact(value: &str) -> bool {
    Url::parse(value).is_ok_and(|url| url.scheme() != "http")
}

fn expiry(file: &SecurityTxt, now: Option<&str>) -> Option<FormatError> {
    if file.all("expires").nth(1).is_some() {
        return Some((
            "Expires",
            "The Expires field occurs more than once; expected exactly one.".to_owned(),
        ));
    }
    let message = match file.expires() {
        None => "The file security.txt has no Expires field.".to_owned(),
        Some(Err(written)) => {
            format!(
                "The Expires field has the value `{written}`; expected a date such as 2027-03-31T00:00:00Z."
            )
        }
        Some(Ok(expires)) => {
            let now = DateTime::parse_from_rfc2822(now?).ok()?;
            if expires >= now {
                return None;
            }
            format!(
                "The file security.txt expired on {}.",
                expires.format("%Y-%m-%d")
            )
        }
    };
    Some(("Expires", message))
}

fn canonical(file: &SecurityTxt, probe: &Probe, answer: &ProbeAnswer) -> Option<FormatError> {
    let mut listed = file.all("canonical").peekable();
    listed.peek()?;
    let matches = listed.any(|field| {
        Url::parse(&field.value).is_ok_and(|url| url == probe.requested || url == answer.url)
    });
    (!matches).then(|| {
        (
            "Canonical",
            format!(
                "No Canonical field contains {}, the URL of the file.",
                probe.requested
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    fn findings(head: &str, body: &str) -> Vec<String> {
        let site = format!(
            "=== /\n<p>x\n=== /.well-known/security.txt\nHTTP/1.1 200 OK\n{head}\n\n{body}"
        );
        let tallied = audit(&SECURITY_TXT_INVALID, &site);
        assert_eq!(tallied.applicable, 1);
        tallied
            .findings
            .into_iter()
            .map(|finding| finding.cause)
            .collect()
    }

    const PLAIN: &str = "Content-Type: text/plain\nDate: Thu, 01 Jan 2026 00:00:00 GMT";
    const GOOD: &str = "Contact: https://example.com/report\nExpires: 2026-06-01T00:00:00Z";

    #[test]
    fn a_valid_file_passes() {
        assert!(findings(PLAIN, GOOD).is_empty());
        let canonical = format!("{GOOD}\nCanonical: https://example.com/.well-known/security.txt");
        assert!(findings(PLAIN, &canonical).is_empty());
    }

    #[test]
    fn missing_fields_fail() {
        assert_eq!(findings(PLAIN, "# nothing"), ["Contact", "Expires"]);
    }

    #[test]
    fn a_contact_without_a_scheme_or_over_http_fails() {
        let rest = "Expires: 2026-06-01T00:00:00Z";
        assert_eq!(
            findings(PLAIN, &format!("Contact: a@b.c\n{rest}")),
            ["Contact"]
        );
        assert_eq!(
            findings(PLAIN, &format!("Contact: http://b.c/\n{rest}")),
            ["Contact"]
        );
    }

    #[test]
    fn an_expired_file_fails_if_the_response_has_a_date() {
        let old = "Contact: mailto:a@b.c\nExpires: 2025-12-31T23:59:59Z";
        assert_eq!(findings(PLAIN, old), ["Expires"]);
        assert!(findings("Content-Type: text/plain", old).is_empty());
    }

    #[test]
    fn repeated_expires_wrong_type_and_wrong_canonical_fail() {
        let twice = format!("{GOOD}\nExpires: 2026-06-01T00:00:00Z");
        assert_eq!(findings(PLAIN, &twice), ["Expires"]);
        assert_eq!(
            findings("Content-Type: application/octet-stream", GOOD),
            ["Content-Type"]
        );
        assert_eq!(
            findings("Content-Type: text/plain; charset=iso-8859-1", GOOD),
            ["charset"]
        );
        let elsewhere = format!("{GOOD}\nCanonical: https://example.org/.well-known/security.txt");
        assert_eq!(findings(PLAIN, &elsewhere), ["Canonical"]);
    }

    #[test]
    fn a_missing_file_is_not_applicable() {
        assert_eq!(audit(&SECURITY_TXT_INVALID, "=== /\n<p>x").applicable, 0);
    }
}
