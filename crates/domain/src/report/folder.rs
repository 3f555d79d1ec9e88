//! The folders of a site.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::PageVisit;

/// Folders of a report that are kept, at most: those with the most pages.
pub const MAX_FOLDERS: usize = 500;
/// Bytes of their URLs that are kept, at most.
pub const MAX_FOLDER_BYTES: usize = 64 * 1024;
/// Levels of folders below the root that are told apart.
pub const MAX_FOLDER_LEVELS: u32 = 6;

/// A folder of a site, with everything below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Its URL, which ends with a slash: `https://example.com/docs/`.
    pub url: String,
    /// How many folders it is in: 0 for the root of an origin.
    pub level: u32,
    /// How many URLs in it were requested.
    pub pages: u64,
    /// How many of them answered 400 or more, or not at all.
    pub failed: u64,
    /// The bytes of their decoded bodies.
    pub bytes: u64,
    /// The issues on them, each page's counted for itself.
    pub issues: u64,
    /// The same of the older variant's report.
    pub issues_legacy: u64,
}

/// The folders of these pages, in the order of a tree: each before those in it. Of a site with more than
/// [`MAX_FOLDERS`] the largest are kept, each with the folders that it is in.
#[must_use]
pub fn folders(visits: &[PageVisit]) -> Vec<Folder> {
    let mut all: BTreeMap<&str, Folder> = BTreeMap::new();
    for visit in visits {
        for (level, url) in (0..=MAX_FOLDER_LEVELS).zip(prefixes(&visit.url)) {
            let folder = all.entry(url).or_insert_with(|| Folder {
                url: String::new(),
                level,
                pages: 0,
                failed: 0,
                bytes: 0,
                issues: 0,
                issues_legacy: 0,
            });
            folder.pages += 1;
            folder.failed += u64::from(visit.status.is_none_or(|status| status >= 400));
            folder.bytes += visit.bytes.unwrap_or_default();
            folder.issues += u64::from(visit.issues);
            folder.issues_legacy += u64::from(visit.issues_legacy);
        }
    }
    let mut largest: Vec<_> = all.into_iter().collect();
    // A folder has at least as many pages as one in it, and a shorter URL.
    largest.sort_by_key(|(url, folder)| (Reverse(folder.pages), *url));
    let mut room = MAX_FOLDER_BYTES;
    let mut kept: Vec<_> = largest
        .into_iter()
        .take(MAX_FOLDERS)
        .map_while(|(url, folder)| {
            room = room.checked_sub(url.len())?;
            let url = url.to_owned();
            Some(Folder { url, ..folder })
        })
        .collect();
    kept.sort_by(|one, other| one.url.cmp(&other.url));
    kept
}

/// The URLs of the folders that a URL is in, from the root of its origin on.
fn prefixes(url: &str) -> impl Iterator<Item = &str> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let begin = path.find("://").map_or(path.len(), |scheme| scheme + 3);
    let slashes = path.match_indices('/').filter(move |(at, _)| *at >= begin);
    slashes.filter_map(move |(at, _)| path.get(..=at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{PageDetails, PageScores};

    fn visit(url: &str, status: u16, bytes: u64) -> PageVisit {
        PageVisit {
            url: url.to_owned(),
            status: Some(status),
            depth: None,
            title: None,
            bytes: Some(bytes),
            audited: true,
            leads_to: None,
            details: PageDetails::default(),
            scores: PageScores::default(),
            issues: 2,
            issues_legacy: 1,
        }
    }

    #[test]
    fn a_folder_counts_everything_below_it() {
        let visits = [
            visit("https://example.com/", 200, 1),
            visit("https://example.com/docs/a?x=/y/", 200, 10),
            visit("https://example.com/docs/b/c", 404, 100),
            visit("http://example.com/docs", 301, 0),
        ];
        let found = folders(&visits);
        let shown: Vec<_> = found
            .iter()
            .map(|folder| {
                let Folder {
                    level,
                    pages,
                    failed,
                    bytes,
                    issues,
                    ..
                } = folder;
                (
                    folder.url.as_str(),
                    *level,
                    *pages,
                    *failed,
                    *bytes,
                    *issues,
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("http://example.com/", 0, 1, 0, 0, 2),
                ("https://example.com/", 0, 3, 1, 111, 6),
                ("https://example.com/docs/", 1, 2, 1, 110, 4),
                ("https://example.com/docs/b/", 2, 1, 1, 100, 2),
            ]
        );
    }

    #[test]
    fn folders_are_bounded_and_never_without_the_folder_that_they_are_in() {
        let visits: Vec<_> = (0..MAX_FOLDERS + 10)
            .map(|number| visit(&format!("https://example.com/{number}/a/b/"), 200, 1))
            .collect();
        let found = folders(&visits);
        assert_eq!(found.len(), MAX_FOLDERS);
        let urls: std::collections::BTreeSet<_> =
            found.iter().map(|folder| folder.url.as_str()).collect();
        for url in &urls {
            assert!(prefixes(url).all(|parent| urls.contains(parent)), "{url}");
        }
        let long = "x".repeat(1_900);
        let visits: Vec<_> = (0..50)
            .map(|number| visit(&format!("https://example.com/{number}{long}/"), 200, 1))
            .collect();
        let bytes: usize = folders(&visits).iter().map(|folder| folder.url.len()).sum();
        assert!(bytes <= MAX_FOLDER_BYTES);
        let deep = format!("https://example.com{}", "/a".repeat(50));
        let deepest = folders(&[visit(&deep, 200, 1)]);
        assert_eq!(
            deepest.last().map(|folder| folder.level),
            Some(MAX_FOLDER_LEVELS)
        );
    }

    #[test]
    fn a_text_that_is_no_url_is_in_no_folder() {
        assert_eq!(folders(&[visit("nothing/at/all", 200, 1)]), []);
    }
}
