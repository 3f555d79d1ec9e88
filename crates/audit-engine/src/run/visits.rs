//! The addresses of the site that the crawl requested.

use domain::report::{PageScores, PageVisit};

use crate::bounds::MAX_PAGES_BYTES;
use crate::crawl::{Crawled, RequestedUrl};
use crate::evaluation::collector::Collector;
use crate::site::{PageFacts, UrlEntry, UrlTable};

/// Every URL of the site that the crawl requested as a page: the audited pages in the order of their numbers,
/// then the others, in the order in which the crawl committed their responses. These are redirects, those of
/// the start URL first, errors, documents that are not HTML, and URLs without a response.
///
/// The list does not contain URLs of other sites, URLs that were not requested (`coverage.skipped` counts
/// them), resources, sitemaps and well-known URLs. The state of a URL is the one that the crawl recorded; later
/// requests do not change it.
///
/// Returns as many visits as fit into [`MAX_PAGES_BYTES`], and the number of the others.
pub(super) fn visits(crawled: &Crawled) -> (Vec<PageVisit>, u64) {
    let others = crawled
        .others
        .iter()
        .filter_map(|requested| other(&crawled.urls, requested));
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

/// Sets the scores and the number of issues of each URL.
pub(super) fn add_results(visits: &mut [PageVisit], collector: &Collector) {
    for (place, visit) in visits.iter_mut().enumerate() {
        // Audited pages come first, in the order in which they were recorded.
        visit.scores = if visit.audited {
            collector.audited_scores(place)
        } else {
            collector.other_scores(&visit.url)
        };
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
        scores: PageScores::default(),
        issues: 0,
        issues_legacy: 0,
    }
}

fn other(urls: &UrlTable, requested: &RequestedUrl) -> Option<PageVisit> {
    let entry = urls.get(requested.id).filter(|entry| entry.internal)?;
    let redirects = entry
        .answer()
        .is_some_and(|answer| answer.location.is_some());
    let end = redirects
        .then(|| urls.get(urls.landing(requested.id)?))
        .flatten()
        .filter(|end| end.internal);
    Some(PageVisit {
        url: entry.url.to_string(),
        status: entry.status(),
        depth: requested.depth,
        title: None,
        bytes: None,
        audited: false,
        leads_to: end.map(|end: &UrlEntry| end.url.to_string()),
        scores: PageScores::default(),
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
            scores: PageScores::default(),
            issues: 0,
            issues_legacy: 0,
        }
    }

    #[test]
    fn visits_beyond_the_size_limit_are_counted() {
        let all = ["/a", "/bcd", "/e"].map(visit);
        let (kept, left_out) = within(5, all.into_iter());
        assert_eq!((kept.len(), left_out), (1, 2));
    }
}
