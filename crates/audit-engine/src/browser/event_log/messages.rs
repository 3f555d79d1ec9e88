//! The messages of the browser about a page.

use std::collections::HashMap;

use serde::Deserialize;

use super::super::cdp::events::Event;
use super::super::world::WORLD;
use super::without_fragment;
use crate::gather::{MAX_PAGE_MESSAGE_CHARS, MAX_PAGE_MESSAGES, MessageKind, PageMessage};

/// Rejections that a script may still handle, and worlds of the engine: of more nothing is remembered.
const MAX_REMEMBERED: usize = 1_000;

/// The messages about the current document.
#[derive(Debug, Default)]
pub(super) struct MessageLog {
    /// How often each message came.
    messages: HashMap<Place, u32>,
    /// The messages of rejections, by their numbers in the protocol.
    rejections: HashMap<i64, Place>,
    /// The worlds of the engine's own scripts.
    own_worlds: Vec<i64>,
    is_cut: bool,
    /// Whether the engine stopped a script: what scripts do after that is not the page's.
    pub(super) has_long_script: bool,
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

impl MessageLog {
    /// Adds an event; those that have no message are ignored.
    pub(super) fn note(&mut self, event: &Event) {
        match event.method.as_str() {
            "Runtime.exceptionThrown" => self.exception(event),
            "Runtime.exceptionRevoked" => self.handled(event),
            "Runtime.executionContextCreated" => self.world(event),
            "Log.entryAdded" => self.logged(event),
            _ => {}
        }
    }

    /// Forgets the messages of the last document.
    pub(super) fn begin_document(&mut self) {
        let own_worlds = std::mem::take(&mut self.own_worlds);
        *self = Self {
            own_worlds,
            ..Self::default()
        };
    }

    /// The messages in a fixed order, and whether there were more than are kept.
    pub(super) fn finish(self) -> (Vec<PageMessage>, bool) {
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
        (messages, self.is_cut)
    }

    fn world(&mut self, event: &Event) {
        if let Some(World { context }) = event.read()
            && context.name == WORLD
            && self.own_worlds.len() < MAX_REMEMBERED
        {
            self.own_worlds.push(context.id);
        }
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
