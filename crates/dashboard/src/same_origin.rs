//! Whether a request that changes something comes from a page of this service.

use actix_web::http::header::{self, HeaderMap, HeaderName};
use domain::target::is_loopback_origin;
use url::Url;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether the headers say that a page of this service sent the request (Fetch Metadata, `Origin` of RFC 6454). A
/// request with neither header did not come from a browser's form.
pub(crate) fn is_same_origin(headers: &HeaderMap, base_url: &str) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let site = text(SEC_FETCH_SITE);
    let origin = text(header::ORIGIN);
    if site.is_some_and(|site| site != "same-origin") {
        return false;
    }
    match origin {
        Some(origin) => is_own(origin, text(header::HOST), base_url),
        None => site.is_some(),
    }
}

fn is_own(origin: &str, host: Option<&str>, base_url: &str) -> bool {
    let Ok(origin) = Url::parse(origin) else {
        return false;
    };
    let base = Url::parse(base_url);
    if base.is_ok_and(|base| base.origin() == origin.origin()) {
        return true;
    }
    // A service that is also called by the address of its own machine.
    let called = host.and_then(|host| Url::parse(&format!("http://{host}")).ok());
    is_loopback_origin(&origin) && called.is_some_and(|called| called.origin() == origin.origin())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use rstest::rstest;

    use super::*;

    fn accepts(
        site: Option<&'static str>,
        origin: Option<&'static str>,
        host: &'static str,
    ) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(site) = site {
            headers.insert(SEC_FETCH_SITE, HeaderValue::from_static(site));
        }
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        is_same_origin(&headers, "https://assay.example")
    }

    #[rstest]
    #[case::browser(Some("same-origin"), Some("https://assay.example"), "assay.example")]
    #[case::no_origin(Some("same-origin"), None, "assay.example")]
    #[case::old_browser(None, Some("https://assay.example"), "assay.example")]
    #[case::on_the_machine(Some("same-origin"), Some("http://127.0.0.1:8080"), "127.0.0.1:8080")]
    #[case::by_name(None, Some("http://localhost:8080"), "localhost:8080")]
    fn own_pages_are_accepted(
        #[case] site: Option<&'static str>,
        #[case] origin: Option<&'static str>,
        #[case] host: &'static str,
    ) {
        assert!(accepts(site, origin, host));
    }

    #[rstest]
    #[case::other_site(Some("cross-site"), Some("https://evil.example"), "assay.example")]
    #[case::same_site(Some("same-site"), Some("https://assay.example"), "assay.example")]
    #[case::typed(Some("none"), None, "assay.example")]
    #[case::other_origin(None, Some("https://evil.example"), "assay.example")]
    #[case::opaque(None, Some("null"), "assay.example")]
    #[case::other_port(None, Some("https://assay.example:444"), "assay.example")]
    #[case::other_scheme(None, Some("http://assay.example"), "assay.example")]
    #[case::rebound_name(None, Some("http://evil.example:8080"), "evil.example:8080")]
    #[case::loopback_of_another_port(None, Some("http://127.0.0.1:9090"), "127.0.0.1:8080")]
    #[case::no_header(None, None, "assay.example")]
    fn others_are_refused(
        #[case] site: Option<&'static str>,
        #[case] origin: Option<&'static str>,
        #[case] host: &'static str,
    ) {
        assert!(!accepts(site, origin, host));
    }
}
