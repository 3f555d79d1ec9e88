//! The links and redirects of a report.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A format of a list other than JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListFormat {
    /// One file with all entries of the list.
    Csv,
}

/// A kind of links. A link may be of several kinds: broken and external, for example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// The link is broken.
    Broken,
    /// The URL redirects.
    Redirect,
    /// The URL is on another site.
    External,
    /// The URL is on the site.
    Internal,
}

/// The result of a request for the URL of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkVerdict {
    /// The response is a success, after redirects if there are any.
    Ok,
    /// The link is broken.
    Broken,
    /// The response may apply only to this visitor or moment, such as status 403 or a timeout.
    Unverified,
    /// The URL was not requested.
    NotRequested,
}

/// A page of the list of the links of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkList {
    /// The distinct URLs that pages link to: broken ones first, then those that redirect, then external ones, then the
    /// others; in each group those that most pages link to first.
    pub links: Vec<Link>,
    /// The total number of this kind; `null` in reports of versions that did not store links.
    pub links_total: Option<u64>,
    /// The number that is stored and listed here; at most 5,000 links of all kinds.
    pub links_stored: u64,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// A distinct URL that pages link to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The URL, without a fragment.
    pub url: String,
    /// Whether it is on the site.
    pub internal: bool,
    /// The result of a request for it.
    pub verdict: LinkVerdict,
    /// The HTTP status code of the URL itself, before redirects; `null` without a response.
    pub status: Option<u16>,
    /// Why the verdict is not `ok`, as the end of a sentence about the URL; of a URL that was not requested, the reason
    /// as in `coverage.skipped`.
    pub reason: Option<String>,
    /// Whether the URL redirects.
    pub redirects: bool,
    /// The URL at which its redirects end; `null` in a loop, after too many redirects, and if it does not redirect.
    pub redirects_to: Option<String>,
    /// The number of pages that link to it.
    pub linking_pages: u64,
    /// The URLs of the first of these pages, at most 3.
    pub pages: Vec<String>,
}

/// A page of the list of the redirect chains of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectList {
    /// The redirect chains that begin at a URL that a page links to, a sitemap lists or the run began at; those that
    /// most pages link to first.
    pub redirects: Vec<RedirectChain>,
    /// The total number of chains; `null` in reports of versions that did not store them.
    pub redirects_total: Option<u64>,
    /// The number that is stored and listed here: at most 1,000.
    pub redirects_stored: u64,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// A redirect chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectChain {
    /// The URLs in order, from the first to the last: 2 to 12.
    pub hops: Vec<RedirectHop>,
    /// Whether the last URL occurs earlier in the chain.
    pub is_loop: bool,
    /// The number of pages that link to the first URL.
    pub linking_pages: u64,
}

/// A URL of a redirect chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RedirectHop {
    /// The URL.
    pub url: String,
    /// The HTTP status code; `null` if the URL did not respond or was not requested.
    pub status: Option<u16>,
}
