//! Why nothing can be said of the origin.

/// The origin is judged by its start page.
pub(crate) const NO_START_PAGE: &str = "The start page could not be audited.";

/// Why nobody can tell what the headers of a page say that were left out for want of room.
pub(crate) const NO_HEADERS_KEPT: &str = "The headers of the start page were not kept, because the facts of the pages took all the room for them.";
/// Requests for well-known places are left out where robots.txt forbids them.
pub(crate) const NOT_ASKED: &str = "robots.txt forbids the request that would tell.";
