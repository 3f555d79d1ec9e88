//! Whether people with disabilities can use the pages.

mod area_alt;
mod button_name;
mod document_title;
mod frame_title;
mod html_has_lang;
mod html_lang_valid;
mod image_alt;
mod input_button_name;
mod input_image_alt;
mod label;
mod link_name;
mod object_alt;
mod select_name;
mod svg_img_alt;
mod valid_lang;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &area_alt::AREA_ALT,
    &button_name::BUTTON_NAME,
    &document_title::DOCUMENT_TITLE,
    &frame_title::FRAME_TITLE,
    &html_has_lang::HTML_HAS_LANG,
    &html_lang_valid::HTML_LANG_VALID,
    &image_alt::IMAGE_ALT,
    &input_button_name::INPUT_BUTTON_NAME,
    &input_image_alt::INPUT_IMAGE_ALT,
    &label::LABEL,
    &link_name::LINK_NAME,
    &object_alt::OBJECT_ALT,
    &select_name::SELECT_NAME,
    &svg_img_alt::SVG_IMG_ALT,
    &valid_lang::VALID_LANG,
];
