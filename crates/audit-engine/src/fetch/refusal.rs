//! Responses by which a site blocks automated visitors.

use super::interstitial::interstitial;
use crate::gather::Response;

/// A sign that a site blocks automated visitors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The status code of the response.
    pub(crate) status: u16,
    /// A description of the sign for people: `status 403`, or a status code and the evidence in the response.
    pub(crate) sign: String,
    /// Whether the crawler itself is certainly blocked. A 403 may apply to every visitor.
    pub(crate) certain: bool,
}

impl Refusal {
    /// The sign in the response, if there is one. 403, 429 and the unofficial 999 refuse the visitor and are
    /// not errors of the page. A challenge is a refusal with any status code. A 503 alone means that the site
    /// is unavailable, even behind a bot protection service.
    pub(crate) fn from_response(response: &Response) -> Option<Self> {
        let status = response.status;
        let certain = |sign: &str| {
            Some(Self {
                status,
                sign: format!("status {status} with {sign}"),
                certain: true,
            })
        };
        let header = |name: &str| response.headers.get(name).map(str::trim);
        if header("cf-mitigated") == Some("challenge") {
            return certain("a browser challenge (cf-mitigated: challenge)");
        }
        if let Some(action @ ("captcha" | "challenge")) = header("x-amzn-waf-action") {
            return certain(&format!(
                "a browser challenge (x-amzn-waf-action: {action})"
            ));
        }
        if let Some(sign) = interstitial(response) {
            return certain(&sign);
        }
        if matches!(status, 403 | 429 | 999) {
            return Some(Self {
                status,
                sign: format!("status {status}"),
                certain: status != 403,
            });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;
    use url::Url;

    use super::*;
    use crate::gather::HttpVersion;

    fn sign_of(status: u16, headers: &[(&str, &str)], body: &str) -> Option<(String, bool)> {
        let refusal = Refusal::from_response(&Response {
            url: Url::parse("https://example.com/").unwrap(),
            status,
            headers: headers.iter().copied().collect(),
            body: body.to_owned().into(),
            wire_bytes: 0,
            truncated: false,
            version: HttpVersion::Http11,
            time_to_first_byte: Duration::ZERO,
            large_body_permit: None,
        })?;
        assert_eq!(refusal.status, status);
        Some((refusal.sign, refusal.certain))
    }

    #[rstest]
    #[case(403, &[], "status 403", false)]
    #[case(429, &[], "status 429", true)]
    #[case(999, &[], "status 999", true)]
    #[case(503, &[("server", "cloudflare"), ("cf-mitigated", "challenge")], "status 503 with a browser challenge (cf-mitigated: challenge)", true)]
    #[case(403, &[("cf-mitigated", "challenge")], "status 403 with a browser challenge (cf-mitigated: challenge)", true)]
    #[case(202, &[("x-amzn-waf-action", "challenge")], "status 202 with a browser challenge (x-amzn-waf-action: challenge)", true)]
    #[case(405, &[("x-amzn-waf-action", "captcha")], "status 405 with a browser challenge (x-amzn-waf-action: captcha)", true)]
    fn a_refusal_tells_by_what(
        #[case] status: u16,
        #[case] headers: &[(&str, &str)],
        #[case] sign: &str,
        #[case] certain: bool,
    ) {
        assert_eq!(
            sign_of(status, headers, ""),
            Some((sign.to_owned(), certain))
        );
    }

    #[rstest]
    #[case(200, &[("server", "cloudflare")])]
    #[case(200, &[("cf-mitigated", "none"), ("set-cookie", "__cf_bm=1")])]
    #[case(503, &[("server", "nginx")])]
    #[case(503, &[("server", "cloudflare"), ("retry-after", "3600")])]
    #[case(503, &[("server", "AkamaiGHost")])]
    #[case(503, &[("server", "ddos-guard")])]
    #[case(500, &[("server", "cloudflare")])]
    #[case(401, &[])]
    #[case(404, &[])]
    #[case(451, &[])]
    fn other_answers_are_none(#[case] status: u16, #[case] headers: &[(&str, &str)]) {
        assert_eq!(sign_of(status, headers, ""), None);
    }

    #[rstest]
    #[case(200)]
    #[case(503)]
    fn a_challenge_page_is_one_with_any_status(#[case] status: u16) {
        let body = "<title>Just a moment...</title><script>_cf_chl_opt</script>";
        let (sign, certain) = sign_of(status, &[("content-type", "text/html")], body).unwrap();
        let expected = format!("status {status} with a challenge page of Cloudflare");
        assert_eq!((sign, certain), (expected, true));
    }
}
