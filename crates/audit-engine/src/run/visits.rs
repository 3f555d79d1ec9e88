//! The addresses of the site that the crawl requested.

use domain::report::{PageDetails, PageScores, PageVisit};
use url::Url;

use super::link_graph::LinkGraph;
use crate::bounds::{MAX_PAGE_TEXT_BYTES, MAX_PAGES_BYTES};
use crate::crawl::{Crawled, RequestedUrl};
use crate::evaluation::collector::Collector;
use crate::site::{PageFacts, Site, UrlEntry, UrlTable};

/// Every URL of the site that the crawl requested as a page: the audited pages in the order of their numbers,
/// then the others, in the order in which the crawl committed their responses. These are redirects, those of
/// the start URL first, errors, documents that are not HTML, and URLs without a response.
///
/// The list does not contain URLs of other sites, URLs that were not requested (`coverage.skipped` counts
/// them), resources, sitemaps and well-known URLs. The state of a URL is the one that the crawl recorded; later
/// requests do not change it.
///
pub(super) fn visits(crawled: &Crawled) -> Visits {
    let others = crawled
        .others
        .iter()
        .filter_map(|requested| other(&crawled.urls, requested));
    let all = crawled.pages.iter().map(audited).chain(others);
    let (mut listed, unlisted) = within(MAX_PAGES_BYTES, all);
    Visits {
        without_texts: bound_texts(MAX_PAGE_TEXT_BYTES, &mut listed),
        listed,
        unlisted,
    }
}

/// The visits of a crawl that a report lists.
pub(super) struct Visits {
    /// As many as fit into [`MAX_PAGES_BYTES`].
    pub(super) listed: Vec<PageVisit>,
    /// The number of the others.
    pub(super) unlisted: u64,
    /// The number of those whose descriptions, headings and the like do not fit into [`MAX_PAGE_TEXT_BYTES`].
    pub(super) without_texts: u64,
}

/// Drops the texts of the details beyond this many bytes, and returns of how many visits.
fn bound_texts(mut room: usize, visits: &mut [PageVisit]) -> u64 {
    let mut without = 0;
    for details in visits.iter_mut().map(|visit| &mut visit.details) {
        match room.checked_sub(details.text_bytes()) {
            Some(left) if without == 0 => room = left,
            _ => {
                without += u64::from(details.text_bytes() > 0);
                details.drop_texts();
            }
        }
    }
    without
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

/// Sets how many pages link to each URL.
pub(super) fn add_links(visits: &mut [PageVisit], site: &Site, graph: &LinkGraph) {
    for (place, visit) in visits.iter_mut().enumerate() {
        let id = match site.pages.get(place) {
            Some(page) if visit.audited => Some(page.id),
            _ => Url::parse(&visit.url)
                .ok()
                .and_then(|url| Some(site.lookup(&url)?.0)),
        };
        visit.details.links_in = id.and_then(|id| graph.links_in(site, id));
    }
}

fn audited(page: &PageFacts) -> PageVisit {
    let text = |text: Option<&str>| text.map(str::to_owned);
    let heading = page.h1.as_ref();
    PageVisit {
        url: page.url.as_str().to_owned(),
        status: Some(page.status),
        depth: page.depth,
        title: page.title.as_deref().map(str::to_owned),
        bytes: Some(page.bytes),
        audited: true,
        leads_to: None,
        details: PageDetails {
            description: text(page.description.as_deref()),
            h1: text(heading.map(|heading| &*heading.text)),
            canonical: text(page.canonicals.first().map(Url::as_str)),
            indexable: Some(page.is_indexable()),
            language: text(page.lang.as_deref()),
            words: Some(page.words),
            transfer_bytes: Some(page.wire_bytes),
            response_ms: Some(page.response_ms),
            links_in: None,
            links_out: Some(page.links_out),
        },
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
        details: PageDetails::default(),
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
            details: PageDetails::default(),
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

    #[test]
    fn texts_beyond_the_size_limit_are_dropped_and_counted() {
        let described = |text: &str| PageVisit {
            details: PageDetails {
                description: Some(text.to_owned()),
                words: Some(7),
                ..PageDetails::default()
            },
            ..visit("/")
        };
        let mut all = [
            described("abc"),
            described("de"),
            visit("/"),
            described("f"),
        ];
        assert_eq!(bound_texts(4, &mut all), 2);
        let kept = all.map(|visit| (visit.details.description, visit.details.words));
        let (none, words) = (None, Some(7));
        let expected = [
            (Some("abc".to_owned()), words),
            (none.clone(), words),
            (none.clone(), None),
            (none, words),
        ];
        assert_eq!(kept, expected);
    }
}
