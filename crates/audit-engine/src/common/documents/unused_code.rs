//! Code of files that no examined page of a site uses.

use std::collections::HashMap;

use domain::score::Share;

use super::page_load::wasted_by_visit;
use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::bytes::size;
use crate::gather::FileCoverage;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

/// What a check of unused code evaluates.
pub(crate) struct UnusedCode {
    /// The kind of the files.
    pub(crate) kind: ResourceKind,
    /// The unused bytes of a file from which it fails.
    pub(crate) least_bytes: u64,
    /// The bytes wasted by one visit at which the check costs its whole penalty.
    pub(crate) visit_limit: u64,
    /// How many UTF-16 code units of a file are unused; none if that cannot be told.
    pub(crate) unused: fn(&ResourceFacts, &FileCoverage) -> Option<u32>,
    /// What is unused, before the pages: `of the script did not run on`.
    pub(crate) words: &'static str,
}

impl UnusedCode {
    /// Evaluates every file of the kind that a browser examined.
    pub(crate) fn evaluate(&self, site: &Site, verdicts: &mut Verdicts<'_>) {
        let mut wasted = HashMap::new();
        let files = site.resources.iter();
        for file in files.filter(|file| file.ok() && file.kind == self.kind) {
            let Some(known) = site.coverage.file(file.url.as_str()) else {
                continue;
            };
            let Some(unused) = (self.unused)(file, &known.coverage) else {
                continue;
            };
            let all = u64::from(known.coverage.chars.max(1));
            let share = |of: u64| of.saturating_mul(u64::from(unused)) / all;
            let bytes = share(file.wire_bytes);
            let outcome = Outcome::pass_if(bytes < self.least_bytes, || {
                let pages = match known.pages {
                    1 => "the page that a browser examined".to_owned(),
                    pages => format!("any of the {pages} pages that a browser examined"),
                };
                Evidence::here().message(format!(
                    "{} percent {} {pages}: about {} of its transfer size of {}; expected less than {}.",
                    share(100),
                    self.words,
                    size(bytes),
                    size(file.wire_bytes),
                    size(self.least_bytes),
                ))
            });
            if verdicts.record(file.url.as_str(), outcome) {
                wasted.insert(file.id, bytes);
            }
        }
        let wasted = wasted_by_visit(site, |_| 0, &wasted);
        verdicts.set_reach(Share::from_ratio(wasted, self.visit_limit));
    }
}
