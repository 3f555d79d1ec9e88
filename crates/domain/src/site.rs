//! Sites: what is audited again and again.

use std::fmt;

use chrono::{DateTime, Utc};
use url::{Host, Url};

use crate::cursor::{signed, time_and_ulid, time_text, ulid_of, unsigned};
use crate::id::{OrgId, SiteId};
use crate::run::AskedOptions;

/// One host of one organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Its id.
    pub id: SiteId,
    /// Whose site it is.
    pub org_id: OrgId,
    /// Its host; once in an organization.
    pub host: SiteHost,
    /// The address of its root.
    pub url: String,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

/// The name of a site: 1 to 200 characters, no white space around, no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteName(String);

/// The most characters of a site's name.
pub const MAX_SITE_NAME_CHARS: usize = 200;

impl SiteName {
    /// The name in a request, without the white space around it; none where nothing is left, or it
    /// is too long, or holds control characters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = (1..=MAX_SITE_NAME_CHARS).contains(&text.chars().count())
            && !text.chars().any(char::is_control);
        fits.then(|| Self(text.to_owned()))
    }

    /// The name as it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is changed of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SitePatch {
    /// Its name.
    pub name: Option<SiteName>,
    /// The options that its runs begin with, which replace those before as a whole.
    pub options: Option<AskedOptions>,
}

/// What the runs of a site begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteDefaults {
    /// The address of the site's root.
    pub url: String,
    /// What was set for its runs.
    pub options: AskedOptions,
}

impl SiteDefaults {
    /// The options for a run that begins at a URL of the site.
    ///
    /// A site is one host whatever the scheme and with or without `www.`, but the headers that its runs
    /// begin with may be credentials, which whoever starts a run must not be able to send in plain text
    /// or to another server. So they are left out unless the run asks the origin that the site was made
    /// for, or the same host by https.
    #[must_use]
    pub fn for_run(self, url: &Url) -> AskedOptions {
        let mut options = self.options;
        if !Url::parse(&self.url).is_ok_and(|own| own.origin() == url.origin() || leads(&own, url))
        {
            options.headers = None;
        }
        options
    }
}

/// Whether the second is what the first usually leads to: https on the same host, both on their usual
/// ports.
fn leads(http: &Url, https: &Url) -> bool {
    (http.scheme(), https.scheme()) == ("http", "https")
        && http.host() == https.host()
        && http.port().is_none()
        && https.port().is_none()
}

/// What tells one site from another: the host without a leading `www.`, plus any port that is not
/// the default of the URL's scheme. The scheme itself does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteHost(String);

impl SiteHost {
    /// The host of a URL; none for a URL without one.
    #[must_use]
    pub fn from_url(url: &Url) -> Option<Self> {
        let address;
        let host = match url.host()? {
            // One machine is one host, by whatever family it is written.
            Host::Ipv6(v6) if v6.to_ipv4_mapped().is_some() => {
                address = v6.to_canonical().to_string();
                address.as_str()
            }
            _ => url.host_str()?.trim_end_matches('.'),
        };
        let host = host
            .strip_prefix("www.")
            .filter(|rest| rest.contains('.'))
            .unwrap_or(host);
        if host.is_empty() {
            return None;
        }
        Some(Self(match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }))
    }

    /// A host as it was stored.
    #[must_use]
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The host as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SiteHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A place in a list of sites, which is sorted oldest first. It names the last site of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteCursor {
    /// When the last site was made, in whole milliseconds.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: SiteId,
}

impl SiteCursor {
    /// The place of a site.
    #[must_use]
    pub fn after(site: &Site) -> Self {
        Self {
            created_at: site.created_at,
            id: site.id.clone(),
        }
    }

    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(&self) -> String {
        let time = time_text(self.created_at);
        signed(format!("s{time}{}", ulid_of(self.id.as_str())))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let (created_at, ulid) = time_and_ulid(unsigned(text)?.strip_prefix('s')?)?;
        Some(Self {
            created_at,
            id: SiteId::parse(&format!("{}_{ulid}", SiteId::PREFIX))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("https://example.com/a?b", "example.com")]
    #[case::www("https://www.example.com/", "example.com")]
    #[case::subdomain("https://shop.example.com/", "shop.example.com")]
    #[case::default_ports("http://example.com:80/", "example.com")]
    #[case::other_port("http://example.com:8080/", "example.com:8080")]
    #[case::port_of_another_scheme("http://example.com:443/", "example.com:443")]
    #[case::case_and_root_dot("https://EXAMPLE.com./", "example.com")]
    #[case::international("https://bücher.example/", "xn--bcher-kva.example")]
    #[case::address("http://127.0.0.1:8000/", "127.0.0.1:8000")]
    #[case::v6("http://[::1]:8000/", "[::1]:8000")]
    #[case::mapped("http://[::ffff:127.0.0.1]:8000/", "127.0.0.1:8000")]
    #[case::www_is_the_name("https://www.com/", "www.com")]
    fn hosts(#[case] url: &str, #[case] expected: &str) {
        let host = SiteHost::from_url(&Url::parse(url).unwrap()).unwrap();
        assert_eq!(host.as_str(), expected);
    }

    #[rstest]
    #[case(" Shop ", Some("Shop"))]
    #[case("  ", None)]
    #[case("a\nb", None)]
    #[case("a\0", None)]
    fn names(#[case] text: &str, #[case] expected: Option<&str>) {
        let name = SiteName::parse(text);
        assert_eq!(name.as_ref().map(SiteName::as_str), expected);
    }

    #[test]
    fn names_are_bounded() {
        assert!(SiteName::parse(&"ä".repeat(MAX_SITE_NAME_CHARS)).is_some());
        assert!(SiteName::parse(&"ä".repeat(MAX_SITE_NAME_CHARS + 1)).is_none());
    }

    #[test]
    fn cursors_come_back() {
        let cursor = SiteCursor {
            created_at: DateTime::from_timestamp_millis(1_795_262_400_000).unwrap(),
            id: SiteId::parse("site_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap(),
        };
        assert_eq!(SiteCursor::decode(&cursor.encode()), Some(cursor));
        assert_eq!(SiteCursor::decode("s"), None);
    }

    #[test]
    fn a_url_without_a_host_has_none() {
        assert_eq!(SiteHost::from_url(&Url::parse("data:,x").unwrap()), None);
    }
}
