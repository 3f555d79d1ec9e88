//! Which code of script files ran on the pages of a site.

use std::collections::BTreeMap;

use crate::gather::ScriptCoverage;

/// Script files of a site that are kept. Further ones are not judged.
const MAX_SCRIPTS: usize = 1_000;

/// The script files of a site, with the code that ran on none of the pages.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    scripts: BTreeMap<String, ScriptOfSite>,
}

/// A script file of a site.
#[derive(Debug, Clone)]
pub struct ScriptOfSite {
    /// What ran on none of its pages.
    pub coverage: ScriptCoverage,
    /// The pages that loaded it.
    pub pages: u32,
}

impl Coverage {
    /// Adds a script of a page. What it used on one page is used.
    pub(crate) fn add(&mut self, script: ScriptCoverage) {
        if let Some(known) = self.scripts.get_mut(&script.url) {
            known.coverage.also(&script);
            known.pages += 1;
        } else if self.scripts.len() < MAX_SCRIPTS {
            let url = script.url.clone();
            let first = ScriptOfSite {
                coverage: script,
                pages: 1,
            };
            self.scripts.insert(url, first);
        }
    }

    /// The script at this URL.
    #[must_use]
    pub fn script(&self, url: &str) -> Option<&ScriptOfSite> {
        self.scripts.get(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(url: &str, unused: (u32, u32)) -> ScriptCoverage {
        ScriptCoverage::new(url.to_owned(), 100, vec![unused])
    }

    #[test]
    fn what_ran_on_one_page_is_used_on_the_site() {
        let mut site = Coverage::default();
        site.add(script("a", (0, 50)));
        site.add(script("a", (20, 80)));
        site.add(script("b", (0, 100)));
        let found = site.script("a").unwrap();
        assert_eq!((found.coverage.unused_chars(), found.pages), (30, 2));
        assert_eq!(site.script("b").unwrap().pages, 1);
        assert!(site.script("c").is_none());
    }

    #[test]
    fn the_number_of_scripts_is_bounded() {
        let mut site = Coverage::default();
        for number in 0..=MAX_SCRIPTS {
            site.add(script(&number.to_string(), (0, 50)));
        }
        assert_eq!(site.scripts.len(), MAX_SCRIPTS);
    }
}
