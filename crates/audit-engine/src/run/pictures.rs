//! Pictures of a few pages after the audit, and of elements that its checks found.
//!
//! A page is shown once more for its pictures, because only the findings of the whole site tell what to show. It takes about a
//! second for each page. An element that is not there any more has no picture.

use std::collections::{HashMap, HashSet};

use domain::artifact::{Artifact, ArtifactId, ArtifactKind, MAX_RUN_ARTIFACT_BYTES};
use domain::report::{Finding, Occurrence};
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::bounds::{
    MAX_PHOTOGRAPHED_ELEMENTS_OF_CHECK, MAX_PHOTOGRAPHED_ELEMENTS_OF_RUN, MAX_PHOTOGRAPHED_PAGES,
};
use crate::crawl::url_pattern;
use crate::gather::{PagePictures, Photo, PictureOrder, PicturedElement, Renderer};
use crate::site::PageFacts;

/// Pages that are pictured because their pattern of URLs has no other. The rest of [`MAX_PHOTOGRAPHED_PAGES`] are those
/// of findings.
const PAGES_OF_PATTERNS: usize = 5;

/// Pages that are shown at the same time.
const AT_ONCE: usize = 2;

/// Where an occurrence is among the findings: finding, cause, occurrence.
type Spot = (usize, usize, usize);

/// A page that is pictured.
#[derive(Debug, PartialEq)]
struct PlannedPage {
    url: Url,
    elements: Vec<PicturedElement>,
    /// The occurrences that each element is a picture of.
    spots: Vec<Vec<Spot>>,
}

/// Takes pictures until the time is over, and notes in the findings which occurrences they show.
pub(super) async fn take(
    renderer: &dyn Renderer,
    pages: &[PageFacts],
    findings: &mut [Finding],
    until: Instant,
) -> Vec<Artifact> {
    let shown = pages.iter().filter(|page| page.is_rendered);
    let shown: Vec<&Url> = shown.map(|page| &page.url).collect();
    let start = pages.first().map(|page| &page.url);
    let plan = plan(&shown, findings);
    let photographed: Vec<BoxFuture<'_, Option<PagePictures>>> = plan
        .iter()
        .map(|page| photograph(renderer, page, start == Some(&page.url), until).boxed())
        .collect();
    let photographed = stream::iter(photographed).buffered(AT_ONCE);
    let taken: Vec<Option<PagePictures>> = photographed.collect().await;
    let mut album = Album::default();
    let mut of_elements = Vec::new();
    for (page, pictures) in plan.iter().zip(taken) {
        let Some(pictures) = pictures else { continue };
        album.add(&page.url, ArtifactKind::Viewport, pictures.viewport);
        album.add(
            &page.url,
            ArtifactKind::WithoutScripts,
            pictures.without_scripts,
        );
        let elements = page.spots.iter().zip(pictures.elements);
        of_elements.extend(elements.map(|(spots, photo)| (&page.url, spots, photo)));
    }
    for (url, spots, photo) in of_elements {
        let id = album.add(url, ArtifactKind::Element, photo);
        for spot in spots {
            if let Some(occurrence) = occurrence(findings, *spot) {
                occurrence.artifact = id;
            }
        }
    }
    album.pictures
}

/// Takes the pictures of a page; none if that fails or the time is over.
async fn photograph(
    renderer: &dyn Renderer,
    page: &PlannedPage,
    without_scripts: bool,
    until: Instant,
) -> Option<PagePictures> {
    let order = PictureOrder {
        elements: page.elements.clone(),
        without_scripts,
    };
    let pictures = renderer.photograph(page.url.clone(), order);
    let reason = match timeout_at(until, pictures).await {
        Ok(Ok(pictures)) => return Some(pictures),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the time for pictures is over".to_owned(),
    };
    tracing::info!(page.url = %page.url, reason, "no pictures of a page");
    None
}

/// The pictures so far.
#[derive(Default)]
struct Album {
    pictures: Vec<Artifact>,
    bytes: usize,
}

impl Album {
    /// Adds a picture. Returns its id; none if there is no picture, or no room for it.
    fn add(&mut self, url: &Url, kind: ArtifactKind, photo: Option<Photo>) -> Option<ArtifactId> {
        let photo = photo?;
        let number = u8::try_from(self.pictures.len() + 1).ok()?;
        let id = ArtifactId::new(number)?;
        let bytes = self.bytes + photo.jpeg.len();
        if bytes > MAX_RUN_ARTIFACT_BYTES {
            return None;
        }
        self.bytes = bytes;
        self.pictures.push(Artifact {
            id,
            kind,
            url: url.to_string(),
            width: photo.width,
            height: photo.height,
            jpeg: photo.jpeg,
        });
        Some(id)
    }
}

fn occurrence(findings: &mut [Finding], (finding, cause, place): Spot) -> Option<&mut Occurrence> {
    let cause = findings.get_mut(finding)?.causes.get_mut(cause)?;
    cause.occurrences.get_mut(place)
}

/// Which pages and elements are pictured: of the worst checks first, and of each check one element before any has two.
/// `shown` are the pages that the browser showed, the start page first.
fn plan(shown: &[&Url], findings: &[Finding]) -> Vec<PlannedPage> {
    let mut worst_first: Vec<usize> = (0..findings.len()).collect();
    worst_first.sort_by_key(|place| findings.get(*place).map(|finding| finding.severity));
    let by_text: HashMap<&str, &Url> = shown.iter().map(|url| (url.as_str(), *url)).collect();
    let chosen = chosen(shown, &by_text, findings, &worst_first);
    let mut pages: Vec<PlannedPage> = chosen
        .iter()
        .map(|url| PlannedPage {
            url: (*url).clone(),
            elements: Vec::new(),
            spots: Vec::new(),
        })
        .collect();
    let is_pictured: HashSet<&str> = chosen.iter().map(|url| url.as_str()).collect();
    let candidates: Vec<Vec<(Spot, &Occurrence)>> = worst_first
        .iter()
        .map(|place| {
            let found = elements(findings, *place);
            found
                .filter(|(_, found)| is_pictured.contains(found.url.as_str()))
                .take(MAX_PHOTOGRAPHED_ELEMENTS_OF_CHECK)
                .collect()
        })
        .collect();
    let mut count = 0;
    for round in 0..MAX_PHOTOGRAPHED_ELEMENTS_OF_CHECK {
        for of_check in &candidates {
            let Some((spot, found)) = of_check.get(round) else {
                continue;
            };
            let page = pages.iter_mut().find(|page| page.url.as_str() == found.url);
            let (Some(page), Some(selector)) = (page, &found.selector) else {
                continue;
            };
            let same = |element: &PicturedElement| element.selector == *selector;
            if let Some(place) = page.elements.iter().position(same) {
                if let Some(spots) = page.spots.get_mut(place) {
                    spots.push(*spot);
                }
            } else if count < MAX_PHOTOGRAPHED_ELEMENTS_OF_RUN {
                count += 1;
                page.elements.push(PicturedElement {
                    selector: selector.clone(),
                    snippet: found.snippet.clone(),
                });
                page.spots.push(vec![*spot]);
            }
        }
    }
    pages
}

/// The pages: those of different patterns of URLs, then those of findings that none of them has.
fn chosen<'a>(
    shown: &[&'a Url],
    by_text: &HashMap<&str, &'a Url>,
    findings: &[Finding],
    worst_first: &[usize],
) -> Vec<&'a Url> {
    let mut patterns = HashSet::new();
    let mut chosen: Vec<&Url> = (shown.iter().copied())
        .filter(|url| patterns.insert(url_pattern(url)))
        .take(PAGES_OF_PATTERNS)
        .collect();
    for place in worst_first {
        if chosen.len() >= MAX_PHOTOGRAPHED_PAGES {
            break;
        }
        let pages = || {
            let found = elements(findings, *place);
            found.filter_map(|(_, found)| by_text.get(found.url.as_str()).copied())
        };
        if !pages().any(|url| chosen.contains(&url)) {
            chosen.extend(pages().next());
        }
    }
    chosen
}

/// The occurrences of a finding that have an element: the first of each cause, then the second of each, and so on.
fn elements(findings: &[Finding], place: usize) -> impl Iterator<Item = (Spot, &Occurrence)> {
    let causes = findings.get(place).map(|finding| finding.causes.as_slice());
    let causes = causes.unwrap_or_default();
    (0..MAX_PHOTOGRAPHED_ELEMENTS_OF_CHECK)
        .flat_map(move |ordinal| {
            causes.iter().enumerate().filter_map(move |(cause, of)| {
                Some(((place, cause, ordinal), of.occurrences.get(ordinal)?))
            })
        })
        .filter(|(_, found)| found.selector.is_some())
}

#[cfg(test)]
mod tests {
    use domain::report::FindingCause;
    use domain::{Confidence, Dimension, Severity, SubjectKind};

    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("https://example.com/")
            .unwrap()
            .join(path)
            .unwrap()
    }

    fn found(path: &str, selector: &str) -> Occurrence {
        Occurrence {
            url: url(path).to_string(),
            selector: Some(selector.to_owned()),
            snippet: Some("<p>".to_owned()),
            line: None,
            message: "Wrong.".to_owned(),
            waiver: None,
            artifact: None,
        }
    }

    fn finding(severity: Severity, causes: Vec<Vec<Occurrence>>) -> Finding {
        Finding {
            check_id: "image-alt".to_owned(),
            dimension: Dimension::Accessibility,
            severity,
            confidence: Confidence::High,
            effort: "small".to_owned(),
            title: "t".to_owned(),
            why: "w".to_owned(),
            fix: "f".to_owned(),
            references: Vec::new(),
            affected: 1,
            applicable: 1,
            subject: SubjectKind::Page,
            pages: std::collections::BTreeSet::new(),
            occurrences_total: 1,
            waived: 0,
            causes_total: 1,
            causes: causes
                .into_iter()
                .map(|occurrences| FindingCause {
                    key: String::new(),
                    title: String::new(),
                    affected: 1,
                    occurrences_total: 1,
                    waived: 0,
                    occurrences,
                })
                .collect(),
        }
    }

    fn selectors(plan: &[PlannedPage]) -> Vec<Vec<&str>> {
        let pages = plan.iter().map(|page| &page.elements);
        pages
            .map(|elements| elements.iter().map(|one| one.selector.as_str()).collect())
            .collect()
    }

    #[test]
    fn each_check_has_one_picture_before_any_has_two() {
        let start = url("/");
        let of = |name: &str| (0..9).map(|n| found("/", &format!("{name}{n}"))).collect();
        let findings = [
            finding(Severity::Minor, vec![of("minor")]),
            finding(Severity::Critical, vec![of("a"), of("b")]),
        ];
        let plan = plan(&[&start], &findings);
        let expected = ["a0", "minor0", "b0", "minor1", "a1", "minor2"];
        assert_eq!(selectors(&plan), [expected]);
    }

    #[test]
    fn an_element_that_two_checks_found_is_pictured_once() {
        let start = url("/");
        let findings = [
            finding(Severity::Minor, vec![vec![found("/", "img")]]),
            finding(Severity::Minor, vec![vec![found("/", "img")]]),
        ];
        let plan = plan(&[&start], &findings);
        assert_eq!(selectors(&plan), [["img"]]);
        assert_eq!(plan[0].spots, [[(0, 0, 0), (1, 0, 0)]]);
    }

    #[test]
    fn the_elements_of_a_run_are_limited() {
        let start = url("/");
        let findings: Vec<_> = (0..100)
            .map(|n| finding(Severity::Minor, vec![vec![found("/", &format!("#e{n}"))]]))
            .collect();
        let plan = plan(&[&start], &findings);
        assert_eq!(plan[0].elements.len(), MAX_PHOTOGRAPHED_ELEMENTS_OF_RUN);
    }

    #[test]
    fn pages_of_different_patterns_come_first_and_then_those_of_findings() {
        let urls: Vec<Url> = ["/", "/a/1", "/a/2", "/b/1", "/b/2"].map(url).into();
        let shown: Vec<&Url> = urls.iter().collect();
        let findings = [
            finding(Severity::Minor, vec![vec![found("/b/2", "p")]]),
            finding(Severity::Minor, vec![vec![found("/c/9", "p")]]),
        ];
        let pages: Vec<_> = plan(&shown, &findings)
            .into_iter()
            .map(|page| page.url)
            .collect();
        assert_eq!(pages, ["/", "/a/1", "/b/1", "/b/2"].map(url));
    }

    #[test]
    fn the_pages_of_a_run_are_limited() {
        let urls: Vec<Url> = (0..50).map(|n| url(&format!("/x{n}y/"))).collect();
        let urls: Vec<Url> = urls
            .into_iter()
            .chain((0..50).map(|n| url(&format!("/p/{n}"))))
            .collect();
        let shown: Vec<&Url> = urls.iter().collect();
        let findings: Vec<_> = (0..50)
            .map(|n| finding(Severity::Minor, vec![vec![found(&format!("/p/{n}"), "p")]]))
            .collect();
        assert_eq!(plan(&shown, &findings).len(), MAX_PHOTOGRAPHED_PAGES);
    }

    #[test]
    fn pictures_beyond_the_bytes_or_the_number_of_a_run_are_left_out() {
        let photo = |bytes| {
            Some(Photo {
                width: 1,
                height: 1,
                jpeg: vec![0; bytes],
            })
        };
        let mut album = Album::default();
        assert!(
            album
                .add(
                    &url("/"),
                    ArtifactKind::Viewport,
                    photo(MAX_RUN_ARTIFACT_BYTES)
                )
                .is_some()
        );
        assert_eq!(album.add(&url("/"), ArtifactKind::Viewport, photo(1)), None);
        let mut album = Album::default();
        for _ in 0..100 {
            album.add(&url("/"), ArtifactKind::Element, photo(1));
        }
        assert_eq!(album.pictures.len(), domain::artifact::MAX_ARTIFACTS);
        assert_eq!(album.pictures[2].id.to_string(), "art_3");
    }
}
