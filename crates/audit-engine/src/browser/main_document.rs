//! The document of a page: what the server answered.

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::cdp::events::Event;
use crate::gather::{Headers, RenderError};

/// The response of the main document.
#[derive(Debug, Clone)]
pub(super) struct MainDocument {
    pub(super) url: Url,
    pub(super) status: u16,
    pub(super) headers: Headers,
    pub(super) loader: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseEvent {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    frame_id: String,
    #[serde(default)]
    loader_id: String,
    response: ResponseFacts,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseFacts {
    url: String,
    status: i64,
    #[serde(default)]
    headers: serde_json::Map<String, Value>,
    #[serde(default)]
    mime_type: String,
}

impl MainDocument {
    /// Reads the response of the document in this frame; none if it is another response.
    pub(super) fn read(event: &Event, frame: &str) -> Result<Option<Self>, RenderError> {
        let Some(received) = event.read::<ResponseEvent>() else {
            return Ok(None);
        };
        if received.kind != "Document" || received.frame_id != frame {
            return Ok(None);
        }
        let facts = received.response;
        let Ok(url) = Url::parse(&facts.url) else {
            return Ok(None);
        };
        if !matches!(
            facts.mime_type.as_str(),
            "text/html" | "application/xhtml+xml"
        ) {
            return Err(RenderError::NotHtml);
        }
        let mut headers = Headers::new();
        for (name, value) in &facts.headers {
            // Repeated fields are joined by line breaks.
            for value in value.as_str().unwrap_or_default().split('\n') {
                headers.push(&name.to_ascii_lowercase(), value);
            }
        }
        Ok(Some(Self {
            url,
            status: u16::try_from(facts.status).unwrap_or_default(),
            headers,
            loader: received.loader_id,
        }))
    }
}
