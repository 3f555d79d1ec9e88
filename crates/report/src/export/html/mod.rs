//! One page that needs nothing else: for the screen, a phone and paper. It opens with what to know and what to do
//! first. It works without script, which only sorts and filters. Nothing is loaded, and nothing of an audited page can act as markup.

mod pages;
mod pictures;
mod view;

use api_types::report::ReportFormat;
use std::sync::LazyLock;

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::report::{INLINE_CAUSES, INLINE_OCCURRENCES};
use sha2::{Digest, Sha256};

use super::{Export, ExportError, limits};
use crate::limits::EvidenceLimits;
use view::Page;

// Without the line break at the end, which not every reader of policies takes for a part of the element.
const STYLE: &str = include_str!("style.css").trim_ascii();
const SCRIPT: &str = include_str!("script.js").trim_ascii();

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

/// How much evidence it shows.
pub(super) const EVIDENCE: EvidenceLimits =
    EvidenceLimits::for_people(INLINE_CAUSES, INLINE_OCCURRENCES, limits::HTML_PLACES);

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let page = Page::new(export, &POLICY, STYLE, SCRIPT);
    let text = page.render();
    text.map(String::into_bytes)
        .map_err(|error| ExportError::new(ReportFormat::Html, &error))
}
