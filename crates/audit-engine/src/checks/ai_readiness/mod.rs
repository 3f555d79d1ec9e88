//! Checks of whether AI assistants and agents can find and use the content.

mod agent_a11y_tree;
mod ai_policy_contradiction;
mod ai_search_bot_blocked;
mod ai_training_policy;
mod ai_user_fetcher_blocked;
mod content_needs_js;
mod content_needs_js_suspected;
mod content_signal_invalid;
mod llms_txt_broken_links;
mod llms_txt_invalid;
mod llms_txt_missing;
mod main_content_extractable;
mod markdown_alternate;
mod semantic_structure;
mod structured_entity_missing;
mod token_weight;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &agent_a11y_tree::AGENT_A11Y_TREE,
    &ai_policy_contradiction::AI_POLICY_CONTRADICTION,
    &ai_search_bot_blocked::AI_SEARCH_BOT_BLOCKED,
    &ai_training_policy::AI_TRAINING_POLICY,
    &ai_user_fetcher_blocked::AI_USER_FETCHER_BLOCKED,
    &content_needs_js::CONTENT_NEEDS_JS,
    &content_needs_js_suspected::CONTENT_NEEDS_JS_SUSPECTED,
    &content_signal_invalid::CONTENT_SIGNAL_INVALID,
    &llms_txt_broken_links::LLMS_TXT_BROKEN_LINKS,
    &llms_txt_invalid::LLMS_TXT_INVALID,
    &llms_txt_missing::LLMS_TXT_MISSING,
    &main_content_extractable::MAIN_CONTENT_EXTRACTABLE,
    &markdown_alternate::MARKDOWN_ALTERNATE,
    &semantic_structure::SEMANTIC_STRUCTURE,
    &structured_entity_missing::STRUCTURED_ENTITY_MISSING,
    &token_weight::TOKEN_WEIGHT,
];
