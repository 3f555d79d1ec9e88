//! How far styles rotate an element.

use super::cascade::{Declared, Styles};
use super::media::Orientation;
use super::scan::{find_outside, split_outside};
use super::sheet::Property;
use crate::dom::ElementRef;

/// The properties that rotate an element.
const ROTATING: [Property; 2] = [Property::Transform, Property::Rotate];

impl Styles {
    /// Whether a rule that depends on the orientation of the screen may rotate any element.
    pub(crate) fn have_rotation_by_orientation(&self) -> bool {
        ROTATING
            .into_iter()
            .any(|property| self.depends_on_orientation(property))
    }

    /// Whether a declaration may rotate the element in this screen orientation.
    pub(crate) fn may_rotate(&self, element: ElementRef<'_>, orientation: Orientation) -> bool {
        ROTATING.into_iter().any(|property| {
            self.declared_in_orientation(element, property, Some(orientation)) != Declared::Nothing
        })
    }

    /// The element's rotation in degrees in this screen orientation; `None` if it is not certain.
    pub(crate) fn rotation(
        &self,
        element: ElementRef<'_>,
        orientation: Orientation,
    ) -> Option<f64> {
        let of = |property, read: fn(&str) -> Option<f64>| {
            match self.declared_in_orientation(element, property, Some(orientation)) {
                Declared::Nothing => Some(0.0),
                // Browsers ignore values that they cannot parse.
                Declared::Value(value) => Some(read(&value).unwrap_or(0.0)),
                Declared::Unknown => None,
            }
        };
        let transform = of(Property::Transform, parse_transform)?;
        Some(transform + of(Property::Rotate, parse_rotate)?)
    }
}

/// The degrees by which a value of `rotate` turns an element around the axis perpendicular to the screen. `None`
/// if that is not certain.
fn parse_rotate(value: &str) -> Option<f64> {
    let value = value.trim().to_ascii_lowercase();
    if value == "none" {
        return Some(0.0);
    }
    match value.split_whitespace().collect::<Vec<_>>().as_slice() {
        [angle] | ["z", angle] | ["0", "0", "1", angle] => degrees(angle),
        _ => None,
    }
}

/// The degrees by which a value of `transform` turns an element. `None` if that is not certain, or if browsers
/// ignore the value.
fn parse_transform(value: &str) -> Option<f64> {
    let value = value.trim().to_ascii_lowercase();
    if value == "none" {
        return Some(0.0);
    }
    let mut rest = value.as_str();
    let mut turned = 0.0;
    while !rest.is_empty() {
        let (name, inner) = rest.split_once('(')?;
        let end = find_outside(inner, b")")?;
        let (arguments, after) = inner.split_at_checked(end)?;
        turned += parse_function(name.trim(), arguments)?;
        rest = after.strip_prefix(')')?.trim_start();
    }
    Some(turned)
}

fn parse_function(name: &str, arguments: &str) -> Option<f64> {
    let arguments: Vec<&str> = split_outside(arguments, b',').map(str::trim).collect();
    match (name, arguments.as_slice()) {
        ("rotate" | "rotatez", [angle]) => degrees(angle),
        ("rotate3d", [x, y, z, angle]) => {
            let flat = number(x)? == 0.0 && number(y)? == 0.0 && number(z)? > 0.0;
            if flat { degrees(angle) } else { None }
        }
        ("matrix", [a, b, _, _, _, _]) => Some(number(b)?.atan2(number(a)?).to_degrees()),
        ("matrix3d", cells) => {
            let cells: Vec<f64> = cells
                .iter()
                .map(|cell| number(cell))
                .collect::<Option<_>>()?;
            let [a, b, c, d, _, _, e, f, g, h, i, j, ..] = cells.as_slice() else {
                return None;
            };
            let depth = [c, d, e, f, g, h, j];
            let flat = depth.into_iter().all(|cell| *cell == 0.0) && *i == 1.0;
            flat.then(|| b.atan2(*a).to_degrees())
        }
        (
            "translate" | "translatex" | "translatey" | "translatez" | "translate3d" | "scale"
            | "scalex" | "scaley" | "perspective",
            _,
        ) => Some(0.0),
        _ => None,
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

fn degrees(angle: &str) -> Option<f64> {
    let end = angle.find(|c: char| c.is_ascii_alphabetic() && c != 'e');
    let (value, unit) = angle.split_at_checked(end.unwrap_or(angle.len()))?;
    let value = number(value)?;
    match unit {
        "deg" => Some(value),
        "grad" => Some(value * 0.9),
        "rad" => Some(value.to_degrees()),
        "turn" => Some(value * 360.0),
        "" if value == 0.0 => Some(0.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_parsed_in_every_unit() {
        for (value, expected) in [
            ("rotate(90deg)", 90.0),
            ("rotateZ(0.25turn) scale(2)", 90.0),
            ("translateX(calc(1px + 2px)) rotate(-100grad)", -90.0),
            ("rotate3d(0, 0, 1, 90deg)", 90.0),
            ("matrix(0, 1, -1, 0, 0, 0)", 90.0),
            (
                "matrix3d(0, 1, 0.00, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
                90.0,
            ),
            ("rotate(0)", 0.0),
            ("none", 0.0),
        ] {
            let found = parse_transform(value);
            assert!(
                found.is_some_and(|found| (found - expected).abs() < 1e-6),
                "{value}: {found:?}"
            );
        }
        assert_eq!(parse_rotate("z 90deg"), Some(90.0));
    }

    #[test]
    fn rotations_outside_the_screen_plane_are_unknown() {
        for value in [
            "rotateX(90deg)",
            "rotate(90)",
            "rotateZ(0,0,1,90deg)",
            "inherit",
            "x",
            "rotate(",
            "",
        ] {
            assert!(
                parse_transform(value).is_none_or(|turned| turned == 0.0),
                "{value}"
            );
        }
        assert_eq!(parse_rotate("x 90deg"), None);
    }
}
