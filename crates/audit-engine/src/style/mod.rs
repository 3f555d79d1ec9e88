//! What the style sheets in a page say of its elements, as far as that is certain without a browser.
//!
//! Read are `style` elements, `style` attributes and the linked sheets that were fetched, and of these only the
//! declarations that a check asks about. [`Styles::is_complete`] says whether any are missing. What depends on the
//! window is judged for one of 1,280 by 800 pixels. Whether a rule applies may also depend on how the screen is
//! held, on scripts or on selectors that are not read: then the answer is [`Uncertain`], or none.
//!
//! [`Styles`] is the only source of answers for code outside this folder. Its methods ask what a check wants to
//! know of an element and not which declaration wins, so that a browser's computed values can answer them, too.

mod attribute;
mod cascade;
mod color;
pub(crate) mod css_refs;
mod generated;
mod length;
mod linked;
mod matching;
mod media;
mod paint;
mod rotation;
mod scan;
mod selector;
mod sheet;
mod spacing;
mod visibility;

pub(crate) use attribute::StyleAttribute;
pub(crate) use cascade::Styles;
pub(crate) use color::Color;
pub(crate) use length::Length;
pub(crate) use linked::{LinkedSheet, LinkedSheets, imports};
pub(crate) use media::{Condition, Orientation};
pub(crate) use paint::Paint;
pub(crate) use spacing::Spacing;
pub(crate) use visibility::Uncertain;
