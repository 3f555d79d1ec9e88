//! TLS certificates that expire soon.

use crate::check::{Evidence, Grade, Outcome};
use crate::common::measures::dates::{day, now};
use crate::declare_check;
use crate::gather::Certificate;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site's TLS certificate is valid for at least another thirty days, or for a third of its
    /// lifetime if that is shorter.
    ///
    /// ## Why it matters
    /// As soon as a certificate has expired, browsers show a warning instead of the site. Programs
    /// usually renew certificates weeks in advance. A certificate close to its expiry date
    /// indicates that the automatic renewal has stopped.
    ///
    /// ## How to fix it
    /// Find out why the renewal did not run; `certbot renew --dry-run` or the log of your hosting
    /// provider shows the cause. If you renew certificates manually, order the next one now.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    /// Date: Fri, 01 May 2026 12:00:00 GMT
    ///
    /// User-agent: *
    /// === tls://example.com/
    /// certificate 2026-02-05 2026-05-06 ec-256 sha256
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><p>Open from nine to five.</p></html>
    /// === /robots.txt
    /// HTTP/1.1 200 OK
    /// Content-Type: text/plain
    /// Date: Fri, 01 May 2026 12:00:00 GMT
    ///
    /// User-agent: *
    /// === tls://example.com/
    /// certificate 2026-04-05 2026-07-04 ec-256 sha256
    /// ```
    ///
    /// ## Limits
    /// The check takes the current day from the `Date` header that the site sends. Without this
    /// header, or through a proxy, the outcome is "cannot tell". A certificate in its last week, or
    /// in the last sixth of a shorter lifetime, counts as a full failure; one that expires later
    /// counts half. `tls-cert-invalid` reports an expired certificate.
    ///
    /// ## Also known as
    /// - Common name: SSL certificate about to expire
    ///
    /// ## References
    /// - CA/Browser Forum, Baseline Requirements, section 6.3.2 Certificate operational periods
    TLS_CERT_EXPIRING {
        id: "tls-cert-expiring",
        title: "TLS certificate expires soon",
        dimension: Security,
        scope: Origin,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [PublicOrigin],
        stability: Stable { since: "0.1.0" },
    } => Site(evaluate)
}

const DAY: i64 = 24 * 60 * 60;
/// The renewal is overdue, but the certificate is still valid.
const OVERDUE: Grade = Grade::from_hundredths(50);

fn evaluate(site: &Site) -> Outcome {
    if site.probes.tls.is_none() && site.start.scheme() != "https" {
        return Outcome::NotApplicable;
    }
    let own = site.probes.tls.as_ref().and_then(|tls| tls.chain.first());
    let (Some(certificate), Some(now)) = (own, now(site)) else {
        return Outcome::CannotTell("The certificate or the current date of the site is unknown.");
    };
    evaluate_expiry(site, certificate, now)
}

fn evaluate_expiry(site: &Site, certificate: &Certificate, now: i64) -> Outcome {
    let left = certificate.not_after.saturating_sub(now);
    let lifetime = certificate.not_after.saturating_sub(certificate.not_before);
    if left < 0 {
        return Outcome::NotApplicable;
    }
    if left >= (30 * DAY).min(lifetime / 3) {
        return Outcome::Passed;
    }
    let evidence = Evidence::here().at(site.start.as_str()).message(format!(
        "The certificate expires on {}, in {} days; expected at least thirty days, or a third of its lifetime of {} days if that is less.",
        day(certificate.not_after),
        left / DAY,
        lifetime / DAY
    ));
    if left < (7 * DAY).min(lifetime / 6) {
        Outcome::failed(vec![evidence])
    } else {
        Outcome::graded(OVERDUE, vec![evidence])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit, audit_from};
    use domain::report::Unjudged;

    const TODAY: &str = "Fri, 01 May 2026 12:00:00 GMT";

    fn audit_with_date(date: &str, endpoint: &str) -> Tallied {
        audit(
            &TLS_CERT_EXPIRING,
            &format!("=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 404 X\nDate: {date}\n\n{endpoint}"),
        )
    }

    fn affected(from: &str, to: &str) -> (u64, u64) {
        let endpoint = format!("=== tls://example.com/\ncertificate {from} {to} ec-256 sha256");
        let tallied = audit_with_date(TODAY, &endpoint);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn thirty_days_or_a_third_of_the_lifetime_are_required() {
        assert_eq!(affected("2026-03-03", "2026-06-01"), (1, 0));
        assert_eq!(affected("2026-03-01", "2026-05-30"), (1, 1));
        // Three of six days remain.
        assert_eq!(affected("2026-04-29", "2026-05-05"), (1, 0));
        assert_eq!(affected("2026-04-27", "2026-05-03"), (1, 1));
    }

    #[test]
    fn an_expired_certificate_is_not_applicable() {
        assert_eq!(affected("2026-01-01", "2026-04-01"), (0, 0));
    }

    #[test]
    fn a_missing_date_or_certificate_cannot_tell() {
        let certificate = "=== tls://example.com/\ncertificate 2026-01-01 2026-05-02 ec-256 sha256";
        for tallied in [
            audit_with_date("soon", certificate),
            audit_with_date(TODAY, ""),
        ] {
            assert!(matches!(tallied.unjudged, Some(Unjudged::CannotTell(_))));
        }
    }

    #[test]
    fn sites_without_https_are_not_applicable() {
        let site = "=== http://example.com/\n<p>x\n=== https://example.com/\nFAILS connect";
        let tallied = audit_from(&TLS_CERT_EXPIRING, "http://example.com/", site);
        assert!(tallied.applicable == 0 && tallied.unjudged.is_none());
    }
}
