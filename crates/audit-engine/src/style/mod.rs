//! The styles of a page's elements, as far as they are certain in static mode.
//!
//! Inputs are `style` elements, `style` attributes and the linked sheets that were fetched; only declarations that
//! a check needs are kept. [`Styles::is_complete`] reports whether any sheet is missing. Conditions on the
//! viewport are evaluated for windows of 360, 768 and 1,350 pixels ([`Widths`]): visibility for each of them, all
//! other properties for the widest. If a rule depends on the screen orientation, on scripts or on
//! unsupported selectors, the result is uncertain or `None`.
//!
//! Code outside this folder uses only [`Styles`]. Its methods return what a check needs to know about an element
//! and not which declaration wins, so that a browser's computed values can implement them, too.

mod attribute;
mod backgrounds;
mod calc;
mod cascade;
mod color;
mod color_names;
mod computed;
pub(crate) mod css_refs;
mod fonts;
mod generated;
mod gradient;
mod kind_key;
mod kinds;
mod layout;
mod length;
mod linked;
mod matching;
mod media;
mod rotation;
mod scan;
mod selector;
mod sheet;
mod spacing;
mod stack;
mod toggled;
mod values;
mod variables;
mod visibility;
mod widths;

pub(crate) use attribute::StyleAttribute;
pub(crate) use cascade::Styles;
pub(crate) use color::Color;
#[cfg(feature = "browser")]
pub(crate) use color::contrast_of_pixels;
pub(crate) use computed::{Appearance, Movement, Origin};
pub(crate) use fonts::is_of_fonts;
pub(crate) use kind_key::BuildKeyHasher;
pub(crate) use kinds::{Appearances, Kind, KindId};
pub(crate) use layout::Side;
pub(crate) use length::Length;
pub(crate) use linked::{LinkedSheet, LinkedSheets, imports};
pub(crate) use media::{Condition, Orientation};
pub(crate) use spacing::Spacing;
pub(crate) use stack::{MAX_PAIRS, Stack, TextLook};
pub(crate) use toggled::{HidingClasses, LinkedScripts};
pub(crate) use values::{Backdrop, backdrop};
pub(crate) use visibility::Uncertain;
pub(crate) use widths::{Width, Widths};
