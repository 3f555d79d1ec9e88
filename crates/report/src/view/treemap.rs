//! A treemap: rectangles whose areas are numbers, as close to squares as they come.

/// The width and the height of the whole, in which rectangles are laid out.
pub(super) const CANVAS: (f64, f64) = (1_000.0, 320.0);

/// A rectangle of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Rectangle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A rectangle for each number, in their order; their areas are as the numbers, which must be sorted, largest first.
///
/// Rows of rectangles are laid along the shorter side of what is left. A row takes the next number as long as that
/// makes the worst rectangle in it no longer than it was.
pub(super) fn layout(numbers: &[u64]) -> Vec<Rectangle> {
    let sum: f64 = numbers.iter().copied().map(float).sum();
    if sum <= 0.0 {
        return vec![Rectangle::default(); numbers.len()];
    }
    let scale = CANVAS.0 * CANVAS.1 / sum;
    let areas: Vec<_> = numbers
        .iter()
        .map(|&number| float(number) * scale)
        .collect();
    let mut left = Rectangle {
        width: CANVAS.0,
        height: CANVAS.1,
        ..Rectangle::default()
    };
    let mut rectangles = Vec::with_capacity(areas.len());
    let mut rest = areas.as_slice();
    while !rest.is_empty() {
        let (row, behind) = rest.split_at(row_length(rest, left.width.min(left.height)));
        left = lay(row, left, &mut rectangles);
        rest = behind;
    }
    rectangles
}

/// The number rounded to what an `f64` can hold.
fn float(number: u64) -> f64 {
    let half = |bits: u64| f64::from(u32::try_from(bits).unwrap_or(u32::MAX));
    half(number >> 32) * 4_294_967_296.0 + half(number & u64::from(u32::MAX))
}

/// How many of the areas stand in the next row.
fn row_length(areas: &[f64], side: f64) -> usize {
    let mut before = f64::INFINITY;
    for length in 1..=areas.len() {
        let worst = worst_ratio(areas.get(..length).unwrap_or(areas), side);
        if worst > before {
            return length - 1;
        }
        before = worst;
    }
    areas.len()
}

/// The ratio of the longer to the shorter side of the longest rectangle of a row.
fn worst_ratio(row: &[f64], side: f64) -> f64 {
    let depth = row.iter().sum::<f64>() / side.max(f64::MIN_POSITIVE);
    let ratios = row.iter().map(|area| {
        let length = area / depth.max(f64::MIN_POSITIVE);
        let (long, short) = (length.max(depth), length.min(depth));
        long / short.max(f64::MIN_POSITIVE)
    });
    ratios.fold(0.0, f64::max)
}

/// Lays a row along the shorter side, and returns what is left beside it.
fn lay(row: &[f64], left: Rectangle, into: &mut Vec<Rectangle>) -> Rectangle {
    let sum: f64 = row.iter().sum();
    let is_upright = left.width >= left.height;
    let side = if is_upright { left.height } else { left.width };
    let depth = if side > 0.0 { sum / side } else { 0.0 };
    let mut offset = 0.0;
    for area in row {
        let length = if depth > 0.0 { area / depth } else { 0.0 };
        into.push(if is_upright {
            Rectangle {
                x: left.x,
                y: left.y + offset,
                width: depth,
                height: length,
            }
        } else {
            Rectangle {
                x: left.x + offset,
                y: left.y,
                width: length,
                height: depth,
            }
        });
        offset += length;
    }
    if is_upright {
        Rectangle {
            x: left.x + depth,
            width: (left.width - depth).max(0.0),
            ..left
        }
    } else {
        Rectangle {
            y: left.y + depth,
            height: (left.height - depth).max(0.0),
            ..left
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn areas_are_as_the_numbers_and_inside_of_the_whole(
            mut numbers in prop::collection::vec(0_u64..1_000_000_000, 1..30)
        ) {
            numbers.sort_unstable_by(|one, other| other.cmp(one));
            let sum: u64 = numbers.iter().sum();
            let rectangles = layout(&numbers);
            prop_assert_eq!(rectangles.len(), numbers.len());
            for (rectangle, number) in rectangles.iter().zip(&numbers) {
                let area = rectangle.width * rectangle.height;
                let expected = float(*number) / float(sum.max(1)) * CANVAS.0 * CANVAS.1;
                prop_assert!((area - expected).abs() < 1.0, "{area} {expected}");
                prop_assert!(rectangle.x >= -0.01 && rectangle.y >= -0.01);
                prop_assert!(rectangle.x + rectangle.width <= CANVAS.0 + 0.01);
                prop_assert!(rectangle.y + rectangle.height <= CANVAS.1 + 0.01);
            }
        }
    }

    #[test]
    fn nothing_has_no_area() {
        assert_eq!(layout(&[]), []);
        assert_eq!(layout(&[0, 0]), [Rectangle::default(); 2]);
    }

    #[test]
    fn equal_numbers_are_near_squares() {
        for rectangle in layout(&[1; 8]) {
            let ratio = rectangle.width / rectangle.height;
            assert!((0.4..2.5).contains(&ratio), "{ratio}");
        }
    }
}
