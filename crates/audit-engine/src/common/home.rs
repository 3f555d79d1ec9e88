//! Why nothing can be said of the origin.

/// The origin is judged by its start page.
pub(crate) const NO_START_PAGE: &str = "The start page could not be audited.";
/// Requests for well-known places are left out where robots.txt forbids them.
pub(crate) const NOT_ASKED: &str = "robots.txt forbids the request that would tell.";
