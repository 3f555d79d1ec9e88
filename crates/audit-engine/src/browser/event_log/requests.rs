//! The requests of a page.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::cdp::events::Event;
use super::without_fragment;
use crate::gather::{MAX_PAGE_REQUESTS, PageRequest, RequestEnd, RequestKind};

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
        let open = OpenRequest {
            loader: begun.loader_id,
            request,
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
