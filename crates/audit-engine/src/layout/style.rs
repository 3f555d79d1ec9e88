//! The computed styles of a box.

use super::image_tile::ImageTile;

/// Where a box is placed (CSS Positioned Layout Module Level 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Position {
    #[default]
    Static,
    /// `relative` or `sticky`.
    Relative,
    Absolute,
    Fixed,
}

/// What happens to content that is larger than its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Overflow {
    #[default]
    Visible,
    /// It cannot be seen.
    Hidden,
    /// It can be scrolled to.
    Scrolled,
}

/// How a box takes part in the lines around it (CSS Display Module Level 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Flow {
    /// It is a part of a line.
    Inline,
    /// It stands in a line as one piece.
    InlineBlock,
    /// It begins and ends lines.
    #[default]
    Block,
}

/// The computed styles of a box that the engine reads, as far as the browser said them. Colors are as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ComputedStyle {
    pub(crate) is_visible: bool,
    pub(crate) flow: Flow,
    /// From 0 to 1.
    pub(crate) opacity: f64,
    pub(crate) position: Position,
    /// The color in which text is painted.
    pub(crate) text_color: Box<str>,
    pub(crate) background_color: Box<str>,
    /// `None` if there is none.
    pub(crate) background_image: Option<Box<str>>,
    /// Where the image is painted, if it is painted once and the styles tell.
    pub(crate) image_tile: Option<ImageTile>,
    /// Whether the image is repeated in its own size, so that it is behind the whole box.
    pub(crate) image_fills: bool,
    /// Whether the background is cut to the shape of the text.
    pub(crate) is_clipped_to_text: bool,
    /// In pixels.
    pub(crate) font_size: Option<f64>,
    pub(crate) font_weight: Option<f64>,
    pub(crate) is_italic: bool,
    /// The list of families as written.
    pub(crate) font_family: Box<str>,
    /// Whether text is underlined, overlined or struck through by this element itself.
    pub(crate) has_text_line: bool,
    /// As written; `None` if there is none.
    pub(crate) text_shadow: Option<Box<str>>,
    pub(crate) has_box_shadow: bool,
    pub(crate) border_below: Border,
    pub(crate) overflow: Overflow,
    /// Whether content that is larger can be scrolled to, horizontally and vertically.
    pub(crate) scrolls: (bool, bool),
    /// Whether pointers hit it.
    pub(crate) takes_pointer: bool,
    pub(crate) clip_path: Option<Box<str>>,
    /// Whether it is rotated or skewed, so that its rectangle is larger than what it shows.
    pub(crate) is_turned: bool,
    /// Whether what is fixed to the window is fixed to this box instead, if it is inside (CSS Transforms Module Level 1,
    /// section 3).
    pub(crate) holds_fixed: bool,
    /// Whether a filter or a blend mode changes colors.
    pub(crate) has_effect: bool,
}

impl ComputedStyle {
    /// Reads the values of the properties; an unknown property has the value "". Where the image is painted is not read.
    pub(crate) fn read<'v>(value: impl Fn(&str) -> &'v str) -> Self {
        let none = |name: &str| matches!(value(name), "none" | "");
        let text_color = match value("-webkit-text-fill-color") {
            "" => value("color"),
            own => own,
        };
        let is = |name: &str, values: &[&str]| values.contains(&value(name));
        Self {
            is_visible: is("visibility", &["visible", ""]),
            flow: flow(value("display")),
            opacity: value("opacity").parse().unwrap_or(1.0),
            position: match value("position") {
                "absolute" => Position::Absolute,
                "fixed" => Position::Fixed,
                "relative" | "sticky" => Position::Relative,
                _ => Position::Static,
            },
            text_color: text_color.into(),
            background_color: value("background-color").into(),
            background_image: (!none("background-image")).then(|| value("background-image").into()),
            image_tile: None,
            image_fills: fills(value("background-size"), value("background-repeat")),
            is_clipped_to_text: value("background-clip").contains("text"),
            font_size: pixels(value("font-size")),
            font_weight: value("font-weight").parse().ok(),
            is_italic: !is("font-style", &["normal", ""]),
            font_family: value("font-family").into(),
            has_text_line: !none("text-decoration-line"),
            text_shadow: (!none("text-shadow")).then(|| value("text-shadow").into()),
            has_box_shadow: !none("box-shadow"),
            border_below: Border::read(value("border-bottom")),
            overflow: overflow(value("overflow-x"), value("overflow-y")),
            scrolls: (
                is("overflow-x", &["auto", "scroll"]),
                is("overflow-y", &["auto", "scroll"]),
            ),
            takes_pointer: !is("pointer-events", &["none"]),
            clip_path: (!none("clip-path")).then(|| value("clip-path").into()),
            is_turned: is_turned(value("transform")) || !none("rotate"),
            holds_fixed: !none("transform") || !none("rotate") || !none("filter"),
            has_effect: !none("filter") || !is("mix-blend-mode", &["normal", ""]),
        }
    }

    /// Whether a clip path cuts everything off, as style sheets do to keep a text for screen readers.
    pub(crate) fn is_cut_away(&self) -> bool {
        const NOTHING: [&str; 3] = ["inset(50%", "inset(100%", "circle(0"];
        let path = self.clip_path.as_deref().unwrap_or_default();
        NOTHING.iter().any(|start| path.starts_with(start))
    }

    /// The first font family, without quotes.
    pub(crate) fn first_font(&self) -> &str {
        let first = self.font_family.split(',').next().unwrap_or_default();
        first.trim().trim_matches(['"', '\''])
    }

    /// Whether it has a background.
    pub(crate) fn paints_behind(&self) -> bool {
        let is_clear = matches!(
            &*self.background_color,
            "" | "transparent" | "rgba(0, 0, 0, 0)"
        );
        !is_clear || self.background_image.is_some()
    }
}

/// A border on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Border {
    #[default]
    None,
    /// One that a page draws.
    Line,
    /// The sunken or raised border of a control that no style sheet changes (HTML Standard, section 15.5).
    OfBrowser,
}

impl Border {
    /// Reads a border as browsers compute it: `1px solid rgb(0, 0, 0)`.
    fn read(text: &str) -> Self {
        let mut parts = text.splitn(3, ' ');
        let (width, style) = (parts.next().unwrap_or_default(), parts.next());
        let color = parts.next().unwrap_or_default();
        let is_clear =
            color == "transparent" || color.starts_with("rgba(") && color.ends_with(" 0)");
        match style {
            None | Some("none" | "hidden") => Self::None,
            Some(_) if is_clear || pixels(width).is_none_or(|width| width <= 0.0) => Self::None,
            Some("inset" | "outset") => Self::OfBrowser,
            Some(_) => Self::Line,
        }
    }
}

fn flow(display: &str) -> Flow {
    match display {
        "inline" | "contents" | "ruby" | "ruby-text" => Flow::Inline,
        other if other.starts_with("inline-") => Flow::InlineBlock,
        _ => Flow::Block,
    }
}

fn overflow(horizontal: &str, vertical: &str) -> Overflow {
    let is = |values: &[&str]| values.contains(&horizontal) || values.contains(&vertical);
    if is(&["auto", "scroll"]) {
        Overflow::Scrolled
    } else if is(&["hidden", "clip"]) {
        Overflow::Hidden
    } else {
        Overflow::Visible
    }
}

/// Whether an image without a size of its own, such as a gradient, is behind the whole padding box (CSS Backgrounds and
/// Borders Level 3, section 2.9).
fn fills(size: &str, repeat: &str) -> bool {
    match size {
        "cover" => matches!(repeat, "repeat" | "no-repeat"),
        "auto" | "contain" | "100%" | "100% 100%" => repeat == "repeat",
        _ => false,
    }
}

/// A length as browsers compute it.
fn pixels(text: &str) -> Option<f64> {
    text.strip_suffix("px")?.parse().ok()
}

/// Whether a transform turns: its matrix has more than a scale and a shift (CSS Transforms Module Level 1).
fn is_turned(transform: &str) -> bool {
    let Some(matrix) = transform.strip_prefix("matrix(") else {
        return transform.starts_with("matrix3d");
    };
    let mut numbers = matrix.split(',').skip(1).take(2);
    let is_zero = |text: &str| {
        text.trim()
            .parse::<f64>()
            .is_ok_and(|turn| turn.abs() < 0.001)
    };
    !numbers.all(is_zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_browsers_write_them() {
        let style = ComputedStyle::read(|name| match name {
            "visibility" => "hidden",
            "opacity" => "0.5",
            "position" => "sticky",
            "color" => "rgb(1, 2, 3)",
            "-webkit-text-fill-color" => "rgb(4, 5, 6)",
            "background-color" => "rgba(0, 0, 0, 0)",
            "background-image" => "none",
            "font-size" => "18.66px",
            "font-weight" => "700",
            "text-shadow" => "none",
            "overflow-x" => "visible",
            "overflow-y" => "hidden",
            "transform" => "matrix(1, 0, 0, 1, 20, 0)",
            _ => "",
        });
        assert!(!style.is_visible && !style.paints_behind() && !style.is_turned);
        assert_eq!(style.opacity, 0.5);
        assert_eq!(style.position, Position::Relative);
        assert_eq!(&*style.text_color, "rgb(4, 5, 6)");
        assert_eq!(
            (style.font_size, style.font_weight),
            (Some(18.66), Some(700.0))
        );
        assert_eq!(style.overflow, Overflow::Hidden);
        assert!(style.text_shadow.is_none() && !style.has_effect);
    }

    #[test]
    fn borders_are_read_as_browsers_write_them() {
        for (border, expected) in [
            ("1px solid rgb(0, 0, 0)", Border::Line),
            ("2px outset buttonborder", Border::OfBrowser),
            ("2px inset rgb(118, 118, 118)", Border::OfBrowser),
            ("0px none rgb(0, 0, 0)", Border::None),
            ("3px none rgb(0, 0, 0)", Border::None),
            ("0px solid rgb(0, 0, 0)", Border::None),
            ("1px solid rgba(0, 0, 0, 0)", Border::None),
            ("1px solid rgba(0, 0, 0, 0.5)", Border::Line),
            ("", Border::None),
        ] {
            assert_eq!(Border::read(border), expected, "{border}");
        }
    }

    #[test]
    fn boxes_are_parts_of_lines_or_not() {
        for (display, expected) in [
            ("inline", Flow::Inline),
            ("inline-flex", Flow::InlineBlock),
            ("flex", Flow::Block),
            ("table-cell", Flow::Block),
            ("", Flow::Block),
        ] {
            assert_eq!(flow(display), expected, "{display}");
        }
    }

    #[test]
    fn the_axes_that_scroll_and_clip_paths_that_hide_are_told() {
        let style = ComputedStyle::read(|name| match name {
            "overflow-x" => "auto",
            "overflow-y" => "hidden",
            "clip-path" => "inset(50%)",
            "font-family" => "\"Material Icons\", serif",
            _ => "",
        });
        assert_eq!(style.scrolls, (true, false));
        assert!(style.is_cut_away() && style.takes_pointer);
        assert_eq!(style.first_font(), "Material Icons");
    }

    #[test]
    fn a_snapshot_without_styles_has_ordinary_ones() {
        let style = ComputedStyle::read(|_| "");
        assert!(style.is_visible && style.opacity == 1.0 && !style.paints_behind());
        assert_eq!(style.overflow, Overflow::Visible);
    }

    #[test]
    fn a_gradient_fills_its_box_unless_it_has_a_size_or_a_place() {
        for (size, repeat, expected) in [
            ("auto", "repeat", true),
            ("cover", "no-repeat", true),
            ("100% 100%", "repeat", true),
            ("100% 2px", "repeat", false),
            ("auto", "no-repeat", false),
            ("auto, auto", "repeat, repeat", false),
        ] {
            assert_eq!(fills(size, repeat), expected, "{size} {repeat}");
        }
    }

    #[test]
    fn turns_are_told_from_shifts_and_scales() {
        for (transform, expected) in [
            ("none", false),
            ("matrix(2, 0, 0, 2, 5, 5)", false),
            ("matrix(0, 1, -1, 0, 0, 0)", true),
            ("matrix3d(1, 0)", true),
        ] {
            assert_eq!(is_turned(transform), expected, "{transform}");
        }
    }
}
