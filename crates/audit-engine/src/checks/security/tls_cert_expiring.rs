//! Certificates that are about to expire.

use crate::check::{Evidence, Grade, Outcome};
use crate::common::measures::dates::{day, now};
use crate::declare_check;
use crate::gather::Certificate;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// The site's certificate is valid for another thirty days, or for a third of its lifetime where
    /// that is less.
    ///
    /// ## Why it matters
    /// On the day a certificate expires, browsers show a warning in place of the site. Certificates are
    /// renewed by programs, weeks ahead; one that is near its end says that the program has stopped.
    ///
    /// ## How to fix it
    /// Look at why the renewal has not run: `certbot renew --dry-run` or the log of your host shows it.
    /// Where certificates are renewed by hand, order the next one now.
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
    /// The day is that of the `Date` header which the site sends; without one the check cannot tell,
    /// nor through a proxy. The last week, or the last sixth of a shorter lifetime, counts in full, the
    /// time before it half. A certificate that has expired already is found by tls-cert-invalid.
    ///
    /// ## References
    /// - CA/Browser Forum, Baseline Requirements, section 6.3.2 Certificate operational periods
    TLS_CERT_EXPIRING {
        id: "tls-cert-expiring",
        title: "The certificate is about to expire",
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
/// A renewal is overdue, and visitors are not shut out yet.
const OVERDUE: Grade = Grade::from_hundredths(50);

fn evaluate(site: &Site) -> Outcome {
    if site.probes.tls.is_none() && site.start.scheme() != "https" {
        return Outcome::NotApplicable;
    }
    let own = site.probes.tls.as_ref().and_then(|tls| tls.chain.first());
    let (Some(certificate), Some(now)) = (own, now(site)) else {
        return Outcome::CannotTell(
            "The certificate, or the date at the site, could not be learned.",
        );
    };
    judge(site, certificate, now)
}

fn judge(site: &Site, certificate: &Certificate, now: i64) -> Outcome {
    let left = certificate.not_after.saturating_sub(now);
    let lifetime = certificate.not_after.saturating_sub(certificate.not_before);
    if left < 0 {
        return Outcome::NotApplicable;
    }
    if left >= (30 * DAY).min(lifetime / 3) {
        return Outcome::Passed;
    }
    let evidence = Evidence::here().at(site.start.as_str()).message(format!(
        "The certificate expires on {}, in {} days; of its {} days a third or thirty should be left.",
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

    fn judged(date: &str, endpoint: &str) -> Tallied {
        audit(
            &TLS_CERT_EXPIRING,
            &format!("=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 404 X\nDate: {date}\n\n{endpoint}"),
        )
    }

    fn affected(from: &str, to: &str) -> (u64, u64) {
        let endpoint = format!("=== tls://example.com/\ncertificate {from} {to} ec-256 sha256");
        let tallied = judged(TODAY, &endpoint);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn thirty_days_or_a_third_must_be_left() {
        assert_eq!(affected("2026-03-03", "2026-06-01"), (1, 0));
        assert_eq!(affected("2026-03-01", "2026-05-30"), (1, 1));
        // Of six days three are left.
        assert_eq!(affected("2026-04-29", "2026-05-05"), (1, 0));
        assert_eq!(affected("2026-04-27", "2026-05-03"), (1, 1));
    }

    #[test]
    fn what_has_expired_is_another_checks_finding() {
        assert_eq!(affected("2026-01-01", "2026-04-01"), (0, 0));
    }

    #[test]
    fn without_a_date_or_a_certificate_nothing_is_known() {
        let certificate = "=== tls://example.com/\ncertificate 2026-01-01 2026-05-02 ec-256 sha256";
        for tallied in [judged("soon", certificate), judged(TODAY, "")] {
            assert!(matches!(tallied.unjudged, Some(Unjudged::CannotTell(_))));
        }
    }

    #[test]
    fn sites_on_plain_http_alone_have_no_certificate() {
        let site = "=== http://example.com/\n<p>x\n=== https://example.com/\nFAILS connect";
        let tallied = audit_from(&TLS_CERT_EXPIRING, "http://example.com/", site);
        assert!(tallied.applicable == 0 && tallied.unjudged.is_none());
    }
}
