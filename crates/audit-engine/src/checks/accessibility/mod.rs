//! Whether people with disabilities can use the pages.

mod html_has_lang;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[&html_has_lang::HTML_HAS_LANG];
