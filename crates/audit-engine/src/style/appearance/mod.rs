//! How elements look, as far as the colors of texts depend on it: colors, sizes of fonts, and where boxes are.
//!
//! An appearance depends on the element's name, attributes and ancestors, and sometimes on its siblings. Elements that
//! are alike in all of these are of one [`Kind`], whose appearance is computed once.

mod calc;
mod compute;
mod key;
mod kinds;
mod stack;
mod values;
mod variables;

pub(crate) use compute::{Appearance, Movement, Origin};
pub(crate) use kinds::{Appearances, Kind, KindId, KindTable};
pub(crate) use stack::{Stack, TextLook};
pub(crate) use values::Backdrop;
