//! Which boxes are at a place, without a walk over the page.

use std::collections::HashMap;

use super::Rect;

/// The width and the height of a cell.
const CELL: f32 = 128.0;

/// Cells that a box is entered in. Larger boxes are compared with every place.
const MAX_CELLS: i32 = 64;

/// Boxes by the cells of a grid that they touch.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    cells: HashMap<(i32, i32), Vec<u32>>,
    large: Vec<u32>,
}

/// The first and the last column, and the first and the last row.
fn span(rect: Rect) -> ([i32; 2], [i32; 2]) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::as_conversions,
        reason = "saturates, and a box beyond some billions of pixels is nowhere"
    )]
    let cell = |length: f32| (length / CELL).floor() as i32;
    (
        [cell(rect.left), cell(rect.right)],
        [cell(rect.top), cell(rect.bottom)],
    )
}

impl Grid {
    pub(crate) fn add(&mut self, rect: Rect, place: u32) {
        let ([left, right], [top, bottom]) = span(rect);
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        if width
            .saturating_add(1)
            .saturating_mul(height.saturating_add(1))
            > MAX_CELLS
        {
            self.large.push(place);
            return;
        }
        for column in left..=right {
            for row in top..=bottom {
                self.cells.entry((column, row)).or_default().push(place);
            }
        }
    }

    /// The boxes that may be in the rectangle, each once, in document order.
    pub(crate) fn around(&self, rect: Rect) -> Vec<u32> {
        let ([left, right], [top, bottom]) = span(rect);
        let mut found = self.large.clone();
        let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
        if width
            .saturating_add(1)
            .saturating_mul(height.saturating_add(1))
            > MAX_CELLS
        {
            let all = self.cells.values().flatten();
            found.extend(all);
        } else {
            for column in left..=right {
                for row in top..=bottom {
                    found.extend(self.cells.get(&(column, row)).into_iter().flatten());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_found_where_they_are() {
        let mut grid = Grid::default();
        grid.add(Rect::new([10.0, 10.0, 50.0, 20.0]), 0);
        grid.add(Rect::new([120.0, 10.0, 50.0, 300.0]), 1);
        grid.add(Rect::new([0.0, 0.0, 1_300.0, 100_000.0]), 2);
        grid.add(Rect::new([-50.0, -50.0, 20.0, 20.0]), 3);
        let around = |rect| grid.around(Rect::new(rect));
        assert_eq!(around([0.0, 0.0, 20.0, 20.0]), [0, 1, 2]);
        assert_eq!(around([140.0, 200.0, 20.0, 20.0]), [1, 2]);
        assert_eq!(around([600.0, 5_000.0, 20.0, 20.0]), [2]);
        assert_eq!(around([-60.0, -60.0, 20.0, 20.0]), [2, 3]);
        assert_eq!(around([-500.0, -500.0, 9_000.0, 9_000.0]), [0, 1, 2, 3]);
    }

    #[test]
    fn a_box_of_any_size_is_entered_in_few_cells() {
        let mut grid = Grid::default();
        for number in 0..100 {
            grid.add(Rect::new([0.0, 0.0, f32::MAX, 1.0e12]), number);
        }
        assert!(grid.cells.is_empty());
        assert_eq!(grid.large.len(), 100);
    }
}
