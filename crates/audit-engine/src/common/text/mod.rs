//! Text: language, prose, display width, duplicates and secrets.

pub(crate) mod duplicates;
pub(crate) mod filler;
pub(crate) mod language;
pub(crate) mod languages;
pub(crate) mod prose;
pub(crate) mod secrets;
pub(crate) mod text_width;
