//! What the style sheets in a page say of its elements, as far as that is certain without a browser.
//!
//! Read are `style` elements and `style` attributes, and of these only the declarations that a check asks
//! about. Sheets that the page links are not; [`Styles::is_whole`] says whether there are any. Whether
//! a rule applies may depend on the screen, on scripts or on selectors that are not read: then the
//! answer is [`Declared::Unknown`].

pub(crate) mod angle;
mod cascade;
mod color;
mod length;
mod matching;
mod media;
mod scan;
mod selector;
mod sheet;

pub(crate) use cascade::{Declared, LONGEST_ATTRIBUTE, Styles};
pub(crate) use color::Color;
pub(crate) use length::Length;
pub(crate) use media::Orientation;
pub(crate) use scan::{declarations, without_comments};
pub(crate) use sheet::Property;
