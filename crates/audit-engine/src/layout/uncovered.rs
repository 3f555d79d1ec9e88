//! The parts of a rectangle that others leave free.

use super::Rect;

/// Parts that are kept. A rectangle that is cut into more is covered in too many places to be judged.
const MAX_PARTS: usize = 100;

/// The largest rectangles in `whole` that the others leave free; they may overlap each other. `None` if there are too
/// many.
pub(crate) fn uncovered(whole: Rect, covers: impl Iterator<Item = Rect>) -> Option<Vec<Rect>> {
    let mut parts = vec![whole];
    for cover in covers {
        let mut next = Vec::with_capacity(parts.len());
        for part in parts {
            if part.and(cover).is_empty() {
                next.push(part);
            } else {
                next.extend(
                    around(part, cover)
                        .into_iter()
                        .filter(|free| !free.is_empty()),
                );
            }
        }
        if next.len() > MAX_PARTS {
            return None;
        }
        parts = next;
    }
    Some(parts)
}

/// What is left of a rectangle above, below, left and right of another.
fn around(whole: Rect, cover: Rect) -> [Rect; 4] {
    let clamp = |rect: Rect| Rect {
        right: rect.right.max(rect.left),
        bottom: rect.bottom.max(rect.top),
        ..rect
    };
    [
        Rect {
            bottom: cover.top.min(whole.bottom),
            ..whole
        },
        Rect {
            top: cover.bottom.max(whole.top),
            ..whole
        },
        Rect {
            right: cover.left.min(whole.right),
            ..whole
        },
        Rect {
            left: cover.right.max(whole.left),
            ..whole
        },
    ]
    .map(clamp)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(all: [f32; 4]) -> Rect {
        Rect::new(all)
    }

    #[test]
    fn what_is_covered_is_left_out() {
        let whole = rect([0.0, 0.0, 100.0, 50.0]);
        let free = |covers: &[Rect]| uncovered(whole, covers.iter().copied()).unwrap();
        assert_eq!(free(&[]), [whole]);
        assert_eq!(free(&[rect([200.0, 0.0, 10.0, 10.0])]), [whole]);
        assert_eq!(free(&[rect([-5.0, -5.0, 200.0, 200.0])]), []);
        assert_eq!(
            free(&[rect([70.0, 0.0, 30.0, 50.0])]),
            [rect([0.0, 0.0, 70.0, 50.0])]
        );
        assert_eq!(
            free(&[rect([40.0, 20.0, 20.0, 10.0])]),
            [
                rect([0.0, 0.0, 100.0, 20.0]),
                rect([0.0, 30.0, 100.0, 20.0]),
                rect([0.0, 0.0, 40.0, 50.0]),
                rect([60.0, 0.0, 40.0, 50.0]),
            ]
        );
    }

    #[test]
    fn a_rectangle_that_is_covered_in_very_many_places_is_not_cut() {
        let whole = rect([0.0, 0.0, 1_000.0, 1_000.0]);
        let cover = |number: u16| {
            let place = f32::from(number) * 40.0;
            rect([place, place, 20.0, 20.0])
        };
        assert!(uncovered(whole, (0..3).map(cover)).is_some());
        assert!(uncovered(whole, (0..25).map(cover)).is_none());
    }
}
