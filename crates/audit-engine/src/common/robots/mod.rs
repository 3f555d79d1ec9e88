//! What a site tells crawlers: search engines and AI services.

pub(crate) mod ai_agents;
pub(crate) mod bot_access;
pub(crate) mod content_signal;
pub(crate) mod googlebot;
pub(crate) mod llms_txt;
pub(crate) mod noindex;
