//! Whether the site blocks the crawl.

use tokio::time::Instant;
use url::Url;

use super::refusals::{Refusals, Suspicion};
use super::visit::Visitor;
use crate::fetch::refusal::Refusal;

/// Counts refused pages. If the refusals are inconclusive, requests the start page again.
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

    /// Counts a successful page response.
    pub(super) const fn record_page(&mut self) {
        self.refusals.record_page();
    }

    /// Counts a refused page.
    pub(super) fn record_refusal(&mut self, url: Url, refusal: Refusal) {
        self.refusals.record_refusal(url, refusal);
    }

    /// Whether the site blocks the crawl.
    pub(super) const fn is_blocked(&self) -> bool {
        self.evidence.is_some()
    }

    /// The evidence, if the site blocks the crawl.
    pub(super) fn into_evidence(self) -> Option<String> {
        self.evidence
    }

    /// Evaluates the most recent consecutive refusals. If they are inconclusive, requests the start page with
    /// `visitor` and waits for its response until `until`.
    pub(super) async fn evaluate(&mut self, visitor: &Visitor, start: &Url, until: Instant) {
        self.evidence = match self.refusals.suspicion() {
            Suspicion::None => None,
            Suspicion::Blocked(evidence) => Some(evidence),
            Suspicion::CheckStartPage => {
                let refusal = visitor.request_again(start.clone(), until).await;
                self.refusals.evaluate_start_page(start, refusal.as_ref())
            }
        };
    }

    /// Evaluates the refusals of the whole crawl. If they may apply to every visitor, a successful response of
    /// the start page clears the site. Its response is awaited until `until`.
    pub(super) async fn evaluate_at_end(&mut self, visitor: &Visitor, start: &Url, until: Instant) {
        if self.is_blocked() {
            return;
        }
        self.evidence = match self.refusals.suspicion_at_end() {
            Suspicion::None => None,
            Suspicion::Blocked(evidence) => Some(evidence),
            Suspicion::CheckStartPage => {
                let refusal = visitor.request_again(start.clone(), until).await;
                self.refusals
                    .evaluate_start_page_at_end(start, refusal.as_ref())
            }
        };
    }
}
