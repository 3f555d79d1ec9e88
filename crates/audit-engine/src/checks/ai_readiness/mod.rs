//! Checks of this dimension.

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[];
