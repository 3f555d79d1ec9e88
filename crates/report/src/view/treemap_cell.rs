//! Rectangles of a treemap, as the values that a template sets.

use domain::text::{grouped, size};

use crate::limits;
use crate::text::shown;

/// Thousandths of the treemap's width that a character of a label takes, about.
const CHARACTER: f64 = 9.0;
/// The least height of a rectangle with a label.
const LINE: f64 = 24.0;
/// The distance of a label from the edges.
const MARGIN: f64 = 6.0;

/// A rectangle of the treemap; its corners are in thousandths of the width.
#[derive(Debug)]
pub struct WeightCell {
    /// The folder or the page.
    pub label: String,
    /// How many documents it has.
    pub pages: u64,
    /// What they weigh in bytes.
    pub bytes: u64,
    /// Its part of the whole, in thousandths.
    pub share: u64,
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// A rectangle of the treemap and a row of its table. The treemap is 1000 wide and 320 high.
pub struct TreemapCell {
    /// The folder or the page.
    pub label: String,
    /// The label inside the rectangle; empty if it has no room.
    pub name: String,
    /// How many documents it has.
    pub pages: String,
    /// What they weigh.
    pub bytes: String,
    /// Its part of the whole in percent.
    pub share: String,
    /// The left edge.
    pub x: String,
    /// The upper edge.
    pub y: String,
    /// The width.
    pub width: String,
    /// The height.
    pub height: String,
    /// Where the label begins.
    pub text_x: String,
    /// The line of the label.
    pub text_y: String,
}

impl TreemapCell {
    pub(crate) fn new(cell: &WeightCell) -> Self {
        let label = shown(&cell.label, limits::TITLE);
        Self {
            name: name(&label, cell),
            label,
            pages: grouped(cell.pages),
            bytes: size(cell.bytes),
            share: format!("{}.{} %", cell.share / 10, cell.share % 10),
            x: format!("{:.1}", cell.x),
            y: format!("{:.1}", cell.y),
            width: format!("{:.1}", cell.width),
            height: format!("{:.1}", cell.height),
            text_x: format!("{:.1}", cell.x + MARGIN),
            text_y: format!("{:.1}", cell.y + LINE - MARGIN),
        }
    }
}

/// The label inside a rectangle, cut to its width; empty if there is no room for some characters.
fn name(label: &str, cell: &WeightCell) -> String {
    let room = (cell.width - 2.0 * MARGIN) / CHARACTER;
    let fitting = (0..limits::TITLE)
        .take_while(|&most| fits(most, room))
        .count();
    if cell.height < LINE || fitting < 4 {
        return String::new();
    }
    shown(label, fitting)
}

fn fits(most: usize, room: f64) -> bool {
    u32::try_from(most + 1).is_ok_and(|most| f64::from(most) <= room)
}
