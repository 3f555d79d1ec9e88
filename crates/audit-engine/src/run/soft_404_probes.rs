//! Requests pages that look like error pages again, and a URL beside each that cannot exist, because one sign
//! may be a coincidence. The URL is the page's with `assay-probe-` and sixteen hexadecimal digits as its last
//! segment.
//!
//! Of the pages with the same title and heading one is requested, and at most three in total.

use std::collections::HashSet;

use url::Url;

use super::probes::Places;
use crate::common::http::soft_404::{Suspicion, head};
use crate::site::{ErrorPage, Site};

/// Pages of one site that are requested again.
const MAX_PROBED_PAGES: usize = 3;

/// The pages of a site that look like error pages, the first with each title and heading, in the order of their
/// numbers.
pub(crate) fn candidates(site: &Site) -> Vec<Url> {
    let suspicion = Suspicion::new(site);
    let mut heads = HashSet::new();
    site.pages
        .iter()
        .filter(|page| suspicion.is_on(page))
        .filter(|page| heads.insert(head(page)))
        .take(MAX_PROBED_PAGES)
        .map(|page| page.url.clone())
        .collect()
}

/// Requests each candidate, and a URL beside it.
pub(crate) async fn gather(places: &Places<'_>, candidates: Vec<Url>) -> Vec<ErrorPage> {
    let mut found = Vec::new();
    for url in candidates {
        let beside = beside(&url, &places.digits(0));
        let again = places.request(url, Vec::new()).await;
        let missing = places.request(beside, Vec::new()).await;
        if let (Some(again), Some(missing)) = (again, missing) {
            found.push(ErrorPage { again, missing });
        }
    }
    found
}

/// A URL in the folder of the page that cannot exist. It keeps the file extension, because many servers respond
/// according to it.
fn beside(page: &Url, digits: &str) -> Url {
    let path = page.path().trim_end_matches('/');
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let dot = if ending.is_empty() { "" } else { "." };
    let mut url = page.clone();
    url.set_path(&format!("{folder}/assay-probe-{digits}{dot}{ending}"));
    url.set_query(None);
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_url_keeps_the_folder_and_extension_of_the_page() {
        let beside = |url: &str| beside(&Url::parse(url).unwrap(), "00").to_string();
        assert_eq!(
            beside("https://example.com/a/b.php?c=d"),
            "https://example.com/a/assay-probe-00.php"
        );
        assert_eq!(
            beside("https://example.com/a/b/"),
            "https://example.com/a/assay-probe-00"
        );
        assert_eq!(
            beside("https://example.com/a"),
            "https://example.com/assay-probe-00"
        );
    }
}
