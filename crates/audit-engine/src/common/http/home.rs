//! Reasons why a check of the origin cannot tell.

/// Checks of the origin evaluate its start page.
pub(crate) const NO_START_PAGE: &str = "The start page could not be audited.";

/// The engine discards response headers when the collected page data reaches its memory limit.
pub(crate) const NO_HEADERS_KEPT: &str = "The response headers of the start page were discarded, because the collected page data reached its memory limit.";
/// The engine does not request probe URLs that robots.txt disallows.
pub(crate) const NOT_ASKED: &str = "robots.txt disallows the request that this check needs.";
