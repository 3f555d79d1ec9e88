//! The colors of a text and of what is behind it.

use std::sync::Arc;

use super::color::Color;
use super::computed::{Appearance, Movement, Origin};
use super::values::Backdrop;
use crate::gather::{ColorPair, TextColors};

/// Most pairs of colors of one text that are compared. With more its contrast is unknown.
pub(crate) const MAX_PAIRS: usize = 1_000;

/// How a text looks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TextLook {
    /// The color of the text and that behind it, where the contrast is best.
    pub(crate) pair: (Color, Color),
    /// Whether there are other colors behind the text: it is on a gradient, or on what a picture shows.
    pub(crate) varies: bool,
    /// Whether the colors were read from pictures.
    pub(crate) is_pictured: bool,
    /// The best contrast.
    pub(crate) best: f64,
    /// The worst contrast.
    pub(crate) worst: f64,
    /// The color of the text as it is declared.
    pub(crate) color: Color,
    /// Where that is declared; `None` if the browser sets it.
    pub(crate) color_from: Option<Origin>,
    /// The smallest and the largest font size that the text may have, in pixels; `None` if that is unknown.
    pub(crate) font_size: Option<(f64, f64)>,
    /// `None` if it is unknown.
    pub(crate) font_weight: Option<f64>,
    /// How many elements above the text the one is whose background covers all behind it; `None` for the canvas.
    pub(crate) covered_by: Option<usize>,
}

/// A text on everything behind it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Stack {
    /// The text is not visible.
    Invisible,
    Unknown,
    Known(Arc<TextLook>),
}

/// The colors of the text of the first appearance. The others are those of its ancestors, from inside out.
pub(super) fn stack<'a>(chain: impl Iterator<Item = &'a Appearance>) -> Stack {
    let mut chain = chain.peekable();
    let Some(own) = chain.peek().copied() else {
        return Stack::Unknown;
    };
    let is_tiny = own.font_size.is_some_and(|(_, high)| high < 1.0);
    if own.is_clipped || is_tiny || own.color.is_some_and(|color| color.alpha() <= 0.0) {
        return Stack::Invisible;
    }
    let (Some(color), false) = (own.color, own.is_decorated) else {
        return Stack::Unknown;
    };
    // From the text outwards: each color is painted over those that follow.
    let mut pairs = vec![(color, Color::CLEAR)];
    let mut covered_by = None;
    let mut is_dark = false;
    for (steps, current) in chain.enumerate() {
        let is_covered = |pairs: &[(Color, Color)]| {
            let mut backgrounds = pairs.iter().map(|(_, background)| background);
            backgrounds.all(|background| background.alpha() >= 1.0)
        };
        if !is_covered(&pairs) {
            match &current.backdrop {
                Backdrop::Colors(colors) => {
                    if pairs.len() * colors.len() > MAX_PAIRS {
                        return Stack::Unknown;
                    }
                    let below = |(text, background): &(Color, Color)| {
                        let (text, background) = (*text, *background);
                        let over =
                            move |color: &Color| (text.over(*color), background.over(*color));
                        colors.iter().map(over).collect::<Vec<_>>()
                    };
                    pairs = pairs.iter().flat_map(below).collect();
                }
                Backdrop::Unknown => return Stack::Unknown,
                Backdrop::Clear => {}
            }
            if is_covered(&pairs) {
                covered_by = Some(steps);
            } else if current.movement != Movement::None || current.has_backdrop_effect {
                // What is behind it is not the background of its parent.
                return Stack::Unknown;
            }
        }
        match current.opacity {
            Some(opacity) if opacity <= 0.0 => return Stack::Invisible,
            Some(opacity) if opacity < 1.0 => {
                for (text, background) in &mut pairs {
                    *text = text.faded(opacity);
                    *background = background.faded(opacity);
                }
                covered_by = None;
                if current.movement != Movement::None {
                    return Stack::Unknown;
                }
            }
            Some(_) => {}
            None => return Stack::Unknown,
        }
        if current.has_effect {
            return Stack::Unknown;
        }
        is_dark |= current.is_dark;
    }
    if is_dark {
        return Stack::Unknown;
    }
    let found = TextLook::of_pairs(pairs, Color::WHITE);
    found.map_or(Stack::Unknown, |found| {
        Stack::Known(Arc::new(TextLook {
            color,
            color_from: own.color_from,
            font_size: own.font_size,
            font_weight: own.font_weight,
            covered_by,
            ..found
        }))
    })
}

impl TextLook {
    /// How a text of this color looks in pictures. Size and weight are unknown.
    pub(crate) fn of_picture(color: Color, seen: &TextColors) -> Self {
        let colors = |pair: ColorPair| (Color::of_pixel(pair.text), Color::of_pixel(pair.behind));
        let (pair, least) = (colors(seen.most), colors(seen.least));
        let (best, worst) = (pair.0.contrast(pair.1), least.0.contrast(least.1));
        Self {
            pair,
            varies: pair != least,
            is_pictured: true,
            best,
            worst: worst.min(best),
            color,
            color_from: None,
            font_size: None,
            font_weight: None,
            covered_by: None,
        }
    }

    /// How a text looks that has each of these colors, in front of each of these others, on a canvas. None without
    /// colors. Size, weight and the color as declared are unknown.
    pub(crate) fn of_pairs(pairs: Vec<(Color, Color)>, canvas: Color) -> Option<Self> {
        let on_canvas =
            |(text, background): (Color, Color)| (text.over(canvas), background.over(canvas));
        let ratio = |(text, background): (Color, Color)| text.contrast(background);
        let seen = pairs
            .into_iter()
            .map(on_canvas)
            .map(|pair| (ratio(pair), pair));
        let seen: Vec<(f64, (Color, Color))> = seen.collect();
        let ratios = || seen.iter().map(|(ratio, _)| *ratio);
        let (best, pair) = seen
            .iter()
            .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        Some(Self {
            pair: *pair,
            varies: seen.len() > 1,
            is_pictured: false,
            best: *best,
            worst: ratios().fold(f64::INFINITY, f64::min),
            color: pair.0,
            color_from: None,
            font_size: None,
            font_weight: None,
            covered_by: None,
        })
    }
}
