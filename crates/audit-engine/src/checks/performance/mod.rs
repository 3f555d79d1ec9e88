//! Checks of whether pages load and respond quickly.

mod blocking_redirect;
mod cache_policy_weak;
mod cls;
mod css_unminified;
mod css_unused;
mod dom_too_large;
mod fcp;
mod font_display_missing;
mod http1_only;
mod image_bytes_wasted;
mod image_no_dimensions;
mod image_offscreen_eager;
mod image_oversized_for_box;
mod image_too_heavy;
mod js_legacy;
mod js_too_heavy;
mod js_unminified;
mod js_unused;
mod lcp;
mod lcp_image_late;
mod lcp_image_lazy;
mod main_thread_work;
mod page_weight;
mod render_blocking;
mod speed_index;
mod tbt;
mod text_uncompressed;
mod third_party_weight;
mod ttfb;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &blocking_redirect::BLOCKING_REDIRECT,
    &cache_policy_weak::CACHE_POLICY_WEAK,
    &cls::CLS,
    &css_unminified::CSS_UNMINIFIED,
    &css_unused::CSS_UNUSED,
    &dom_too_large::DOM_TOO_LARGE,
    &fcp::FCP,
    &font_display_missing::FONT_DISPLAY_MISSING,
    &http1_only::HTTP1_ONLY,
    &image_bytes_wasted::IMAGE_BYTES_WASTED,
    &image_no_dimensions::IMAGE_NO_DIMENSIONS,
    &image_offscreen_eager::IMAGE_OFFSCREEN_EAGER,
    &image_oversized_for_box::IMAGE_OVERSIZED_FOR_BOX,
    &image_too_heavy::IMAGE_TOO_HEAVY,
    &js_legacy::JS_LEGACY,
    &js_too_heavy::JS_TOO_HEAVY,
    &js_unminified::JS_UNMINIFIED,
    &js_unused::JS_UNUSED,
    &lcp::LCP,
    &lcp_image_late::LCP_IMAGE_LATE,
    &lcp_image_lazy::LCP_IMAGE_LAZY,
    &main_thread_work::MAIN_THREAD_WORK,
    &page_weight::PAGE_WEIGHT,
    &render_blocking::RENDER_BLOCKING,
    &speed_index::SPEED_INDEX,
    &tbt::TBT,
    &text_uncompressed::TEXT_UNCOMPRESSED,
    &third_party_weight::THIRD_PARTY_WEIGHT,
    &ttfb::TTFB,
];
