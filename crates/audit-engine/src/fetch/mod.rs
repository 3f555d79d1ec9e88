//! Requests with the additions of an audit: headers of the run, retries, redirects, robots.txt.

pub(crate) mod added_headers;
pub(crate) mod exchange;
pub(crate) mod file;
pub(crate) mod follow;
mod hidden_values;
mod interstitial;
pub(crate) mod origins;
pub(crate) mod refusal;
mod retry_after;
pub(crate) mod robots;
pub(crate) mod sheets;
