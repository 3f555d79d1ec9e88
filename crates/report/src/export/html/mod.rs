//! One page that needs nothing else: for the screen, a phone and paper. It works without script, which
//! only sorts and filters. Nothing is loaded, and nothing of an audited page can act as markup.

mod view;

use std::sync::LazyLock;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::{Export, ExportError, ExportFormat};
use view::Page;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What the page may do: its own style and its own script, by their hashes, and nothing else.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
});

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// The policy to send with the page: that of the page itself, no frames around it, and no part in the
/// origin that it comes from.
#[must_use]
pub fn content_security_policy() -> String {
    let policy = POLICY.as_str();
    format!("{policy}; frame-ancestors 'none'; sandbox allow-scripts allow-popups")
}

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let page = Page::of(export, &POLICY, STYLE, SCRIPT);
    let text = page.render();
    text.map(String::into_bytes)
        .map_err(|error| ExportError::new(ExportFormat::Html, &error))
}
