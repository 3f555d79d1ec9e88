//! Whether a site that let the crawl in turns it away on the way.

use url::Url;

use crate::fetch::refusal::Refusal;

/// Pages in a row that are refused before the crawl asks itself whether it is turned away.
const IN_A_ROW: u32 = 10;
/// Refused pages at least, for more than half of all to tell anything.
const FEW: u32 = 5;

/// Counts refused pages in the order in which answers are taken, so that the verdict does not depend
/// on how fast they came.
#[derive(Debug)]
pub(crate) struct Refusals {
    /// Pages that answered, and those that were refused. Other answers, such as 404, say nothing.
    pages: u32,
    refused: u32,
    /// Those among the refused that leave no doubt.
    certain: u32,
    /// Refusals since the last page.
    in_a_row: u32,
    /// Those among them that leave no doubt.
    certain_in_a_row: u32,
    /// How many in a row are suspicious. Grows with each suspicion that did not prove true.
    suspicious: u32,
    last: Option<(Url, Refusal)>,
}

/// What is to be made of the refusals so far.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Suspicion {
    None,
    /// The pages may be closed to everybody: the start page, which answered once, can tell.
    AskAgain,
    /// The visitor is turned away; the evidence.
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

    /// Notes a page that answered.
    pub(crate) const fn page(&mut self) {
        self.pages += 1;
        self.in_a_row = 0;
        self.certain_in_a_row = 0;
    }

    /// Notes a page that was refused.
    pub(crate) fn refused(&mut self, url: Url, refusal: Refusal) {
        self.refused += 1;
        self.in_a_row += 1;
        self.certain += u32::from(refusal.certain);
        self.certain_in_a_row += u32::from(refusal.certain);
        self.last = Some((url, refusal));
    }

    /// What the last answers in a row say.
    pub(crate) fn suspicion(&self) -> Suspicion {
        if self.in_a_row < self.suspicious {
            Suspicion::None
        } else if self.certain_in_a_row * 2 >= self.in_a_row {
            Suspicion::Blocked(self.evidence(&format!(
                "as did the {} pages asked for before it",
                self.in_a_row - 1
            )))
        } else {
            Suspicion::AskAgain
        }
    }

    /// What the start page says when it is asked again: the evidence, when the visitor is turned away.
    pub(crate) fn asked_again(&mut self, start: &Url, refusal: Option<&Refusal>) -> Option<String> {
        let Some(refusal) = refusal else {
            self.suspicious = self.in_a_row.saturating_mul(2);
            return None;
        };
        Some(self.evidence(&format!(
            "as did the {} pages asked for before it, and the start page {start}, which answered at \
             first, now answers with {}",
            self.in_a_row - 1,
            refusal.sign
        )))
    }

    /// What the whole crawl says, at its end: something only when more than half of the pages were
    /// refused.
    pub(crate) fn at_the_end(&self) -> Suspicion {
        if self.refused <= self.pages || self.refused < FEW {
            Suspicion::None
        } else if self.certain * 2 >= self.refused {
            Suspicion::Blocked(self.evidence("the last of many"))
        } else {
            Suspicion::AskAgain
        }
    }

    /// What the start page says when it is asked at the end: the evidence, when the visitor is turned
    /// away.
    pub(crate) fn asked_at_the_end(
        &self,
        start: &Url,
        refusal: Option<&Refusal>,
    ) -> Option<String> {
        let refusal = refusal?;
        Some(self.evidence(&format!(
            "the last of many, and the start page {start}, which answered at first, now answers with {}",
            refusal.sign
        )))
    }

    fn evidence(&self, more: &str) -> String {
        let (url, sign) = match &self.last {
            Some((url, refusal)) => (url.as_str(), refusal.sign.as_str()),
            None => ("", ""),
        };
        format!(
            "{url} answers with {sign}, {more}; {} of {} pages asked for were refused",
            self.refused,
            self.refused + self.pages
        )
    }
}
