//! The cookies that the audited pages set.

use std::collections::HashSet;

use crate::check::Evidence;
use crate::policy::cookie::SetCookie;
use crate::site::{PageFacts, Site};

/// A cookie and the first page that sets it with these attributes.
pub(crate) struct PageCookie<'a> {
    /// The cookie.
    pub(crate) cookie: SetCookie,
    page: &'a PageFacts,
}

impl PageCookie<'_> {
    /// Whether the page was loaded over HTTPS.
    pub(crate) fn is_over_https(&self) -> bool {
        self.page.url.scheme() == "https"
    }

    /// Evidence with the cookie's name and the problem, but never the cookie's value.
    pub(crate) fn evidence(&self, problem: &str) -> Evidence {
        let name = &self.cookie.name;
        Evidence::header("Set-Cookie", &format!("{name}=…"))
            .at(self.page.url.as_str())
            .message(format!("The cookie {name} {problem}."))
            .cause(name.as_str(), format!("The cookie {name} {problem}"))
    }
}

/// Every cookie that a page sets, each name once per set of attributes, without removals and without the cookies
/// of hosting platforms, which the site cannot change.
pub(crate) fn set_by_pages(site: &Site) -> Vec<PageCookie<'_>> {
    let mut seen = HashSet::new();
    let mut cookies = Vec::new();
    for page in &site.pages {
        let headers = page.headers.iter();
        let set = headers.flat_map(|headers| headers.get_all("set-cookie"));
        for cookie in set.filter_map(SetCookie::parse) {
            let attributes = (
                cookie.name.clone(),
                (cookie.secure, cookie.http_only),
                format!("{:?}", cookie.same_site),
                (cookie.path.clone(), cookie.domain.clone()),
                page.url.scheme(),
            );
            if !cookie.is_removal() && !cookie.is_of_platform() && seen.insert(attributes) {
                cookies.push(PageCookie { cookie, page });
            }
        }
    }
    cookies
}
