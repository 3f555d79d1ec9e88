//! When a request began and ended, and what made the browser send it.

use super::super::frames::milliseconds;
use super::requests::BegunBy;
use super::without_fragment;
use crate::lab::{Initiator, RequestKind, TimedRequest};

/// The times of a request, in seconds of the browser's clock.
#[derive(Debug)]
pub(super) struct Timing {
    /// The URL that was requested first.
    pub(super) url: String,
    pub(super) began: f64,
    pub(super) ended: Option<f64>,
    initiator: Initiator,
    named_by: Option<String>,
    redirects: u32,
    /// When the last redirect led to another URL.
    redirected: Option<f64>,
}

impl Timing {
    /// A request that begins.
    pub(super) fn new(url: &str, began: f64, by: BegunBy) -> Self {
        let of_stack = |by: BegunBy| by.stack?.call_frames.into_iter().next().map(|at| at.url);
        let initiator = match by.kind.as_str() {
            "parser" => Initiator::Parser,
            "script" => Initiator::Script,
            "preload" => Initiator::Preload,
            _ => Initiator::Other,
        };
        let named_by = match initiator {
            Initiator::Script => of_stack(by),
            _ => by.url,
        };
        Self {
            url: url.to_owned(),
            began,
            ended: None,
            initiator,
            named_by: named_by.filter(|url| !url.is_empty()).map(without_fragment),
            redirects: 0,
            redirected: None,
        }
    }

    /// The same request after a redirect.
    pub(super) fn redirected(self, at: f64) -> Self {
        Self {
            redirects: self.redirects.saturating_add(1),
            redirected: Some(at),
            ..self
        }
    }

    /// The request with its times since `origin`. `answered` is the URL after redirects.
    pub(super) fn finish(
        self,
        origin: f64,
        answered: String,
        (kind, wire_bytes): (RequestKind, u64),
    ) -> TimedRequest {
        let since = |at: f64, begin: f64| milliseconds((at - begin) * 1_000.0);
        TimedRequest {
            landed_at: Some(answered).filter(|url| *url != self.url),
            kind,
            initiator: self.initiator,
            named_by: self.named_by,
            began_ms: since(self.began, origin),
            ended_ms: self.ended.map(|ended| since(ended, origin)),
            wire_bytes,
            redirects: self.redirects,
            redirects_ms: self.redirected.map_or(0, |at| since(at, self.began)),
            blocks_rendering: false,
            url: self.url,
        }
    }
}
