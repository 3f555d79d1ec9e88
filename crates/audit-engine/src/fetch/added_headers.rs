//! Headers that a run adds to its requests.

use domain::run::RequestHeaders;
use url::{Origin, Url};

use super::hidden_values::HiddenValues;
use crate::gather::{CertificatePolicy, Request, Response};

/// Additions of a run to the client's requests: headers for the site's own origin, and another user agent.
///
/// The headers may be credentials, so they go only to the site's own origin: scheme, host and port of the
/// requested start URL. If that is plain http on the default port, https on the same host counts as the same
/// origin, because sites redirect there immediately. No other host receives them, including `www.` and
/// subdomains, and a site that was requested over https never receives them over http. To audit a site that
/// moves to another host, use the URL of that host.
///
/// [`Exchange`](super::exchange::Exchange) applies this to each request by its URL alone, regardless of how the
/// URL was discovered: links, redirects, resources, sitemaps and probes follow the same rule.
#[derive(Default)]
pub(crate) struct AddedHeaders {
    headers: RequestHeaders,
    hidden: HiddenValues,
    own: Vec<Origin>,
    user_agent: Option<String>,
}

impl AddedHeaders {
    /// The headers of a run with the requested URL `start`.
    pub(crate) fn new(headers: RequestHeaders, user_agent: Option<String>, start: &Url) -> Self {
        Self {
            hidden: HiddenValues::from_headers(&headers),
            headers,
            own: std::iter::once(start.origin())
                .chain(upgraded(start))
                .collect(),
            user_agent,
        }
    }

    /// Removes repeated header values from a response.
    pub(crate) fn hide_in(&self, response: &mut Response) {
        self.hidden.hide(response);
    }

    /// Whether requests for the URL have headers that may be credentials.
    pub(crate) fn applies_to(&self, url: &Url) -> bool {
        !self.headers.is_empty() && self.own.contains(&url.origin())
    }

    /// The origins whose requests get the headers; none if there are no headers.
    #[cfg(feature = "browser")]
    pub(crate) fn origins(&self) -> impl Iterator<Item = &Origin> {
        let own = (!self.headers.is_empty()).then_some(&self.own);
        own.into_iter().flatten()
    }

    /// The headers for requests to this URL: names in lower case, and values.
    #[cfg(feature = "browser")]
    pub(crate) fn for_url(&self, url: &Url) -> impl Iterator<Item = (&str, &str)> {
        let headers = self.applies_to(url).then(|| self.headers.expose().iter());
        let headers = headers.into_iter().flatten();
        headers.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The values that may not be repeated.
    #[cfg(feature = "browser")]
    pub(crate) const fn hidden(&self) -> &HiddenValues {
        &self.hidden
    }

    /// Adds the headers to a request. Headers that the request already has are kept. Nothing but the user agent
    /// is added where the certificate is not verified.
    pub(crate) fn add_to(&self, request: &mut Request) {
        if let Some(user_agent) = &self.user_agent {
            add(request, "user-agent", user_agent);
        }
        if request.certificate == CertificatePolicy::Trusted && self.applies_to(&request.url) {
            for (name, value) in self.headers.expose() {
                add(request, name, value);
            }
        }
    }
}

fn add(request: &mut Request, name: &str, value: &str) {
    if !request.headers.iter().any(|(known, _)| known == name) {
        request.headers.push((name.to_owned(), value.to_owned()));
    }
}

/// The https origin that a plain http URL on the default port is upgraded to.
fn upgraded(start: &Url) -> Option<Origin> {
    if start.scheme() != "http" || start.port().is_some() {
        return None;
    }
    let mut url = start.clone();
    url.set_scheme("https").ok()?;
    Some(url.origin())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_request_that_accepts_any_certificate_has_no_headers_of_the_run() {
        let headers = [("authorization".to_owned(), "Basic c2VjcmV0".to_owned())];
        let headers = RequestHeaders::parse(headers.into_iter().collect()).unwrap();
        let url = Url::parse("https://example.com/").unwrap();
        let added = AddedHeaders::new(headers, None, &url);
        for (certificate, number) in [(CertificatePolicy::Trusted, 1), (CertificatePolicy::Any, 0)]
        {
            let mut request = Request::head(url.clone());
            request.certificate = certificate;
            added.add_to(&mut request);
            assert_eq!(request.headers.len(), number);
        }
    }

    fn sent(start: &str, url: &str) -> Vec<(String, String)> {
        let headers = [("authorization".to_owned(), "Basic c2VjcmV0".to_owned())];
        let headers = RequestHeaders::parse(headers.into_iter().collect()).unwrap();
        let added = AddedHeaders::new(headers, None, &Url::parse(start).unwrap());
        let mut request = Request::head(Url::parse(url).unwrap());
        added.add_to(&mut request);
        request.headers
    }

    #[rstest]
    #[case::itself("https://example.com/a?b#c", "https://example.com/d")]
    #[case::default_port("https://example.com/", "https://example.com:443/")]
    #[case::case("https://example.com/", "https://EXAMPLE.com/")]
    #[case::own_port("http://127.0.0.1:8080/", "http://127.0.0.1:8080/x")]
    #[case::upgrade("http://example.com/", "https://example.com/")]
    fn headers_go_to_the_sites_own_origin(#[case] start: &str, #[case] url: &str) {
        assert_eq!(sent(start, url).len(), 1);
    }

    #[rstest]
    #[case::downgrade("https://example.com/", "http://example.com/")]
    #[case::downgrade_on_the_same_port("https://example.com/", "http://example.com:443/")]
    #[case::www("https://example.com/", "https://www.example.com/")]
    #[case::without_www("https://www.example.com/", "https://example.com/")]
    #[case::subdomain("https://example.com/", "https://api.example.com/")]
    #[case::lookalike("https://example.com/", "https://example.com.evil.org/")]
    #[case::trailing_dot("https://example.com/", "https://example.com./")]
    #[case::user_information("https://example.com/", "https://example.com@evil.org/")]
    #[case::other_port("http://127.0.0.1:8080/", "http://127.0.0.1:8081/")]
    #[case::no_upgrade_of_a_port("http://example.com:8080/", "https://example.com:8080/")]
    #[case::upgrade_to_another_port("http://example.com/", "https://example.com:8443/")]
    #[case::upgrade_of_another_host("http://example.com/", "https://www.example.com/")]
    fn headers_go_nowhere_else(#[case] start: &str, #[case] url: &str) {
        assert_eq!(sent(start, url), []);
    }

    #[test]
    fn headers_of_the_request_are_kept() {
        let headers = [("origin".to_owned(), "x".to_owned())];
        let start = Url::parse("https://example.com/").unwrap();
        let headers = RequestHeaders::stored(headers.into_iter().collect());
        let added = AddedHeaders::new(headers, None, &start);
        let mut request = Request::head(start);
        let own = ("origin".to_owned(), "https://a.invalid".to_owned());
        request.headers.push(own.clone());
        added.add_to(&mut request);
        assert_eq!(request.headers, [own]);
    }
}
