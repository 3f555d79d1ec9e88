//! Detects whether a site starts to block the crawl after the start page succeeded.

use url::Url;

use crate::fetch::refusal::Refusal;

/// Consecutive refused pages before the crawl suspects that it is blocked.
const IN_A_ROW: u32 = 10;
/// The fewest refused pages for which a majority of refusals is significant.
const FEW: u32 = 5;

/// Counts refused pages in the order in which responses are committed, so that the verdict does not depend on
/// response times.
#[derive(Debug)]
pub(crate) struct Refusals {
    /// Successful pages. Other responses, such as 404, do not count.
    pages: u32,
    refused: u32,
    /// Refusals that certainly apply to the crawler.
    certain: u32,
    /// Consecutive refusals since the last successful page.
    in_a_row: u32,
    /// Those of them that certainly apply to the crawler.
    certain_in_a_row: u32,
    /// How many consecutive refusals are suspicious. Grows after each suspicion that turned out to be false.
    suspicious: u32,
    last: Option<(Url, Refusal)>,
}

/// The conclusion from the refusals so far.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Suspicion {
    None,
    /// The pages may be closed to every visitor. The start page, which succeeded before, must be requested
    /// again.
    CheckStartPage,
    /// The site blocks the crawl; the evidence.
    Blocked(String),
}

impl Refusals {
    pub(crate) const fn new() -> Self {
        Self {
            pages: 0,
            refused: 0,
            certain: 0,
            in_a_row: 0,
            certain_in_a_row: 0,
            suspicious: IN_A_ROW,
            last: None,
        }
    }

    /// Records a successful page.
    pub(crate) const fn record_page(&mut self) {
        self.pages += 1;
        self.in_a_row = 0;
        self.certain_in_a_row = 0;
    }

    /// Records a refused page.
    pub(crate) fn record_refusal(&mut self, url: Url, refusal: Refusal) {
        self.refused += 1;
        self.in_a_row += 1;
        self.certain += u32::from(refusal.certain);
        self.certain_in_a_row += u32::from(refusal.certain);
        self.last = Some((url, refusal));
    }

    /// Evaluates the most recent consecutive refusals.
    pub(crate) fn suspicion(&self) -> Suspicion {
        if self.in_a_row < self.suspicious {
            Suspicion::None
        } else if self.certain_in_a_row * 2 >= self.in_a_row {
            Suspicion::Blocked(self.evidence(&format!(
                "as did the {} pages requested before it",
                self.in_a_row - 1
            )))
        } else {
            Suspicion::CheckStartPage
        }
    }

    /// Evaluates the response of the start page that was requested again. Returns the evidence if the site
    /// blocks the crawl.
    pub(crate) fn evaluate_start_page(
        &mut self,
        start: &Url,
        refusal: Option<&Refusal>,
    ) -> Option<String> {
        let Some(refusal) = refusal else {
            self.suspicious = self.in_a_row.saturating_mul(2);
            return None;
        };
        Some(self.evidence(&format!(
            "as did the {} pages requested before it, and the start page {start}, which succeeded at \
             first, now responds with {}",
            self.in_a_row - 1,
            refusal.sign
        )))
    }

    /// Evaluates the whole crawl at its end. It is suspicious only if more than half of the pages were refused.
    pub(crate) fn suspicion_at_end(&self) -> Suspicion {
        if self.refused <= self.pages || self.refused < FEW {
            Suspicion::None
        } else if self.certain * 2 >= self.refused {
            Suspicion::Blocked(self.evidence("the last of many"))
        } else {
            Suspicion::CheckStartPage
        }
    }

    /// Evaluates the response of the start page that was requested again at the end. Returns the evidence if
    /// the site blocks the crawl.
    pub(crate) fn evaluate_start_page_at_end(
        &self,
        start: &Url,
        refusal: Option<&Refusal>,
    ) -> Option<String> {
        let refusal = refusal?;
        Some(self.evidence(&format!(
            "the last of many, and the start page {start}, which succeeded at first, now responds with {}",
            refusal.sign
        )))
    }

    fn evidence(&self, more: &str) -> String {
        let (url, sign) = match &self.last {
            Some((url, refusal)) => (url.as_str(), refusal.sign.as_str()),
            None => ("", ""),
        };
        format!(
            "{url} responded with {sign}, {more}; {} of {} pages were refused",
            self.refused,
            self.refused + self.pages
        )
    }
}
