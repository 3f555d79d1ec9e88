//! Where a background image is painted that is not repeated.

use super::Rect;

/// Most pixels of a border. The image is placed in the box within the borders, whose widths are not known.
const BORDER: f32 = 8.0;

/// The distance of an image from the left or upper edge of its box (CSS Backgrounds and Borders Level 3, section 2.6).
#[derive(Debug, Clone, Copy, PartialEq)]
enum Distance {
    Pixels(f32),
    /// A share of what the image leaves of the box.
    Share(f32),
}

impl Distance {
    fn read(text: &str) -> Option<Self> {
        match text.strip_suffix('%') {
            Some(share) => Some(Self::Share(share.parse::<f32>().ok()? / 100.0)),
            None => pixels(text).map(Self::Pixels),
        }
    }

    fn of(self, room: f32) -> f32 {
        match self {
            Self::Pixels(pixels) => pixels,
            Self::Share(share) => share * room,
        }
    }
}

/// A background image that is painted once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ImageTile {
    width: f32,
    height: f32,
    left: Distance,
    top: Distance,
}

impl ImageTile {
    /// Reads the computed values of a box; `None` unless they tell where its only image is. `natural` knows the width and
    /// the height of images, in pixels of style sheets.
    pub(crate) fn read<'v>(
        value: impl Fn(&str) -> &'v str,
        natural: impl FnOnce(&str) -> Option<(f32, f32)>,
    ) -> Option<Self> {
        let url = single_url(value("background-image"))?;
        if value("background-repeat") != "no-repeat" || value("background-attachment") != "scroll" {
            return None;
        }
        let (left, top) = value("background-position").split_once(' ')?;
        let (left, top) = (Distance::read(left)?, Distance::read(top)?);
        let (width, height) = match value("background-size") {
            "auto" => natural(url)?,
            size => match size.split_once(' ') {
                Some(("auto", height)) => {
                    let (height, (across, down)) = (pixels(height)?, natural(url)?);
                    (height * across / down, height)
                }
                Some((width, "auto")) => by_width(pixels(width)?, natural(url)?),
                Some((width, height)) => (pixels(width)?, pixels(height)?),
                None => by_width(pixels(size)?, natural(url)?),
            },
        };
        let is_image = width.is_finite() && height.is_finite() && width > 0.0 && height > 0.0;
        is_image.then_some(Self {
            width,
            height,
            left,
            top,
        })
    }

    /// What it may cover of its box.
    pub(crate) fn within(self, rect: Rect) -> Rect {
        let left = rect.left + self.left.of(rect.width() - self.width);
        let top = rect.top + self.top.of(rect.height() - self.height);
        let tile = Rect {
            left: left - BORDER,
            top: top - BORDER,
            right: left + self.width + BORDER,
            bottom: top + self.height + BORDER,
        };
        tile.and(rect)
    }
}

fn by_width(width: f32, (across, down): (f32, f32)) -> (f32, f32) {
    (width, width * down / across)
}

/// The URL of a value that has one image, which is a file.
pub(crate) fn single_url(image: &str) -> Option<&str> {
    let url = image.strip_prefix("url(\"")?.strip_suffix("\")")?;
    (!url.contains('"')).then_some(url)
}

fn pixels(text: &str) -> Option<f32> {
    text.strip_suffix("px")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const BOX: Rect = Rect {
        left: 100.0,
        top: 200.0,
        right: 600.0,
        bottom: 300.0,
    };

    /// The tile of an image of 24 × 16 pixels, in [`BOX`].
    fn tile(image: &str, size: &str, position: &str, repeat: &str) -> Option<[f32; 4]> {
        let value = |name: &str| match name {
            "background-image" => image,
            "background-size" => size,
            "background-position" => position,
            "background-repeat" => repeat,
            "background-attachment" => "scroll",
            _ => "",
        };
        let natural = |url: &str| (url == "http://a.test/i.png").then_some((24.0, 16.0));
        let at = ImageTile::read(value, natural)?.within(BOX);
        Some([at.left, at.top, at.right, at.bottom])
    }

    const ICON: &str = "url(\"http://a.test/i.png\")";

    #[rstest]
    #[case::in_its_own_size("auto", "12px 10px", [104.0, 202.0, 144.0, 234.0])]
    #[case::in_the_corner("auto", "0% 0%", [100.0, 200.0, 132.0, 224.0])]
    #[case::at_the_right("auto", "100% 50%", [568.0, 234.0, 600.0, 266.0])]
    #[case::of_a_size("48px 20px", "20px 20px", [112.0, 212.0, 176.0, 248.0])]
    #[case::of_a_width("48px", "20px 20px", [112.0, 212.0, 176.0, 260.0])]
    #[case::of_a_height("auto 32px", "20px 20px", [112.0, 212.0, 176.0, 260.0])]
    #[case::beside_the_box("auto", "-100px 0px", [100.0, 200.0, 100.0, 224.0])]
    fn an_image_is_where_its_styles_place_it(
        #[case] size: &str,
        #[case] position: &str,
        #[case] expected: [f32; 4],
    ) {
        assert_eq!(tile(ICON, size, position, "no-repeat"), Some(expected));
    }

    #[rstest]
    #[case::repeated(ICON, "auto", "0% 0%", "repeat-x")]
    #[case::as_large_as_the_box(ICON, "cover", "0% 0%", "no-repeat")]
    #[case::as_wide_as_the_box(ICON, "100%", "0% 0%", "no-repeat")]
    #[case::at_a_calculated_place(ICON, "auto", "right 10px top 5px", "no-repeat")]
    #[case::of_unknown_size("url(\"http://a.test/other.png\")", "auto", "0% 0%", "no-repeat")]
    #[case::one_of_two(
        "url(\"http://a.test/i.png\"), url(\"http://a.test/i.png\")",
        "auto",
        "0% 0%",
        "no-repeat"
    )]
    #[case::a_gradient("linear-gradient(red, blue)", "24px 24px", "0% 0%", "no-repeat")]
    fn others_may_be_anywhere(
        #[case] image: &str,
        #[case] size: &str,
        #[case] position: &str,
        #[case] repeat: &str,
    ) {
        assert_eq!(tile(image, size, position, repeat), None);
    }
}
