//! Accessibility checks: whether users with disabilities can use the pages.

mod area_alt;
mod aria_allowed_attr;
mod aria_hidden_body;
mod aria_hidden_focus;
mod aria_required_attr;
mod aria_required_children;
mod aria_required_parent;
mod aria_roles;
mod aria_valid_attr;
mod aria_valid_attr_value;
mod aria_widget_name;
mod autocomplete_valid;
mod autoplay_audio;
mod button_name;
mod bypass_blocks;
mod color_contrast;
mod color_contrast_enhanced;
mod decorative_exposed;
mod document_title;
mod duplicate_id_aria;
mod focus_not_visible;
mod form_field_multiple_labels;
mod frame_focusable_content;
mod frame_title;
mod heading_empty;
mod heading_order;
mod html_has_lang;
mod html_lang_valid;
mod image_alt;
mod input_button_name;
mod input_image_alt;
mod label;
mod label_in_name;
mod landmark_main;
mod link_in_text_block;
mod link_name;
mod link_text_generic;
mod list_structure;
mod meta_refresh;
mod meta_refresh_no_exceptions;
mod meta_viewport;
mod nested_interactive;
mod object_alt;
mod orientation_locked;
mod scrollable_not_focusable;
mod select_name;
mod skip_link_broken;
mod svg_img_alt;
mod tabindex_positive;
mod table_headers;
mod target_size;
mod text_spacing_inline;
mod valid_lang;
mod video_captions;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &area_alt::AREA_ALT,
    &aria_allowed_attr::ARIA_ALLOWED_ATTR,
    &aria_hidden_body::ARIA_HIDDEN_BODY,
    &aria_hidden_focus::ARIA_HIDDEN_FOCUS,
    &aria_required_attr::ARIA_REQUIRED_ATTR,
    &aria_required_children::ARIA_REQUIRED_CHILDREN,
    &aria_required_parent::ARIA_REQUIRED_PARENT,
    &aria_roles::ARIA_ROLES,
    &aria_valid_attr::ARIA_VALID_ATTR,
    &aria_valid_attr_value::ARIA_VALID_ATTR_VALUE,
    &aria_widget_name::ARIA_WIDGET_NAME,
    &autocomplete_valid::AUTOCOMPLETE_VALID,
    &autoplay_audio::AUTOPLAY_AUDIO,
    &button_name::BUTTON_NAME,
    &bypass_blocks::BYPASS_BLOCKS,
    &color_contrast::COLOR_CONTRAST,
    &color_contrast_enhanced::COLOR_CONTRAST_ENHANCED,
    &decorative_exposed::DECORATIVE_EXPOSED,
    &document_title::DOCUMENT_TITLE,
    &duplicate_id_aria::DUPLICATE_ID_ARIA,
    &focus_not_visible::FOCUS_NOT_VISIBLE,
    &form_field_multiple_labels::FORM_FIELD_MULTIPLE_LABELS,
    &frame_focusable_content::FRAME_FOCUSABLE_CONTENT,
    &frame_title::FRAME_TITLE,
    &heading_empty::HEADING_EMPTY,
    &heading_order::HEADING_ORDER,
    &html_has_lang::HTML_HAS_LANG,
    &html_lang_valid::HTML_LANG_VALID,
    &image_alt::IMAGE_ALT,
    &input_button_name::INPUT_BUTTON_NAME,
    &input_image_alt::INPUT_IMAGE_ALT,
    &label::LABEL,
    &label_in_name::LABEL_IN_NAME,
    &landmark_main::LANDMARK_MAIN,
    &link_in_text_block::LINK_IN_TEXT_BLOCK,
    &link_name::LINK_NAME,
    &link_text_generic::LINK_TEXT_GENERIC,
    &list_structure::LIST_STRUCTURE,
    &meta_refresh::META_REFRESH,
    &meta_refresh_no_exceptions::META_REFRESH_NO_EXCEPTIONS,
    &meta_viewport::META_VIEWPORT,
    &nested_interactive::NESTED_INTERACTIVE,
    &object_alt::OBJECT_ALT,
    &orientation_locked::ORIENTATION_LOCKED,
    &scrollable_not_focusable::SCROLLABLE_NOT_FOCUSABLE,
    &select_name::SELECT_NAME,
    &skip_link_broken::SKIP_LINK_BROKEN,
    &svg_img_alt::SVG_IMG_ALT,
    &tabindex_positive::TABINDEX_POSITIVE,
    &table_headers::TABLE_HEADERS,
    &target_size::TARGET_SIZE,
    &text_spacing_inline::TEXT_SPACING_INLINE,
    &valid_lang::VALID_LANG,
    &video_captions::VIDEO_CAPTIONS,
];
