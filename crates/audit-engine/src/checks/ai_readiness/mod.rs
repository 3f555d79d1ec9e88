//! Whether assistants and agents can find and use the content.

mod content_needs_js_suspected;
mod main_content_extractable;
mod markdown_alternate;
mod semantic_structure;
mod structured_entity_missing;
mod token_weight;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &content_needs_js_suspected::CONTENT_NEEDS_JS_SUSPECTED,
    &main_content_extractable::MAIN_CONTENT_EXTRACTABLE,
    &markdown_alternate::MARKDOWN_ALTERNATE,
    &semantic_structure::SEMANTIC_STRUCTURE,
    &structured_entity_missing::STRUCTURED_ENTITY_MISSING,
    &token_weight::TOKEN_WEIGHT,
];
