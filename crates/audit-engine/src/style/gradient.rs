//! The colors of gradients (CSS Images Level 3).

use super::color::Color;
use super::scan::{find_outside, split_outside};

/// Colors that are computed between two stops of a gradient.
const STEPS: u8 = 16;

/// Stops of a gradient that are read. A gradient with more is unknown.
const MAX_STOPS: usize = 16;

/// The colors of a gradient: its stops, and colors between them. `None` if it is not a gradient, or not certain.
pub(super) fn gradient(text: &str) -> Option<Vec<Color>> {
    let text = text.to_ascii_lowercase();
    let (name, inner) = text.strip_suffix(')')?.split_once('(')?;
    let name = name.strip_prefix("repeating-").unwrap_or(name);
    if !matches!(
        name,
        "linear-gradient" | "radial-gradient" | "conic-gradient"
    ) {
        return None;
    }
    let mut stops = Vec::new();
    let mut is_oklab = false;
    for (number, part) in split_outside(inner, b',').enumerate() {
        let part = part.trim();
        let at = find_outside(part, b" \t\n\r").unwrap_or(part.len());
        let (first, _) = part.split_at_checked(at)?;
        match Color::parse(first) {
            Some(color) => stops.push(color),
            // A direction, a shape or a color space.
            None if number == 0 => match space(part) {
                None | Some("srgb") => {}
                Some("oklab") => is_oklab = true,
                // Other color spaces mix colors differently.
                Some(_) => return None,
            },
            None => return None,
        }
        if stops.len() > MAX_STOPS {
            return None;
        }
    }
    let (first, rest) = stops.split_first()?;
    let mut colors = vec![*first];
    let mut from = *first;
    for stop in rest {
        colors.extend((1..=STEPS).map(|step| {
            let share = f64::from(step) / f64::from(STEPS);
            match is_oklab {
                true => from.between_in_oklab(*stop, share),
                false => from.between(*stop, share),
            }
        }));
        from = *stop;
    }
    Some(colors)
}

/// The color space in which a gradient is interpolated, if it names one.
fn space(first: &str) -> Option<&str> {
    let mut words = first.split_ascii_whitespace();
    words.find(|word| *word == "in")?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_are_read_with_their_stops() {
        for (text, ends) in [
            (
                "linear-gradient(to right, #FFF, #00F)",
                ["#ffffff", "#0000ff"],
            ),
            (
                "radial-gradient(circle at 5px, red 10%, rgb(0, 0, 0) 90%)",
                ["#ff0000", "#000000"],
            ),
            (
                "repeating-linear-gradient(45deg, red, white)",
                ["#ff0000", "#ffffff"],
            ),
        ] {
            let colors = gradient(text).unwrap();
            assert_eq!(colors.len(), 17, "{text}");
            assert_eq!([colors[0], colors[16]].map(|color| color.to_string()), ends);
        }
        let middle = |text| gradient(text).unwrap()[8].to_string();
        assert_eq!(
            middle("linear-gradient(90deg in oklab, red, blue)"),
            "#8c53a2"
        );
        assert_eq!(
            middle("linear-gradient(90deg in srgb, red, blue)"),
            "#800080"
        );
        for text in [
            "linear-gradient(in oklch, red, blue)",
            "linear-gradient(red, 20%, blue)",
            "linear-gradient(red, var(--x))",
            "image-set(red, blue)",
            "url(x)",
        ] {
            assert_eq!(gradient(text), None, "{text}");
        }
        let many = |stops: usize| format!("linear-gradient({}red)", "red,".repeat(stops - 1));
        assert!(gradient(&many(MAX_STOPS)).is_some());
        assert!(gradient(&many(MAX_STOPS + 1)).is_none());
    }
}
