//! Whether pages load and react quickly.

mod dom_too_large;
mod image_no_dimensions;
mod render_blocking;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &dom_too_large::DOM_TOO_LARGE,
    &image_no_dimensions::IMAGE_NO_DIMENSIONS,
    &render_blocking::RENDER_BLOCKING,
];
