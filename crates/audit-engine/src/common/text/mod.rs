//! Text: language, prose, display width, secrets and descriptions of elements.

pub(crate) mod described;
pub(crate) mod filler;
pub(crate) mod language;
pub(crate) mod languages;
pub(crate) mod prose;
pub(crate) mod secrets;
pub(crate) mod text_block;
pub(crate) mod text_width;
pub(crate) mod variable_parts;
pub(crate) mod visible_text;
