//! Validates links in requests, which may be altered.

use chrono::{DateTime, Utc};
use domain::id::{OrgId, ReportId};
use domain::link::{ReportLink, Signature};
use domain::ports::{Clock, ReportStore, UrlSigner};

use httpkit::problem::{Code, Problem};

/// The number of digits of a signature, and the maximum length of a key id.
const SIGNATURE_LENGTH: usize = 64;
const MAX_KEY_ID_LENGTH: usize = 32;

/// A nonexistent organization: its signature is checked if the report does not exist.
const NOBODY: &str = "org_00000000000000000000000000";

/// The parts of a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DownloadRequest {
    report_id: ReportId,
    expires_at: DateTime<Utc>,
    signature: Signature,
}

impl DownloadRequest {
    /// Parses the raw path and query; `None` unless they have exactly the canonical format of links. Variations
    /// that the signature does not cover, such as leading zeros and percent-encoding, are rejected.
    pub(super) fn read(path: &str, query: &str) -> Option<Self> {
        let report = path.strip_prefix("/dl/reports/")?.strip_suffix(".pdf")?;
        let (mut exp, mut kid, mut sig) = (None, None, None);
        for pair in query.split('&') {
            let (name, value) = pair.split_once('=')?;
            let place = match name {
                "exp" => &mut exp,
                "kid" => &mut kid,
                "sig" => &mut sig,
                _ => return None,
            };
            if place.replace(value).is_some() {
                return None;
            }
        }
        Some(Self {
            report_id: ReportId::parse(report)?,
            expires_at: time(exp?)?,
            signature: Signature {
                key_id: kid.filter(|id| is_key_id(id))?.to_owned(),
                text: sig.filter(|text| is_signature(text))?.to_owned(),
            },
        })
    }

    /// The link, if its signature is valid and it has not expired. The signature is checked first, so that forged
    /// expiry times reveal nothing; a report that does not exist is treated like any other.
    pub(super) fn verify<S: ReportStore + ?Sized>(
        self,
        stores: &S,
        signer: &dyn UrlSigner,
        clock: &dyn Clock,
    ) -> Result<ReportLink, Problem> {
        let owner = stores.org_of_report(&self.report_id)?;
        let is_there = owner.is_some();
        let link = ReportLink {
            org_id: owner.or_else(|| OrgId::parse(NOBODY)).ok_or_else(invalid)?,
            report_id: self.report_id,
            expires_at: self.expires_at,
        };
        let is_signed = signer.is_signed(&link, &self.signature);
        if !is_signed || !is_there {
            return Err(invalid());
        }
        if link.is_expired(clock.now()) {
            let code = Code::LinkExpired;
            return Err(Problem::new(code, code.explanation()));
        }
        Ok(link)
    }
}

/// The problem of an invalid link, the same for every reason.
pub(super) fn invalid() -> Problem {
    let code = Code::LinkInvalid;
    Problem::new(code, code.explanation())
}

/// A time in seconds, in canonical notation.
fn time(text: &str) -> Option<DateTime<Utc>> {
    let is_canonical =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let seconds = text.parse().ok().filter(|_| is_canonical)?;
    DateTime::from_timestamp(seconds, 0)
}

fn is_key_id(text: &str) -> bool {
    (1..=MAX_KEY_ID_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_signature(text: &str) -> bool {
    text.len() == SIGNATURE_LENGTH
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const PATH: &str = "/dl/reports/rep_01JD2Y3Z4A5B6C7D8E9F0GHJKM.pdf";

    fn sig() -> String {
        "0123456789abcdef".repeat(4)
    }

    #[test]
    fn a_link_is_read() {
        let query = format!("exp=1795262700&kid=k1&sig={}", sig());
        let request = DownloadRequest::read(PATH, &query).unwrap();
        assert_eq!(request.report_id.as_str(), "rep_01JD2Y3Z4A5B6C7D8E9F0GHJKM");
        assert_eq!(request.expires_at.timestamp(), 1_795_262_700);
        assert_eq!(
            (request.signature.key_id.as_str(), request.signature.text),
            ("k1", sig())
        );
    }

    #[rstest]
    #[case::nothing("")]
    #[case::no_exp("kid=k1&sig=SIG")]
    #[case::no_kid("exp=1&sig=SIG")]
    #[case::no_sig("exp=1&kid=k1")]
    #[case::empty_exp("exp=&kid=k1&sig=SIG")]
    #[case::empty_kid("exp=1&kid=&sig=SIG")]
    #[case::empty_sig("exp=1&kid=k1&sig=")]
    #[case::no_value("exp=1&kid=k1&sig")]
    #[case::twice("exp=1&exp=1&kid=k1&sig=SIG")]
    #[case::sig_twice("exp=1&kid=k1&sig=SIG&sig=SIG")]
    #[case::more("exp=1&kid=k1&sig=SIG&x=1")]
    #[case::more_at_the_end("exp=1&kid=k1&sig=SIG&")]
    #[case::more_at_the_start("&exp=1&kid=k1&sig=SIG")]
    #[case::case("EXP=1&kid=k1&sig=SIG")]
    #[case::encoded_name("%65xp=1&kid=k1&sig=SIG")]
    #[case::encoded_digit("exp=%31&kid=k1&sig=SIG")]
    #[case::encoded_kid("exp=1&kid=%6b1&sig=SIG")]
    #[case::nul("exp=1&kid=k1%00&sig=SIG")]
    #[case::leading_zero("exp=01&kid=k1&sig=SIG")]
    #[case::plus("exp=+1&kid=k1&sig=SIG")]
    #[case::encoded_plus("exp=%2B1&kid=k1&sig=SIG")]
    #[case::minus("exp=-1&kid=k1&sig=SIG")]
    #[case::fraction("exp=1.0&kid=k1&sig=SIG")]
    #[case::exponent("exp=1e9&kid=k1&sig=SIG")]
    #[case::other_digits("exp=١&kid=k1&sig=SIG")]
    #[case::no_time("exp=9223372036854775807&kid=k1&sig=SIG")]
    #[case::no_number("exp=9223372036854775808&kid=k1&sig=SIG")]
    #[case::long_kid("exp=1&kid=kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk&sig=SIG")]
    #[case::line_break("exp=1&kid=k%0a1&sig=SIG")]
    #[case::short_sig("exp=1&kid=k1&sig=00")]
    #[case::long_sig("exp=1&kid=k1&sig=SIG0")]
    #[case::upper_case_sig(
        "exp=1&kid=k1&sig=0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef"
    )]
    #[case::semicolons("exp=1;kid=k1;sig=SIG")]
    fn what_is_spelled_otherwise_is_none(#[case] query: &str) {
        assert_eq!(
            DownloadRequest::read(PATH, &query.replace("SIG", &sig())),
            None
        );
    }

    #[rstest]
    #[case::nothing("")]
    #[case::another_type("run_01JD2Y3Z4A5B6C7D8E9F0GHJKM")]
    #[case::lower_case("rep_01jd2y3z4a5b6c7d8e9f0ghjkm")]
    #[case::nul("rep_01JD2Y3Z4A5B6C7D8E9F0GHJK\0")]
    #[case::encoded("%72ep_01JD2Y3Z4A5B6C7D8E9F0GHJKM")]
    fn what_is_no_id_is_none(#[case] report: &str) {
        let query = format!("exp=1&kid=k1&sig={}", sig());
        let path = format!("/dl/reports/{report}.pdf");
        assert_eq!(DownloadRequest::read(&path, &query), None);
    }

    #[test]
    fn nobody_is_an_organization_by_its_form() {
        assert!(OrgId::parse(NOBODY).is_some());
    }
}
