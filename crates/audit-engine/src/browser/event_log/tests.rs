use serde_json::{Value, json, value::RawValue};

use super::super::world::WORLD;
use super::*;
use crate::gather::{
    MAX_PAGE_MESSAGE_CHARS, MAX_PAGE_MESSAGES, MAX_PAGE_REQUESTS, MessageKind, PageMessage,
    RequestEnd,
};
use crate::lab::{Initiator, MAX_TIMED_REQUESTS, RequestKind, TimedRequest};

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
    let params = json!({"requestId": id, "loaderId": "L", "type": kind, "request": {"url": url}});
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
        let mut details =
            json!({"exceptionId": 1, "text": "Uncaught", "exception": {"description": "Error"}});
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
        let entry =
            json!({"source": source, "level": level, "text": text, "url": "https://example.com/"});
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

fn timed(events: &[(&str, Value)]) -> Vec<TimedRequest> {
    let mut log = EventLog::default();
    for (method, params) in events {
        log.note(&event(method, params));
    }
    log.finish_timed()
}

#[test]
fn a_timed_request_has_its_times_its_redirects_and_what_named_it() {
    let sent = |id: &str, kind: &str, url: &str, at: f64, more: Value| {
        let (method, mut params) = begun(id, kind, url);
        params["timestamp"] = json!(at);
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        (method, params)
    };
    let page = "https://example.com/";
    let by_parser = json!({"initiator": {"type": "parser", "url": page}});
    let redirect =
        json!({"redirectResponse": {"status": 301}, "initiator": {"type": "parser", "url": page}});
    let by_script = json!({"initiator": {"type": "script", "stack": {"callFrames": [{"url": "https://example.com/a.js"}]}}});
    let requests = timed(&[
        sent(
            "1",
            "Document",
            page,
            10.0,
            json!({"initiator": {"type": "other"}}),
        ),
        sent(
            "2",
            "Stylesheet",
            "https://example.com/a.css",
            10.5,
            by_parser,
        ),
        sent(
            "2",
            "Stylesheet",
            "https://example.com/b.css#x",
            10.75,
            redirect,
        ),
        (
            "Network.loadingFinished",
            json!({"requestId": "2", "encodedDataLength": 900, "timestamp": 11.25}),
        ),
        sent("3", "Image", "https://example.com/c.png", 12.0, by_script),
    ]);
    let expected = [
        TimedRequest {
            url: page.to_owned(),
            kind: RequestKind::Document,
            initiator: Initiator::Other,
            named_by: None,
            began_ms: 0,
            ended_ms: None,
            wire_bytes: 0,
            landed_at: None,
            redirects: 0,
            redirects_ms: 0,
            blocks_rendering: false,
        },
        TimedRequest {
            url: "https://example.com/a.css".to_owned(),
            kind: RequestKind::Stylesheet,
            initiator: Initiator::Parser,
            named_by: Some(page.to_owned()),
            began_ms: 500,
            ended_ms: Some(1_250),
            wire_bytes: 900,
            landed_at: Some("https://example.com/b.css".to_owned()),
            redirects: 1,
            redirects_ms: 250,
            blocks_rendering: false,
        },
        TimedRequest {
            url: "https://example.com/c.png".to_owned(),
            kind: RequestKind::Image,
            initiator: Initiator::Script,
            named_by: Some("https://example.com/a.js".to_owned()),
            began_ms: 2_000,
            ended_ms: None,
            wire_bytes: 0,
            landed_at: None,
            redirects: 0,
            redirects_ms: 0,
            blocks_rendering: false,
        },
    ];
    assert_eq!(requests, expected);
}

#[test]
fn the_number_of_timed_requests_is_bounded() {
    let ids: Vec<String> = (0..=MAX_TIMED_REQUESTS).map(|id| id.to_string()).collect();
    let sent: Vec<_> = (ids.iter())
        .map(|id| begun(id, "Image", "https://example.com/"))
        .collect();
    assert_eq!(timed(&sent).len(), MAX_TIMED_REQUESTS);
}
