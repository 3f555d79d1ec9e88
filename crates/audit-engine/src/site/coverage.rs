//! Which code of scripts and which rules of style sheets the pages of a site use.

use std::collections::BTreeMap;

use crate::gather::FileCoverage;

/// Files of a site that are kept. Further ones are not judged.
const MAX_FILES: usize = 1_000;

/// The scripts and style sheets of a site, with what none of the pages used.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    files: BTreeMap<String, FileOfSite>,
}

/// A script or style sheet of a site.
#[derive(Debug, Clone)]
pub struct FileOfSite {
    /// What none of its pages used.
    pub coverage: FileCoverage,
    /// The pages that loaded it.
    pub pages: u32,
}

impl Coverage {
    /// Adds a file of a page. What one page uses is used.
    pub(crate) fn add(&mut self, file: FileCoverage) {
        if let Some(known) = self.files.get_mut(&file.url) {
            known.coverage.also(&file);
            known.pages += 1;
        } else if self.files.len() < MAX_FILES {
            let url = file.url.clone();
            let first = FileOfSite {
                coverage: file,
                pages: 1,
            };
            self.files.insert(url, first);
        }
    }

    /// The file at this URL.
    #[must_use]
    pub fn file(&self, url: &str) -> Option<&FileOfSite> {
        self.files.get(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(url: &str, unused: (u32, u32)) -> FileCoverage {
        FileCoverage::new(url.to_owned(), 100, vec![unused])
    }

    #[test]
    fn what_one_page_uses_is_used_on_the_site() {
        let mut site = Coverage::default();
        site.add(script("a", (0, 50)));
        site.add(script("a", (20, 80)));
        site.add(script("b", (0, 100)));
        let found = site.file("a").unwrap();
        assert_eq!((found.coverage.unused_chars(), found.pages), (30, 2));
        assert_eq!(site.file("b").unwrap().pages, 1);
        assert!(site.file("c").is_none());
    }

    #[test]
    fn the_number_of_files_is_bounded() {
        let mut site = Coverage::default();
        for number in 0..=MAX_FILES {
            site.add(script(&number.to_string(), (0, 50)));
        }
        assert_eq!(site.files.len(), MAX_FILES);
    }
}
