//! The requests of a page.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::cdp::events::Event;
use super::timing::Timing;
use super::without_fragment;
use crate::gather::{MAX_PAGE_REQUESTS, PageRequest, RequestEnd};
use crate::lab::{MAX_TIMED_REQUESTS, RequestKind, TimedRequest};

/// The requests of the current document.
#[derive(Debug, Default)]
pub(super) struct RequestLog {
    requests: HashMap<String, OpenRequest>,
    is_cut: bool,
}

/// A request that has begun.
#[derive(Debug)]
struct OpenRequest {
    loader: String,
    request: PageRequest,
    timing: Timing,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Begun {
    request_id: String,
    #[serde(default)]
    loader_id: String,
    #[serde(default, rename = "type")]
    kind: String,
    request: BegunRequest,
    #[serde(default)]
    timestamp: f64,
    #[serde(default)]
    initiator: BegunBy,
    /// The response that led to this request.
    #[serde(default)]
    redirect_response: Option<Response>,
}

/// `Network.Initiator`.
#[derive(Default, Deserialize)]
pub(super) struct BegunBy {
    #[serde(default, rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) url: Option<String>,
    #[serde(default)]
    pub(super) stack: Option<Stack>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stack {
    #[serde(default)]
    pub(super) call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
pub(super) struct CallFrame {
    #[serde(default)]
    pub(super) url: String,
}

#[derive(Deserialize)]
struct BegunRequest {
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Responded {
    request_id: String,
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Finished {
    request_id: String,
    #[serde(default)]
    encoded_data_length: Option<serde_json::Number>,
    #[serde(default)]
    timestamp: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    request_id: String,
    #[serde(default)]
    error_text: String,
    #[serde(default)]
    canceled: bool,
    #[serde(default)]
    blocked_reason: Option<String>,
    #[serde(default)]
    cors_error_status: Option<CorsError>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CorsError {
    #[serde(default)]
    cors_error: String,
}

impl RequestLog {
    /// Adds an event; those that are not about requests are ignored.
    pub(super) fn note(&mut self, event: &Event) {
        match event.method.as_str() {
            "Network.requestWillBeSent" => self.began(event),
            "Network.responseReceived" => self.responded(event),
            "Network.loadingFinished" => self.finished(event),
            "Network.loadingFailed" => self.failed(event),
            _ => {}
        }
    }

    /// Keeps the requests that loaded this document alone.
    pub(super) fn begin_document(&mut self, loader: &str) {
        self.requests.retain(|_, open| open.loader == loader);
        self.is_cut = false;
    }

    /// Whether a request is open.
    pub(super) fn are_any_open(&self) -> bool {
        let mut requests = self.requests.values();
        requests.any(|open| open.request.end == RequestEnd::Open)
    }

    /// The requests in a fixed order, and whether there were more than are kept.
    pub(super) fn finish(self) -> (Vec<PageRequest>, bool) {
        let open = self.requests.into_values();
        let mut requests: Vec<PageRequest> = open.map(|open| open.request).collect();
        requests.sort_unstable();
        (requests, self.is_cut)
    }

    /// The requests in the order in which they began, with their times since the first of a document began.
    pub(super) fn finish_timed(self) -> Vec<TimedRequest> {
        let mut open: Vec<OpenRequest> = self.requests.into_values().collect();
        open.sort_by(|one, other| {
            let by_url = || one.timing.url.cmp(&other.timing.url);
            one.timing
                .began
                .total_cmp(&other.timing.began)
                .then_with(by_url)
        });
        let is_document = |open: &&OpenRequest| open.request.kind == RequestKind::Document;
        let first = open.iter().find(is_document).or(open.first());
        let origin = first.map_or(0.0, |open| open.timing.began);
        let first = open.into_iter().take(MAX_TIMED_REQUESTS);
        first
            .map(|open| {
                let request = open.request;
                let of_response = (request.kind, request.wire_bytes);
                open.timing.finish(origin, request.url, of_response)
            })
            .collect()
    }

    fn began(&mut self, event: &Event) {
        let Some(begun) = event.read::<Begun>() else {
            return;
        };
        let url = begun.request.url;
        if !url.starts_with("http:") && !url.starts_with("https:") {
            return;
        }
        // A redirect has the number of the request that it continues.
        let is_new = !self.requests.contains_key(&begun.request_id);
        if is_new && self.requests.len() >= MAX_PAGE_REQUESTS {
            self.is_cut = true;
            return;
        }
        let request = PageRequest {
            url: without_fragment(url),
            kind: kind_of(&begun.kind),
            end: RequestEnd::Open,
            wire_bytes: 0,
        };
        let timing = match self.requests.remove(&begun.request_id) {
            Some(before) if begun.redirect_response.is_some() => {
                before.timing.redirected(begun.timestamp)
            }
            _ => Timing::new(&request.url, begun.timestamp, begun.initiator),
        };
        let open = OpenRequest {
            loader: begun.loader_id,
            request,
            timing,
        };
        self.requests.insert(begun.request_id, open);
    }

    fn responded(&mut self, event: &Event) {
        if let Some(responded) = event.read::<Responded>()
            && let Some(open) = self.requests.get_mut(&responded.request_id)
        {
            let status = u16::try_from(responded.response.status).unwrap_or_default();
            open.request.end = RequestEnd::Status(status);
        }
    }

    fn finished(&mut self, event: &Event) {
        if let Some(finished) = event.read::<Finished>()
            && let Some(open) = self.requests.get_mut(&finished.request_id)
        {
            let bytes = finished.encoded_data_length;
            open.request.wire_bytes = bytes.and_then(|bytes| bytes.as_u64()).unwrap_or(0);
            open.timing.ended = Some(finished.timestamp);
        }
    }

    fn failed(&mut self, event: &Event) {
        let Some(failed) = event.read::<Failed>() else {
            return;
        };
        let Some(open) = self.requests.get_mut(&failed.request_id) else {
            return;
        };
        // The browser cancels the rest of an answer that is an error.
        if matches!(open.request.end, RequestEnd::Status(400..)) {
            return;
        }
        open.request.end = match (failed.blocked_reason, failed.cors_error_status) {
            (Some(reason), _) => RequestEnd::Blocked(reason),
            (None, Some(cors)) => RequestEnd::Cors(cors.cors_error),
            (None, None) if failed.canceled => RequestEnd::Open,
            (None, None) => RequestEnd::Failed(failed.error_text),
        };
    }
}

/// `Network.ResourceType`.
fn kind_of(resource_type: &str) -> RequestKind {
    match resource_type {
        "Document" => RequestKind::Document,
        "Stylesheet" => RequestKind::Stylesheet,
        "Image" => RequestKind::Image,
        "Media" | "TextTrack" => RequestKind::Media,
        "Font" => RequestKind::Font,
        "Script" => RequestKind::Script,
        "XHR" | "Fetch" | "EventSource" => RequestKind::Data,
        _ => RequestKind::Other,
    }
}
