//! Collects the events of a page: its messages and its requests.

use std::collections::HashMap;

use serde::Deserialize;

use super::cdp::events::Event;
use super::context::WORLD;
use crate::gather::{
    MAX_PAGE_EVENT_URL_BYTES, MAX_PAGE_MESSAGE_CHARS, MAX_PAGE_MESSAGES, MAX_PAGE_REQUESTS,
    MessageKind, PageEvents, PageMessage, PageRequest, RequestEnd, RequestKind,
};

/// Rejections that a script may still handle, and worlds of the engine: of more nothing is remembered.
const MAX_REMEMBERED: usize = 1_000;

/// What was logged of the current document.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    /// How often each message came.
    messages: HashMap<Place, u32>,
    /// The messages of rejections, by their numbers in the protocol.
    rejections: HashMap<i64, Place>,
    requests: HashMap<String, OpenRequest>,
    /// The worlds of the engine's own scripts.
    own_worlds: Vec<i64>,
    is_cut: bool,
    has_long_script: bool,
}

/// A message, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Place {
    kind: MessageKind,
    text: String,
    url: String,
    line: u32,
    column: u32,
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thrown {
    exception_details: Exception,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exception {
    #[serde(default)]
    exception_id: i64,
    #[serde(default)]
    text: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    line_number: i64,
    #[serde(default)]
    column_number: i64,
    #[serde(default)]
    execution_context_id: Option<i64>,
    #[serde(default)]
    exception: Option<Value>,
    #[serde(default)]
    stack_trace: Option<Stack>,
    #[serde(default)]
    exception_meta_data: Option<MetaData>,
}

/// What was thrown.
#[derive(Deserialize)]
struct Value {
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    value: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stack {
    #[serde(default)]
    call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallFrame {
    #[serde(default)]
    url: String,
    #[serde(default)]
    line_number: i64,
    #[serde(default)]
    column_number: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MetaData {
    #[serde(default)]
    request_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Revoked {
    exception_id: i64,
}

#[derive(Deserialize)]
struct Logged {
    entry: LogEntry,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogEntry {
    #[serde(default)]
    source: String,
    #[serde(default)]
    level: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    line_number: Option<i64>,
}

#[derive(Deserialize)]
struct World {
    context: WorldFacts,
}

#[derive(Deserialize)]
struct WorldFacts {
    id: i64,
    #[serde(default)]
    name: String,
}

impl EventLog {
    /// Adds an event; those that it does not keep are ignored.
    pub(super) fn note(&mut self, event: &Event) {
        match event.method.as_str() {
            "Network.requestWillBeSent" => self.request_began(event),
            "Network.responseReceived" => {
                if let Some(Responded {
                    request_id,
                    response,
                }) = event.read()
                {
                    let status = u16::try_from(response.status).unwrap_or_default();
                    self.end(&request_id, RequestEnd::Status(status));
                }
            }
            "Network.loadingFinished" => {
                if let Some(finished) = event.read::<Finished>()
                    && let Some(open) = self.requests.get_mut(&finished.request_id)
                {
                    let bytes = finished.encoded_data_length;
                    open.request.wire_bytes = bytes.and_then(|bytes| bytes.as_u64()).unwrap_or(0);
                }
            }
            "Network.loadingFailed" => self.request_failed(event),
            "Runtime.exceptionThrown" => self.exception(event),
            "Runtime.exceptionRevoked" => self.handled(event),
            "Runtime.executionContextCreated" => {
                if let Some(World { context }) = event.read()
                    && context.name == WORLD
                    && self.own_worlds.len() < MAX_REMEMBERED
                {
                    self.own_worlds.push(context.id);
                }
            }
            "Log.entryAdded" => self.logged(event),
            _ => {}
        }
    }

    /// A document has replaced another: what was logged is of that one, but the requests that loaded the new one.
    pub(super) fn begin_document(&mut self, loader: &str) {
        self.messages.clear();
        self.rejections.clear();
        self.requests.retain(|_, open| open.loader == loader);
        self.is_cut = false;
        self.has_long_script = false;
    }

    /// The engine stopped a script that ran for too long. What follows from that is not the page's.
    pub(super) const fn script_was_stopped(&mut self) {
        self.has_long_script = true;
    }

    /// Whether a request is open.
    pub(super) fn is_loading(&self) -> bool {
        let mut requests = self.requests.values();
        requests.any(|open| open.request.end == RequestEnd::Open)
    }

    /// The events, in an order that does not depend on when they arrived.
    pub(super) fn finish(self) -> PageEvents {
        let counted = self.messages.into_iter();
        let mut messages: Vec<PageMessage> = counted
            .filter(|(_, count)| *count > 0)
            .map(|(place, count)| PageMessage {
                kind: place.kind,
                text: place.text,
                url: place.url,
                line: place.line,
                column: place.column,
                count,
            })
            .collect();
        messages.sort_unstable();
        let open = self.requests.into_values();
        let mut requests: Vec<PageRequest> = open.map(|open| open.request).collect();
        requests.sort_unstable();
        PageEvents {
            messages,
            requests,
            is_cut: self.is_cut,
            has_long_script: self.has_long_script,
            was_limited: false,
            focus: None,
            coverage: None,
        }
    }

    fn request_began(&mut self, event: &Event) {
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

    fn end(&mut self, id: &str, end: RequestEnd) {
        if let Some(open) = self.requests.get_mut(id) {
            open.request.end = end;
        }
    }

    fn request_failed(&mut self, event: &Event) {
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

    fn exception(&mut self, event: &Event) {
        let Some(Thrown {
            exception_details: thrown,
        }) = event.read()
        else {
            return;
        };
        let is_own = thrown
            .execution_context_id
            .is_some_and(|id| self.own_worlds.contains(&id));
        // A rejection because of a request is said of the request.
        let is_of_request = thrown
            .exception_meta_data
            .as_ref()
            .is_some_and(|data| data.request_id.is_some());
        if self.has_long_script || is_own || is_of_request {
            return;
        }
        let kind = if thrown.text.contains("in promise") {
            MessageKind::Rejection
        } else {
            MessageKind::Exception
        };
        let frame = thrown.stack_trace.as_ref();
        let frame = frame.and_then(|stack| stack.call_frames.first());
        let (url, line, column) = match frame {
            _ if !thrown.url.is_empty() => {
                (thrown.url.clone(), thrown.line_number, thrown.column_number)
            }
            Some(frame) => (frame.url.clone(), frame.line_number, frame.column_number),
            None => (String::new(), -1, -1),
        };
        // Scripts that are not of the page, such as those of extensions.
        if !url.is_empty() && !url.starts_with("http") && !url.starts_with("blob:") {
            return;
        }
        let place = Place {
            kind,
            text: bounded(&said(&thrown)),
            url: without_fragment(url),
            line: from_one(line),
            column: from_one(column),
        };
        let is_kept = self.count(place.clone());
        if kind == MessageKind::Rejection && is_kept && self.rejections.len() < MAX_REMEMBERED {
            self.rejections.insert(thrown.exception_id, place);
        }
    }

    /// A script handled a rejection after all.
    fn handled(&mut self, event: &Event) {
        let Some(Revoked { exception_id }) = event.read() else {
            return;
        };
        if let Some(place) = self.rejections.remove(&exception_id)
            && let Some(count) = self.messages.get_mut(&place)
        {
            *count = count.saturating_sub(1);
        }
    }

    fn logged(&mut self, event: &Event) {
        let Some(Logged { entry }) = event.read() else {
            return;
        };
        if entry.source != "security" || entry.level != "error" || !is_about_blocking(&entry.text) {
            return;
        }
        self.count(Place {
            kind: MessageKind::Blocked,
            text: bounded(&entry.text),
            url: without_fragment(entry.url),
            line: from_one(entry.line_number.unwrap_or(-1)),
            column: 0,
        });
    }

    /// Whether the message is kept.
    fn count(&mut self, place: Place) -> bool {
        if !self.messages.contains_key(&place) && self.messages.len() >= MAX_PAGE_MESSAGES {
            self.is_cut = true;
            return false;
        }
        let count = self.messages.entry(place).or_default();
        *count = count.saturating_add(1);
        true
    }
}

/// Whether the browser blocked something that the page asked for. Mixed content and wrong media types are found
/// elsewhere, and a policy that only reports blocks nothing.
fn is_about_blocking(text: &str) -> bool {
    let is_reported_only = text.contains("[Report Only]") || text.contains("report-only");
    let is_policy = text.contains("Content Security Policy");
    (is_policy && !is_reported_only && text.contains("violates"))
        || text.contains("'integrity' attribute")
}

/// What an exception says: its text without the stack.
fn said(thrown: &Exception) -> String {
    let value = thrown.exception.as_ref();
    let text = match value {
        Some(Value {
            description: Some(description),
            ..
        }) => description.split("\n    at ").next().unwrap_or_default(),
        Some(Value {
            value: serde_json::Value::String(text),
            ..
        }) => text,
        Some(Value { value, .. }) if !value.is_null() => return value.to_string(),
        _ => &thrown.text,
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn bounded(text: &str) -> String {
    text.chars().take(MAX_PAGE_MESSAGE_CHARS).collect()
}

/// Numbers of lines and columns begin with 0 in the protocol.
fn from_one(number: i64) -> u32 {
    u32::try_from(number.saturating_add(1)).unwrap_or_default()
}

fn without_fragment(mut url: String) -> String {
    if let Some(end) = url.find('#') {
        url.truncate(end);
    }
    url.truncate(url.floor_char_boundary(MAX_PAGE_EVENT_URL_BYTES.min(url.len())));
    url
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json, value::RawValue};

    use super::*;

    fn event(method: &str, params: &Value) -> Event {
        Event {
            method: method.to_owned(),
            params: RawValue::from_string(params.to_string()).ok(),
        }
    }

    fn finished(events: &[(&str, Value)]) -> PageEvents {
        let mut log = EventLog::default();
        for (method, params) in events {
            log.note(&event(method, params));
        }
        log.finish()
    }

    fn thrown(id: i64, text: &str, description: &str) -> (&'static str, Value) {
        let details = json!({
            "exceptionId": id, "text": text, "url": "https://example.com/a.js", "lineNumber": 6, "columnNumber": 0,
            "executionContextId": 2, "exception": {"type": "object", "description": description},
        });
        (
            "Runtime.exceptionThrown",
            json!({"exceptionDetails": details}),
        )
    }

    fn begun(id: &str, kind: &str, url: &str) -> (&'static str, Value) {
        let params =
            json!({"requestId": id, "loaderId": "L", "type": kind, "request": {"url": url}});
        ("Network.requestWillBeSent", params)
    }

    fn answered(id: &str, status: u16) -> (&'static str, Value) {
        let params = json!({"requestId": id, "response": {"status": status, "url": "x"}});
        ("Network.responseReceived", params)
    }

    fn failed(id: &str, more: &Value) -> (&'static str, Value) {
        let mut params = json!({"requestId": id, "errorText": "net::ERR_FAILED"});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        ("Network.loadingFailed", params)
    }

    #[test]
    fn an_exception_has_its_text_and_place_and_is_counted() {
        let text = "TypeError: a is not\na function\n    at f (https://example.com/a.js:7:1)";
        let events = finished(&[
            thrown(1, "Uncaught", text),
            thrown(2, "Uncaught", text),
            thrown(3, "Uncaught (in promise)", "Error: no"),
        ]);
        let message = |kind, text: &str, count| PageMessage {
            kind,
            text: text.to_owned(),
            url: "https://example.com/a.js".to_owned(),
            line: 7,
            column: 1,
            count,
        };
        let expected = [
            message(MessageKind::Exception, "TypeError: a is not a function", 2),
            message(MessageKind::Rejection, "Error: no", 1),
        ];
        assert_eq!(events.messages, expected);
    }

    #[test]
    fn a_rejection_that_is_handled_later_is_none() {
        let revoked = ("Runtime.exceptionRevoked", json!({"exceptionId": 1}));
        let rejected = thrown(1, "Uncaught (in promise)", "Error: no");
        assert_eq!(finished(&[rejected, revoked]).messages, []);
    }

    #[test]
    fn a_value_that_is_no_error_is_the_text() {
        let of = |exception: Value| {
            let details =
                json!({"exceptionId": 1, "text": "Uncaught (in promise)", "exception": exception});
            let params = json!({"exceptionDetails": details});
            finished(&[("Runtime.exceptionThrown", params)]).messages[0]
                .text
                .clone()
        };
        assert_eq!(of(json!({"type": "string", "value": "no"})), "no");
        assert_eq!(of(json!({"type": "number", "value": 4})), "4");
        assert_eq!(of(json!({"type": "undefined"})), "Uncaught (in promise)");
    }

    #[test]
    fn what_the_engine_causes_is_no_message() {
        let world = json!({"context": {"id": 2, "name": WORLD}});
        let own = finished(&[
            ("Runtime.executionContextCreated", world),
            thrown(1, "Uncaught", "Error: ours"),
        ]);
        assert_eq!(own.messages, []);
        let mut log = EventLog::default();
        log.script_was_stopped();
        let (method, params) = thrown(1, "Uncaught", "Error: follows");
        log.note(&event(method, &params));
        let events = log.finish();
        assert_eq!((events.messages.len(), events.has_long_script), (0, true));
    }

    #[test]
    fn scripts_of_extensions_and_rejections_of_requests_are_no_messages() {
        let details = |more: Value| {
            let mut details = json!({"exceptionId": 1, "text": "Uncaught", "exception": {"description": "Error"}});
            for (name, value) in more.as_object().unwrap() {
                details[name] = value.clone();
            }
            (
                "Runtime.exceptionThrown",
                json!({"exceptionDetails": details}),
            )
        };
        let events = finished(&[
            details(json!({"url": "chrome-extension://a/b.js"})),
            details(json!({"exceptionMetaData": {"requestId": "1"}})),
        ]);
        assert_eq!(events.messages, []);
    }

    #[test]
    fn only_what_the_browser_blocked_is_read_of_the_log() {
        let entry = |source: &str, level: &str, text: &str| {
            let entry = json!({"source": source, "level": level, "text": text, "url": "https://example.com/"});
            ("Log.entryAdded", json!({"entry": entry}))
        };
        let policy = "Loading the script 'x' violates the following Content Security Policy directive: \"script-src 'self'\".";
        let events = finished(&[
            entry("security", "error", policy),
            entry("security", "error", &format!("[Report Only] {policy}")),
            entry("security", "warning", policy),
            entry(
                "security",
                "error",
                "Mixed Content: the page was loaded over HTTPS",
            ),
            entry("network", "error", "Failed to load resource"),
        ]);
        assert_eq!(events.messages.len(), 1);
        assert_eq!(events.messages[0].kind, MessageKind::Blocked);
    }

    #[test]
    fn a_request_ends_as_the_server_or_the_browser_ended_it() {
        let finish = (
            "Network.loadingFinished",
            json!({"requestId": "1", "encodedDataLength": 1234}),
        );
        let canceled = json!({"canceled": true, "errorText": "net::ERR_ABORTED"});
        let events = finished(&[
            begun("1", "Script", "https://example.com/1?a#b"),
            answered("1", 200),
            finish,
            begun("2", "Script", "https://example.com/2"),
            answered("2", 404),
            failed("2", &canceled),
            begun("3", "Image", "https://example.com/3"),
            failed("3", &canceled),
            begun("4", "Fetch", "https://example.com/4"),
            failed(
                "4",
                &json!({"corsErrorStatus": {"corsError": "MissingAllowOriginHeader"}}),
            ),
            begun("5", "Script", "https://example.com/5"),
            failed("5", &json!({"blockedReason": "csp"})),
            begun("6", "Script", "data:,x"),
            begun("7", "Font", "https://example.com/7"),
            failed("7", &json!({})),
        ]);
        let ends: Vec<RequestEnd> = events.requests.iter().map(|own| own.end.clone()).collect();
        let named = |name: &str| name.to_owned();
        let expected = [
            RequestEnd::Status(200),
            RequestEnd::Status(404),
            RequestEnd::Open,
            RequestEnd::Cors(named("MissingAllowOriginHeader")),
            RequestEnd::Blocked(named("csp")),
            RequestEnd::Failed(named("net::ERR_FAILED")),
        ];
        assert_eq!(ends, expected);
        let first = &events.requests[0];
        assert_eq!(first.url, "https://example.com/1?a");
        assert_eq!((first.kind, first.wire_bytes), (RequestKind::Script, 1234));
    }

    #[test]
    fn a_new_document_begins_with_its_own_requests_alone() {
        let mut log = EventLog::default();
        let old =
            json!({"requestId": "0", "loaderId": "K", "request": {"url": "https://example.com/0"}});
        for (method, params) in [
            ("Network.requestWillBeSent", old),
            thrown(1, "Uncaught", "Error: of the last"),
            begun("1", "Document", "https://example.com/"),
        ] {
            log.note(&event(method, &params));
        }
        log.begin_document("L");
        let events = log.finish();
        assert_eq!((events.messages.len(), events.requests.len()), (0, 1));
    }

    #[test]
    fn messages_and_requests_are_bounded() {
        let long = "ü".repeat(10_000);
        let messages: Vec<_> = (0..2 * MAX_PAGE_MESSAGES)
            .map(|number| thrown(1, "Uncaught", &format!("Error {number}: {long}")))
            .collect();
        let events = finished(&messages);
        assert!(events.is_cut);
        assert_eq!(events.messages.len(), MAX_PAGE_MESSAGES);
        let longest = events.messages.iter().map(|own| own.text.chars().count());
        assert_eq!(longest.max(), Some(MAX_PAGE_MESSAGE_CHARS));

        let requests: Vec<_> = (0..=MAX_PAGE_REQUESTS)
            .map(|number| {
                begun(
                    &number.to_string(),
                    "Script",
                    &format!("https://example.com/{number}{long}"),
                )
            })
            .collect();
        let events = finished(&requests);
        assert!(events.is_cut);
        assert_eq!(events.requests.len(), MAX_PAGE_REQUESTS);
        let longest = events.requests.iter().map(|own| own.url.len()).max();
        assert!(longest <= Some(MAX_PAGE_EVENT_URL_BYTES), "{longest:?}");
    }

    #[test]
    fn the_order_does_not_depend_on_the_time() {
        let mut all = vec![
            thrown(1, "Uncaught", "Error: one"),
            thrown(2, "Uncaught", "Error: two"),
            begun("1", "Script", "https://example.com/1"),
            begun("2", "Script", "https://example.com/2"),
        ];
        let one = finished(&all);
        all.reverse();
        assert_eq!(one, finished(&all));
    }
}
