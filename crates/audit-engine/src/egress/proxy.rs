//! The operator's own proxy.

use std::fmt;
use std::str::FromStr;

use url::Url;

use super::resolver::canonical;

/// The URL of an HTTP proxy that requests go through. `Debug` hides what it may hold before the host.
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
    /// The URL, with the password that it may hold.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// The host in the form in which names are compared.
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

/// A text that is no proxy. It is not repeated, as it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the URL of an HTTP proxy is needed, for example http://proxy.office.example:3128")]
pub struct ProxyUrlError;
