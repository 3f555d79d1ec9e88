//! The operator's own proxy.

use std::fmt;
use std::str::FromStr;

use url::Url;

use super::resolver::canonical;

/// The URL of an HTTP proxy for requests. `Debug` hides its user name and password.
///
/// ```
/// use audit_engine::egress::ProxyUrl;
///
/// let proxy: ProxyUrl = "http://reader:sesame@proxy.office.example:3128".parse()?;
/// assert!(!format!("{proxy:?}").contains("sesame"));
/// assert!("socks5://proxy.office.example".parse::<ProxyUrl>().is_err());
/// # Ok::<(), audit_engine::egress::ProxyUrlError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ProxyUrl {
    url: Url,
    host: String,
}

impl ProxyUrl {
    /// The URL, including a password if there is one.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// The host in the canonical form for comparisons.
    pub(super) fn host(&self) -> &str {
        &self.host
    }
}

impl FromStr for ProxyUrl {
    type Err = ProxyUrlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = Url::parse(text.trim()).map_err(|_| ProxyUrlError)?;
        match (url.scheme(), url.host_str(), url.path()) {
            ("http" | "https", Some(host), "/") => Ok(Self {
                host: canonical(host),
                url,
            }),
            _ => Err(ProxyUrlError),
        }
    }
}

impl fmt::Debug for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ProxyUrl").field(&self.host).finish()
    }
}

/// The text is not the URL of an HTTP proxy. The error does not repeat it, because it may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the URL of an HTTP proxy, for example http://proxy.office.example:3128")]
pub struct ProxyUrlError;
