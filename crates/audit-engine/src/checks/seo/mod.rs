//! Whether search engines can find, read and present the pages.

mod canonical_cross_host;
mod canonical_header_mismatch;
mod canonical_invalid;
mod canonical_multiple;
mod canonical_outside_head;
mod canonical_relative;
mod charset_missing;
mod description_length;
mod description_missing;
mod doctype_missing;
mod h1_missing;
mod head_broken_by_body_element;
mod hreflang_invalid_code;
mod html_over_googlebot_limit;
mod jsonld_invalid;
mod link_invalid_href;
mod link_localhost;
mod link_not_crawlable;
mod og_incomplete;
mod redirect_meta_refresh;
mod robots_meta_conflict;
mod title_long;
mod title_missing;
mod title_multiple;
mod title_short;
mod url_session_or_tracking;
mod url_too_long;
mod viewport_missing;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &canonical_cross_host::CANONICAL_CROSS_HOST,
    &canonical_header_mismatch::CANONICAL_HEADER_MISMATCH,
    &canonical_invalid::CANONICAL_INVALID,
    &canonical_multiple::CANONICAL_MULTIPLE,
    &canonical_outside_head::CANONICAL_OUTSIDE_HEAD,
    &canonical_relative::CANONICAL_RELATIVE,
    &charset_missing::CHARSET_MISSING,
    &description_length::DESCRIPTION_LENGTH,
    &description_missing::DESCRIPTION_MISSING,
    &doctype_missing::DOCTYPE_MISSING,
    &h1_missing::H1_MISSING,
    &head_broken_by_body_element::HEAD_BROKEN_BY_BODY_ELEMENT,
    &hreflang_invalid_code::HREFLANG_INVALID_CODE,
    &html_over_googlebot_limit::HTML_OVER_GOOGLEBOT_LIMIT,
    &jsonld_invalid::JSONLD_INVALID,
    &link_invalid_href::LINK_INVALID_HREF,
    &link_localhost::LINK_LOCALHOST,
    &link_not_crawlable::LINK_NOT_CRAWLABLE,
    &og_incomplete::OG_INCOMPLETE,
    &redirect_meta_refresh::REDIRECT_META_REFRESH,
    &robots_meta_conflict::ROBOTS_META_CONFLICT,
    &title_long::TITLE_LONG,
    &title_missing::TITLE_MISSING,
    &title_multiple::TITLE_MULTIPLE,
    &title_short::TITLE_SHORT,
    &url_session_or_tracking::URL_SESSION_OR_TRACKING,
    &url_too_long::URL_TOO_LONG,
    &viewport_missing::VIEWPORT_MISSING,
];
