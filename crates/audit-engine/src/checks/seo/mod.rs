//! Whether search engines can find, read and present the pages.

mod charset_missing;
mod description_length;
mod description_missing;
mod doctype_missing;
mod h1_missing;
mod title_long;
mod title_missing;
mod title_multiple;
mod title_short;
mod viewport_missing;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &charset_missing::CHARSET_MISSING,
    &description_length::DESCRIPTION_LENGTH,
    &description_missing::DESCRIPTION_MISSING,
    &doctype_missing::DOCTYPE_MISSING,
    &h1_missing::H1_MISSING,
    &title_long::TITLE_LONG,
    &title_missing::TITLE_MISSING,
    &title_multiple::TITLE_MULTIPLE,
    &title_short::TITLE_SHORT,
    &viewport_missing::VIEWPORT_MISSING,
];
