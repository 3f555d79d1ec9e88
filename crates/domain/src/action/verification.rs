//! An audit that verifies whether an item is fixed.

use std::collections::BTreeSet;

use url::Url;

use crate::SubjectKind;
use crate::page_key::PageKey;
use crate::report::Issue;
use crate::run::{AskedOptions, MAX_PATTERN_CHARS, MAX_PATTERNS};
use crate::site::SiteHost;

/// What an audit looks at to verify that an item is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The page that the audit begins at.
    pub url: String,
    /// How it audits: only these pages, or as the defaults of the site say.
    pub options: AskedOptions,
    /// How many pages it is limited to; none where it audits the site, because only that shows whether a finding of
    /// files, the server or the site is gone.
    pub pages: Option<usize>,
}

impl Verification {
    /// The audit for an item of the site at `site_url`, whose latest issue this is; none where the report is gone.
    ///
    /// The number of pages is limited: a report stores a bounded number of occurrences, an audit takes at most
    /// [`MAX_PATTERNS`] patterns, and the server allows audits of at most `most_pages` pages.
    #[must_use]
    pub fn new(issue: Option<&Issue>, site_url: &str, most_pages: u32) -> Self {
        let most = usize::try_from(most_pages).unwrap_or(usize::MAX);
        let most = most.min(MAX_PATTERNS);
        let pages = issue.map_or_else(Vec::new, |issue| pages(issue, site_url, most));
        let Some(first) = pages.first() else {
            return Self {
                url: site_url.to_owned(),
                options: AskedOptions::default(),
                pages: None,
            };
        };
        let include: Vec<_> = pages.iter().map(pattern).collect();
        let number = u32::try_from(include.len()).ok();
        Self {
            url: first.to_string(),
            options: AskedOptions {
                max_pages: number,
                // No path through these pages alone is longer. The site's own limit counts from its start page.
                max_depth: number,
                include: Some(include),
                exclude: Some(Vec::new()),
                ..AskedOptions::default()
            },
            pages: Some(pages.len()),
        }
    }
}

/// The first pages of the site that an issue of pages was found on.
fn pages(issue: &Issue, site_url: &str, most: usize) -> Vec<Url> {
    if issue.subject != SubjectKind::Page {
        return Vec::new();
    }
    let host = |url: &Url| SiteHost::from_url(url);
    let site = Url::parse(site_url).ok().and_then(|url| host(&url));
    let occurrences = issue.causes.iter().flat_map(|cause| &cause.occurrences);
    let mut seen = BTreeSet::new();
    occurrences
        .filter_map(|found| Url::parse(&found.url).ok())
        .filter(|url| host(url) == site && pattern(url).chars().count() <= MAX_PATTERN_CHARS)
        .filter(|url| seen.insert(PageKey::from_url(url.as_str())))
        .take(most)
        .collect()
}

/// The pattern that matches a page alone (RFC 9309, section 2.2.3): the characters with a meaning are encoded.
fn pattern(url: &Url) -> String {
    let query = url.query().map(|query| format!("?{query}"));
    let path = format!("{}{}", url.path(), query.unwrap_or_default());
    let path = path.replace('*', "%2A").replace('$', "%24");
    format!("{path}$")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Occurrence;
    use crate::report::testing::{finding, result};
    use crate::report::{Report, Variant};
    use crate::score::DimensionWeights;

    const SITE: &str = "https://example.com/";

    /// The issue of pages that occurs at these addresses.
    fn issue(urls: &[String]) -> Issue {
        let result = result(vec![finding("a")]);
        let report = Report::assemble(&result, Variant::Current, &DimensionWeights::default());
        let mut issue = report.issues.into_iter().next().unwrap();
        issue.subject = SubjectKind::Page;
        let cause = issue.causes.first_mut().unwrap();
        cause.occurrences = urls
            .iter()
            .map(|url| Occurrence {
                url: url.clone(),
                selector: None,
                snippet: None,
                line: None,
                message: String::new(),
                waiver: None,
                artifact: None,
            })
            .collect();
        issue
    }

    #[test]
    fn only_the_pages_of_the_evidence_are_audited() {
        let urls = [
            "https://example.com/b?x=1",
            "https://example.com/b?x=1#part",
            "https://www.example.com/a*$",
            "https://cdn.example/c",
            "no address",
        ];
        let verification = Verification::new(Some(&issue(&urls.map(str::to_owned))), SITE, 100);
        assert_eq!(verification.url, "https://example.com/b?x=1");
        assert_eq!(verification.pages, Some(2));
        let include = ["/b?x=1$", "/a%2A%24$"].map(str::to_owned);
        assert_eq!(verification.options.include, Some(include.to_vec()));
        assert_eq!(verification.options.max_pages, Some(2));
    }

    #[test]
    fn an_audit_takes_as_many_pages_as_patterns_and_the_server_allow() {
        let urls: Vec<_> = (0..=MAX_PATTERNS)
            .map(|number| format!("https://example.com/{number}"))
            .collect();
        let issue = issue(&urls);
        for (allowed, audited) in [(1_000, MAX_PATTERNS), (20, 20)] {
            let verification = Verification::new(Some(&issue), SITE, allowed);
            assert_eq!(verification.pages, Some(audited));
            let options = &verification.options;
            let number = u32::try_from(audited).ok();
            assert_eq!((options.max_pages, options.max_depth), (number, number));
        }
    }

    #[test]
    fn what_is_not_of_pages_needs_the_site() {
        let mut of_site = issue(&[SITE.to_owned()]);
        of_site.subject = SubjectKind::Site;
        for issue in [None, Some(&of_site), Some(&issue(&[]))] {
            let verification = Verification::new(issue, SITE, 100);
            assert_eq!(
                (verification.url.as_str(), verification.pages),
                (SITE, None)
            );
            assert_eq!(verification.options, AskedOptions::default());
        }
    }
}
