//! Which pages of a report a list shows.

use super::{PageOrder, Variant};
use crate::id::IssueId;

/// Characters of the text that pages are searched for, at most.
pub const MAX_PAGE_SEARCH_CHARS: usize = 200;

/// A list of the pages of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageListing {
    /// What the deployment shows.
    pub variant: Variant,
    /// Which pages.
    pub filter: PageFilter,
    /// In which order.
    pub order: PageOrder,
}

impl PageListing {
    /// All pages, in the order of the crawl.
    #[must_use]
    pub fn all(variant: Variant) -> Self {
        Self {
            variant,
            filter: PageFilter::default(),
            order: PageOrder::default(),
        }
    }
}

/// Which pages of a report a list shows: those that pass every part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageFilter {
    /// One of these statuses; empty for all.
    pub statuses: Vec<StatusFilter>,
    /// Pages with a stored occurrence of this issue.
    pub issue: Option<IssueId>,
    /// Pages whose URL or title contains this text; ASCII letters match in both cases.
    pub text: Option<String>,
}

impl PageFilter {
    /// Whether it shows every page.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.statuses.is_empty() && self.issue.is_none() && self.text.is_none()
    }

    /// The statuses of a query, `404,5xx` for example; none where one of them is no status.
    #[must_use]
    pub fn parse_statuses(text: &str) -> Option<Vec<StatusFilter>> {
        let mut statuses = text
            .split(',')
            .map(StatusFilter::named)
            .collect::<Option<Vec<_>>>()?;
        statuses.sort_unstable();
        statuses.dedup();
        Some(statuses)
    }
}

/// A status of a page, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatusFilter {
    /// From this status code to that one.
    Codes {
        /// The lowest.
        from: u16,
        /// The highest.
        to: u16,
    },
    /// No response.
    NoResponse,
}

impl StatusFilter {
    /// What a text means: a status code (`404`), a class of them (`4xx`), or `none` for no response.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::NoResponse);
        }
        let (from, to) = match text.strip_suffix("xx") {
            Some(class) => (format!("{class}00"), format!("{class}99")),
            None => (text.to_owned(), text.to_owned()),
        };
        let code = |text: &str| {
            let is_code = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
            is_code.then(|| text.parse().ok()).flatten()
        };
        Some(Self::Codes {
            from: code(&from).filter(|code| *code >= 100)?,
            to: code(&to)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("404", Some((404, 404)))]
    #[case("999", Some((999, 999)))]
    #[case("4xx", Some((400, 499)))]
    #[case("0xx", None)]
    #[case("44xx", None)]
    #[case("xx", None)]
    #[case("4XX", None)]
    #[case("99", None)]
    #[case("099", None)]
    #[case("+40", None)]
    #[case("4040", None)]
    #[case("", None)]
    fn statuses(#[case] text: &str, #[case] codes: Option<(u16, u16)>) {
        let expected = codes.map(|(from, to)| StatusFilter::Codes { from, to });
        assert_eq!(StatusFilter::named(text), expected);
    }

    #[test]
    fn several_statuses_are_separated_by_commas() {
        let parsed = PageFilter::parse_statuses("none,404,404").unwrap();
        assert_eq!(parsed.len(), 2);
        assert_eq!(parsed.last(), Some(&StatusFilter::NoResponse));
        assert_eq!(PageFilter::parse_statuses("404,"), None);
    }
}
