//! Asks for pages that seem to say that they do not exist once more, and for an address beside each
//! that cannot exist, since one sign may be chance. The addresses are the page's with `assay-probe-`
//! and sixteen hexadecimal digits for its last segment.
//!
//! Of the pages that have title and heading in common one is asked for, and of all of them three.

use std::collections::HashSet;

use url::Url;

use super::probes::Places;
use crate::common::http::soft_404::{Suspicion, head};
use crate::site::{ErrorPage, Site};

/// Pages of one site that are asked for again.
const MAX_SUSPECTS: usize = 3;

/// The pages of a site that seem to say that they do not exist, the first with each title and heading, in the order of their numbers.
pub(crate) fn candidates(site: &Site) -> Vec<Url> {
    let suspicion = Suspicion::of(site);
    let mut heads = HashSet::new();
    site.pages
        .iter()
        .filter(|page| suspicion.is_on(page))
        .filter(|page| heads.insert(head(page)))
        .take(MAX_SUSPECTS)
        .map(|page| page.url.clone())
        .collect()
}

/// Asks for each of them, and beside it.
pub(crate) async fn gather(places: &Places<'_>, candidates: Vec<Url>) -> Vec<ErrorPage> {
    let mut found = Vec::new();
    for url in candidates {
        let beside = beside(&url, &places.digits(0));
        let again = places.ask(url, Vec::new()).await;
        let missing = places.ask(beside, Vec::new()).await;
        if let (Some(again), Some(missing)) = (again, missing) {
            found.push(ErrorPage { again, missing });
        }
    }
    found
}

/// An address in the folder of the page that cannot exist. It keeps the ending of a file's name, for
/// many servers answer by it.
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
    fn an_address_beside_a_page_is_in_its_folder_and_of_its_kind() {
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
