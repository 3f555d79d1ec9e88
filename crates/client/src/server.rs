//! The URL of the server.

use std::fmt;

use url::{Host, Url};

use crate::Error;

/// The URL of a server to which the key may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerUrl(Url);

impl ServerUrl {
    /// Parses a URL such as `https://assay.example.com`; a path in it is kept.
    ///
    /// `plain_http` allows unencrypted http to another machine, where others on the network can read the key.
    ///
    /// # Errors
    /// [`Error::Server`] when the URL is invalid, or uses http to another machine without permission.
    pub fn parse(text: &str, plain_http: bool) -> Result<Self, Error> {
        let refused = |why: &str| Error::Server {
            url: shown(text),
            why: why.to_owned(),
        };
        let mut url = Url::parse(text.trim()).map_err(|_| {
            refused("expected an http or https URL, for example https://assay.example.com")
        })?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(refused(
                "expected an http or https URL, for example https://assay.example.com",
            ));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("it must not contain a user name or password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refused("it must not have a query or fragment"));
        }
        if url.scheme() == "http" && !plain_http && !is_this_machine(&url) {
            return Err(refused(
                "the API key would be sent unencrypted; use https, or --allow-plain-http to allow it",
            ));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The URL of a path below it. Segments are encoded, so that none of them can change the path.
    pub(crate) fn join(&self, segments: &[&str]) -> Result<Url, Error> {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            for segment in segments {
                // URL normalization would remove such a segment, and the request would reach another resource.
                if matches!(*segment, "" | "." | "..") {
                    return Err(Error::Id((*segment).to_owned()));
                }
                path.push(segment);
            }
        }
        Ok(url)
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// The text without a possible password.
fn shown(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_over_plain_http_only_to_this_machine() {
        for text in [
            "http://127.0.0.1:8080",
            "http://[::1]",
            "http://localhost:1/",
            "https://a.example",
        ] {
            assert!(ServerUrl::parse(text, false).is_ok(), "{text}");
        }
        for text in [
            "http://a.example",
            "http://10.0.0.1",
            "http://localhost.example",
        ] {
            let error = ServerUrl::parse(text, false).unwrap_err().to_string();
            assert!(error.contains("--allow-plain-http"), "{error}");
            assert!(ServerUrl::parse(text, true).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_address_of_a_server_is_refused_and_no_password_is_shown() {
        for text in [
            "",
            "a.example",
            "ftp://a.example",
            "https://u:secret@a.example",
            "https://a.example/?q",
        ] {
            let error = ServerUrl::parse(text, true).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn paths_are_joined_below_the_address_and_ids_stay_one_segment() {
        let server = ServerUrl::parse("https://a.example/assay/", false).unwrap();
        assert_eq!(server.to_string(), "https://a.example/assay");
        let url = server.join(&["api", "mcp", "runs", "a/../b?c#d"]).unwrap();
        assert_eq!(
            url.as_str(),
            "https://a.example/assay/api/mcp/runs/a%2F..%2Fb%3Fc%23d"
        );
        for odd in ["", ".", ".."] {
            assert!(server.join(&["runs", odd]).is_err(), "{odd}");
        }
    }
}
