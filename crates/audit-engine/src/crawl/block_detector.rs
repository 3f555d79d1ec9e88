//! Whether the site blocks the crawl.

use tokio::time::Instant;
use url::Url;

use super::refusals::{Refusals, Suspicion};
use super::visit::Visitor;
use crate::fetch::refusal::Refusal;

/// Counts refused pages, and requests the start page again where they leave a doubt.
#[derive(Debug)]
pub(super) struct BlockDetector {
    refusals: Refusals,
    evidence: Option<String>,
}

impl BlockDetector {
    pub(super) const fn new() -> Self {
        Self {
            refusals: Refusals::new(),
            evidence: None,
        }
    }

    /// Counts a page that answered.
    pub(super) const fn record_page(&mut self) {
        self.refusals.page();
    }

    /// Counts a page that was refused.
    pub(super) fn record_refusal(&mut self, url: Url, refusal: Refusal) {
        self.refusals.refused(url, refusal);
    }

    /// Whether the site blocks the crawl.
    pub(super) const fn is_blocked(&self) -> bool {
        self.evidence.is_some()
    }

    /// The evidence, if the site blocks the crawl.
    pub(super) fn into_evidence(self) -> Option<String> {
        self.evidence
    }

    /// Evaluates the last refusals in a row. Requests the start page with `visitor` where they leave a
    /// doubt, and waits for its response `until` then.
    pub(super) async fn evaluate(&mut self, visitor: &Visitor, start: &Url, until: Instant) {
        self.evidence = match self.refusals.suspicion() {
            Suspicion::None => None,
            Suspicion::Blocked(evidence) => Some(evidence),
            Suspicion::AskAgain => {
                let refusal = visitor.ask_again(start.clone(), until).await;
                self.refusals.asked_again(start, refusal.as_ref())
            }
        };
    }

    /// Evaluates the refusals of the whole crawl. A start page that answers speaks against refusals that
    /// may be meant for everybody; its response is awaited `until` then.
    pub(super) async fn evaluate_at_end(&mut self, visitor: &Visitor, start: &Url, until: Instant) {
        if self.is_blocked() {
            return;
        }
        self.evidence = match self.refusals.at_the_end() {
            Suspicion::None => None,
            Suspicion::Blocked(evidence) => Some(evidence),
            Suspicion::AskAgain => {
                let refusal = visitor.ask_again(start.clone(), until).await;
                self.refusals.asked_at_the_end(start, refusal.as_ref())
            }
        };
    }
}
