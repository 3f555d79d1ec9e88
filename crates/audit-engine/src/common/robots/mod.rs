//! Instructions for search engine and AI crawlers: robots.txt, noindex, llms.txt and content signals.

pub(crate) mod ai_agents;
pub(crate) mod bot_access;
pub(crate) mod content_signal;
pub(crate) mod googlebot;
pub(crate) mod llms_txt;
pub(crate) mod noindex;
