//! Checks of whether the content is complete, correct and original.

mod console_errors;
mod content_duplicate_exact;
mod content_duplicate_near;
mod content_language_mismatch;
mod content_mojibake;
mod content_placeholder;
mod content_thin;
mod duplicate_id;
mod html_parse_errors;
mod image_broken;
mod mime_mismatch;
mod page_truncated;
mod render_changes_lang;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &console_errors::CONSOLE_ERRORS,
    &content_duplicate_exact::CONTENT_DUPLICATE_EXACT,
    &content_duplicate_near::CONTENT_DUPLICATE_NEAR,
    &content_language_mismatch::CONTENT_LANGUAGE_MISMATCH,
    &content_mojibake::CONTENT_MOJIBAKE,
    &content_placeholder::CONTENT_PLACEHOLDER,
    &content_thin::CONTENT_THIN,
    &duplicate_id::DUPLICATE_ID,
    &html_parse_errors::HTML_PARSE_ERRORS,
    &image_broken::IMAGE_BROKEN,
    &mime_mismatch::MIME_MISMATCH,
    &page_truncated::PAGE_TRUNCATED,
    &render_changes_lang::RENDER_CHANGES_LANG,
];
