//! The addresses of the site that the crawl asked for.

use domain::report::PageVisit;

use crate::bounds::MAX_PAGES_BYTES;
use crate::crawl::{Asked, Crawled};
use crate::evaluation::collector::Collector;
use crate::site::{PageFacts, UrlEntry, UrlTable};

/// Every address of the site that the crawl asked for as a page: the audited pages in the order of
/// their numbers, then the others, in the order in which the crawl took their answers. These are
/// redirects, the ones from the start URL first, errors, documents that are no HTML, and addresses
/// that did not answer.
///
/// Not listed are addresses of other sites, addresses that were not asked for (`coverage.skipped`
/// counts them), and what was asked for as something else: resources, sitemaps, well-known places.
/// The state of an address is that which the crawl found, whatever is asked later.
///
/// As many as [`MAX_PAGES_BYTES`] hold, and how many there is no room for.
pub(super) fn visits(crawled: &Crawled) -> (Vec<PageVisit>, u64) {
    let others = crawled
        .others
        .iter()
        .filter_map(|asked| other(&crawled.urls, asked));
    within(
        MAX_PAGES_BYTES,
        crawled.pages.iter().map(audited).chain(others),
    )
}

/// The first visits whose texts have at most `room` bytes together, and the number of the others.
fn within(mut room: usize, all: impl Iterator<Item = PageVisit>) -> (Vec<PageVisit>, u64) {
    let (mut visits, mut left_out) = (Vec::new(), 0);
    for visit in all {
        match room.checked_sub(text_bytes(&visit)) {
            Some(left) if left_out == 0 => {
                room = left;
                visits.push(visit);
            }
            _ => left_out += 1,
        }
    }
    (visits, left_out)
}

fn text_bytes(visit: &PageVisit) -> usize {
    let texts = [&visit.title, &visit.leads_to];
    visit.url.len() + texts.into_iter().flatten().map(String::len).sum::<usize>()
}

/// Fills in how many issues occur on each address.
pub(super) fn count_issues(visits: &mut [PageVisit], collector: &Collector) {
    for visit in visits {
        let count = collector.issues_on(&visit.url);
        visit.issues = count.current;
        visit.issues_legacy = count.legacy;
    }
}

fn audited(page: &PageFacts) -> PageVisit {
    PageVisit {
        url: page.url.as_str().to_owned(),
        status: Some(page.status),
        depth: page.depth,
        title: page.title.as_deref().map(str::to_owned),
        bytes: Some(page.bytes),
        audited: true,
        leads_to: None,
        issues: 0,
        issues_legacy: 0,
    }
}

fn other(urls: &UrlTable, asked: &Asked) -> Option<PageVisit> {
    let entry = urls.get(asked.id).filter(|entry| entry.internal)?;
    let redirects = entry
        .answer()
        .is_some_and(|answer| answer.location.is_some());
    let end = redirects
        .then(|| urls.get(urls.landing(asked.id)?))
        .flatten()
        .filter(|end| end.internal);
    Some(PageVisit {
        url: entry.url.to_string(),
        status: entry.status(),
        depth: asked.depth,
        title: None,
        bytes: None,
        audited: false,
        leads_to: end.map(|end: &UrlEntry| end.url.to_string()),
        issues: 0,
        issues_legacy: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(url: &str) -> PageVisit {
        PageVisit {
            url: url.to_owned(),
            status: None,
            depth: None,
            title: None,
            bytes: None,
            audited: false,
            leads_to: None,
            issues: 0,
            issues_legacy: 0,
        }
    }

    #[test]
    fn visits_beyond_the_bytes_are_counted() {
        let all = ["/a", "/bcd", "/e"].map(visit);
        let (kept, left_out) = within(5, all.into_iter());
        assert_eq!((kept.len(), left_out), (1, 2));
    }
}
