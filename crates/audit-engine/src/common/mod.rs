//! Algorithms that several checks share, a file for each role.

pub(crate) mod ai_agents;
pub(crate) mod bot_access;
pub(crate) mod content_signal;
pub(crate) mod json_ld;
pub(crate) mod languages;
pub(crate) mod llms_txt;
pub(crate) mod prose;
pub(crate) mod script_shell;
pub(crate) mod sniff;
