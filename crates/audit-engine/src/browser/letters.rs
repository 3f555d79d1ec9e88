//! Reads the colors of texts from two pictures of a window: one as it is, and one in which the texts are transparent.

use super::picture::Pixels;
use crate::gather::{ColorPair, TextColors};
use crate::style::{Color, contrast_of_pixels};

/// How much a channel has to differ in the two pictures where a letter is.
const LEAST_DIFFERENCE: f64 = 6.0;

/// The share of its color from which a pixel counts as one of a letter, and not of its edge.
const OF_LETTER: f64 = 0.5;

/// How far a color in a picture may be from what is expected: rounding, and what sharpens letters.
const MAX_ERROR: f64 = 14.0;

/// The share of its color that the middle of a letter has at least. With less something else is over the text, or its
/// letters are too thin.
const LEAST_PEAK: f64 = 0.75;

/// Pixels of a line that are not as expected, of ten.
const MAX_UNEXPECTED: usize = 1;

/// Pixels of letters that a line has at least. With fewer it is cut off.
const LEAST_PIXELS: usize = 12;

/// The share of the pixels of a line that may have another contrast: one of twenty.
const OTHERS: usize = 20;

/// A line of a text in a picture, in its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}

/// What pictures tell of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// It is not in them.
    Nothing,
    /// It is in them, but does not look as expected.
    Unclear,
    Colors {
        least: ColorPair,
        most: ColorPair,
    },
}

impl Seen {
    /// The colors of the text of this element, if they are known.
    pub(super) fn of(self, node: i64) -> Option<TextColors> {
        match self {
            Self::Colors { least, most } => Some(TextColors { node, least, most }),
            Self::Nothing | Self::Unclear => None,
        }
    }
}

/// Two pictures of a window.
#[derive(Debug)]
pub(super) struct Pictures {
    /// As visitors see it.
    pub(super) shown: Pixels,
    /// With transparent texts.
    pub(super) behind: Pixels,
}

impl Pictures {
    /// The colors of a text that is painted in this color over what is behind it. `reach` is how many pixels around a
    /// letter belong to what a reader compares it with.
    pub(super) fn read(&self, color: Color, lines: &[Line], reach: usize) -> Seen {
        let mut found: Option<(ColorPair, ColorPair)> = None;
        for line in lines {
            match self.read_line(color, *line, reach) {
                Seen::Nothing => {}
                Seen::Unclear => return Seen::Unclear,
                Seen::Colors { least, most } => {
                    let (of_all, of_worst) = found.get_or_insert((least, most));
                    if contrast(least) < contrast(*of_all) {
                        *of_all = least;
                    }
                    if contrast(most) < contrast(*of_worst) {
                        *of_worst = most;
                    }
                }
            }
        }
        found.map_or(Seen::Nothing, |(least, most)| Seen::Colors { least, most })
    }

    fn read_line(&self, color: Color, line: Line, reach: usize) -> Seen {
        let (mut letters, mut peaks, mut unexpected) = (Vec::new(), Vec::new(), 0);
        for row in line.top..line.bottom {
            for column in line.left..line.right {
                let (Some(shown), Some(behind)) =
                    (self.shown.at(column, row), self.behind.at(column, row))
                else {
                    continue;
                };
                let whole = color.over(Color::of_pixel(behind)).channels();
                match share(shown, behind, whole) {
                    Share::None => {}
                    Share::Unexpected => unexpected += 1,
                    Share::Of(share) if share < OF_LETTER => {}
                    Share::Of(share) => {
                        peaks.push(share);
                        let text = whole.map(rounded);
                        let own = ColorPair { text, behind };
                        let around = self.around((column, row), line, reach);
                        let best = around
                            .map(|behind| ColorPair { text, behind })
                            .chain([own])
                            .max_by(|one, other| contrast(*one).total_cmp(&contrast(*other)));
                        letters.push((own, best.unwrap_or(own)));
                    }
                }
            }
        }
        if unexpected * 10 > (letters.len() + unexpected) * MAX_UNEXPECTED
            && unexpected >= LEAST_PIXELS
        {
            return Seen::Unclear;
        }
        if letters.len() < LEAST_PIXELS {
            return Seen::Nothing;
        }
        peaks.sort_by(f64::total_cmp);
        let rest = letters.len() / OTHERS;
        if peaks
            .iter()
            .rev()
            .nth(rest)
            .is_none_or(|peak| *peak < LEAST_PEAK)
        {
            return Seen::Unclear;
        }
        let ordered = |pair: fn(&(ColorPair, ColorPair)) -> ColorPair| {
            let mut all: Vec<ColorPair> = letters.iter().map(pair).collect();
            // Those of equal contrast in an order of their own, so that the result is always the same.
            all.sort_by(|one, other| {
                let by_contrast = contrast(*one).total_cmp(&contrast(*other));
                by_contrast.then_with(|| (one.text, one.behind).cmp(&(other.text, other.behind)))
            });
            all
        };
        let least = ordered(|(own, _)| *own).into_iter().nth(rest);
        let most = ordered(|(_, best)| *best).into_iter().rev().nth(rest);
        match (least, most) {
            (Some(least), Some(most)) => Seen::Colors { least, most },
            _ => Seen::Nothing,
        }
    }

    /// What is behind the text left, right, above and below of a pixel.
    fn around(
        &self,
        (column, row): (usize, usize),
        line: Line,
        reach: usize,
    ) -> impl Iterator<Item = [u8; 3]> {
        let places = [
            (column.checked_sub(reach), Some(row)),
            (column.checked_add(reach), Some(row)),
            (Some(column), row.checked_sub(reach)),
            (Some(column), row.checked_add(reach)),
        ];
        places.into_iter().filter_map(move |(column, row)| {
            let (column, row) = (column?, row?);
            let is_in =
                (line.left..line.right).contains(&column) && (line.top..line.bottom).contains(&row);
            is_in.then(|| self.behind.at(column, row)).flatten()
        })
    }
}

/// How much of a pixel a letter covers.
enum Share {
    None,
    Of(f64),
    /// The pixel has a color that the letter does not make.
    Unexpected,
}

/// How far a pixel is on the way from what is behind a text to the color of the text.
fn share(shown: [u8; 3], behind: [u8; 3], whole: [f64; 3]) -> Share {
    let behind = behind.map(f64::from);
    let minus = |one: [f64; 3], other: [f64; 3]| {
        let ([a, b, c], [x, y, z]) = (one, other);
        [a - x, b - y, c - z]
    };
    let times = |one: [f64; 3], other: [f64; 3]| {
        let ([a, b, c], [x, y, z]) = (one, other);
        a * x + b * y + c * z
    };
    let is_small = |way: [f64; 3]| way.iter().all(|channel| channel.abs() < LEAST_DIFFERENCE);
    let (change, way) = (minus(shown.map(f64::from), behind), minus(whole, behind));
    if is_small(change) {
        return Share::None;
    }
    if is_small(way) {
        return Share::Unexpected;
    }
    let share = times(change, way) / times(way, way);
    let expected = way.map(|channel| channel * share.clamp(0.0, 1.0));
    let error = minus(change, expected);
    if error.iter().any(|channel| channel.abs() > MAX_ERROR) {
        return Share::Unexpected;
    }
    Share::Of(share.clamp(0.0, 1.0))
}

fn contrast(pair: ColorPair) -> f64 {
    contrast_of_pixels(pair.text, pair.behind)
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a channel is from 0 to 255"
)]
fn rounded(channel: f64) -> u8 {
    channel.clamp(0.0, 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 60;
    const LINE: Line = Line {
        left: 0,
        top: 0,
        right: WIDTH,
        bottom: 10,
    };
    const WHITE: [u8; 3] = [255; 3];

    /// Whether a letter is at this place: strokes of three pixels, and two rows without any.
    fn is_letter(column: usize, row: usize) -> bool {
        column % 6 < 3 && (1..9).contains(&row)
    }

    /// Two pictures of a line, from what is behind it and from how its letters are painted over that.
    fn pictures(
        behind: impl Fn(usize) -> [u8; 3],
        painted: impl Fn([u8; 3]) -> [u8; 3],
    ) -> Pictures {
        let places = || (0..10).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
        let without = places().map(|(column, _)| behind(column)).collect();
        let with = places().map(|(column, row)| match is_letter(column, row) {
            true => painted(behind(column)),
            false => behind(column),
        });
        Pictures {
            shown: Pixels::new(WIDTH, with.collect()),
            behind: Pixels::new(WIDTH, without),
        }
    }

    fn gray(level: u8) -> Color {
        Color::of_pixel([level; 3])
    }

    fn pair(text: u8, behind: u8) -> ColorPair {
        ColorPair {
            text: [text; 3],
            behind: [behind; 3],
        }
    }

    #[test]
    fn one_color_behind_a_text_is_read_as_it_is() {
        let seen = pictures(|_| WHITE, |_| [119; 3]).read(gray(119), &[LINE], 2);
        let (least, most) = (pair(119, 255), pair(119, 255));
        assert_eq!(seen, Seen::Colors { least, most });
    }

    #[test]
    fn a_transparent_text_has_the_color_that_it_gets() {
        let color = Color::BLACK.faded(0.4);
        let seen = pictures(|_| WHITE, |_| [153; 3]).read(color, &[LINE], 2);
        let (least, most) = (pair(153, 255), pair(153, 255));
        assert_eq!(seen, Seen::Colors { least, most });
    }

    #[test]
    fn what_a_few_pixels_have_behind_them_does_not_count() {
        // One stroke of ten.
        let at = |column: usize| if column == 1 { [0; 3] } else { WHITE };
        let seen = pictures(at, |_| [119; 3]).read(gray(119), &[LINE], 0);
        let (least, most) = (pair(119, 255), pair(119, 255));
        assert_eq!(seen, Seen::Colors { least, most });
    }

    #[test]
    fn a_text_that_is_partly_on_another_color_has_both() {
        let at = |column: usize| if column < 30 { [60; 3] } else { WHITE };
        let seen = pictures(at, |_| [0; 3]).read(Color::BLACK, &[LINE], 0);
        let (least, most) = (pair(0, 60), pair(0, 255));
        assert_eq!(seen, Seen::Colors { least, most });
    }

    #[test]
    fn what_is_next_to_a_letter_counts_where_it_is_better() {
        // The shadow of a letter is exactly behind it.
        let at = |column: usize| if column % 6 < 3 { [200; 3] } else { [0; 3] };
        let pictures = pictures(at, |_| WHITE);
        let Seen::Colors { least, most } = pictures.read(Color::WHITE, &[LINE], 3) else {
            panic!("it is seen");
        };
        assert_eq!((least, most), (pair(255, 200), pair(255, 0)));
    }

    #[test]
    fn the_worst_line_counts() {
        let lines = [Line { right: 30, ..LINE }, Line { left: 30, ..LINE }];
        let at = |column: usize| if column < 30 { [60; 3] } else { WHITE };
        let seen = pictures(at, |_| [0; 3]).read(Color::BLACK, &lines, 0);
        let (least, most) = (pair(0, 60), pair(0, 60));
        assert_eq!(seen, Seen::Colors { least, most });
    }

    #[test]
    fn a_text_that_does_not_look_as_expected_is_unclear() {
        // Another color.
        let red = pictures(|_| WHITE, |_| [255, 0, 0]);
        assert_eq!(red.read(gray(100), &[LINE], 2), Seen::Unclear);
        // Something is over it.
        let veiled = pictures(|_| WHITE, |_| [170; 3]);
        assert_eq!(veiled.read(gray(119), &[LINE], 2), Seen::Unclear);
        // More contrast than the color has.
        let dark = pictures(|_| WHITE, |_| [20; 3]);
        assert_eq!(dark.read(gray(119), &[LINE], 2), Seen::Unclear);
    }

    #[test]
    fn a_text_that_changes_nothing_is_not_seen() {
        let hidden = pictures(|_| WHITE, |behind| behind);
        assert_eq!(hidden.read(Color::BLACK, &[LINE], 2), Seen::Nothing);
        assert_eq!(hidden.read(Color::BLACK, &[], 2), Seen::Nothing);
        // A line that is not in the picture.
        let outside = Line {
            top: 20,
            bottom: 30,
            ..LINE
        };
        let painted = pictures(|_| WHITE, |_| [0; 3]);
        assert_eq!(painted.read(Color::BLACK, &[outside], 2), Seen::Nothing);
    }
}
