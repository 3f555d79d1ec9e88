//! Lengths that may be calculated (CSS Values and Units Level 4, section 10).

use super::length::Length;
use super::scan::split_outside;

/// What relative lengths refer to. `None` if it is unknown, so that such lengths are, too.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Basis {
    /// The font size that `em` refers to.
    pub(super) em: Option<f64>,
    /// The font size of the root element.
    pub(super) root_em: Option<f64>,
    /// What percentages refer to.
    pub(super) percent: Option<f64>,
    /// The width of the window.
    pub(super) window: f64,
}

/// A number, or a length in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Value {
    number: f64,
    is_length: bool,
}

/// Parentheses and functions inside each other that are evaluated.
const MAX_DEPTH: usize = 8;

/// The longest calculation that is evaluated, in bytes.
const LONGEST: usize = 256;

/// The length in pixels. A zero without a unit is a length.
pub(super) fn pixels(text: &str, basis: Basis) -> Option<f64> {
    if text.len() > LONGEST {
        return None;
    }
    let value = operand(text.trim(), basis, 0)?;
    let is_valid = value.is_length || value.number == 0.0;
    (is_valid && value.number.is_finite()).then_some(value.number)
}

/// A sum of products.
fn sum(text: &str, basis: Basis, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    // Signs of sums are between spaces.
    let mut total: Option<Value> = None;
    let mut sign = 1.0;
    let mut rest = text.trim();
    loop {
        let (part, next) = match outer_sign(rest) {
            Some((at, mark)) => (rest.get(..at)?, Some((rest.get(at + 3..)?, mark))),
            None => (rest, None),
        };
        let value = product(part.trim(), basis, depth)?;
        total = Some(match total {
            None => value,
            Some(known) if known.is_length == value.is_length => Value {
                number: known.number + sign * value.number,
                ..known
            },
            Some(_) => return None,
        });
        let Some((after, mark)) = next else {
            return total;
        };
        sign = if mark == b'-' { -1.0 } else { 1.0 };
        rest = after;
    }
}

/// The position of the first sign between spaces outside of parentheses.
fn outer_sign(text: &str) -> Option<(usize, u8)> {
    let mut depth = 0_usize;
    let bytes = text.as_bytes();
    for (at, window) in bytes.windows(3).enumerate() {
        match window {
            [b'(', ..] => depth += 1,
            [b')', ..] => depth = depth.saturating_sub(1),
            [b' ', mark @ (b'+' | b'-'), b' '] if depth == 0 => return Some((at, *mark)),
            _ => {}
        }
    }
    None
}

fn product(text: &str, basis: Basis, depth: usize) -> Option<Value> {
    let mut factors = split_outside(text, b'*');
    let mut total = quotient(factors.next()?, basis, depth)?;
    for factor in factors {
        let factor = quotient(factor, basis, depth)?;
        total = match (total.is_length, factor.is_length) {
            (true, true) => return None,
            (is_length, other) => Value {
                number: total.number * factor.number,
                is_length: is_length || other,
            },
        };
    }
    Some(total)
}

fn quotient(text: &str, basis: Basis, depth: usize) -> Option<Value> {
    let mut parts = split_outside(text, b'/');
    let mut total = operand(parts.next()?.trim(), basis, depth)?;
    for part in parts {
        let divisor = operand(part.trim(), basis, depth)?;
        if divisor.is_length || divisor.number == 0.0 {
            return None;
        }
        total.number /= divisor.number;
    }
    Some(total)
}

fn operand(text: &str, basis: Basis, depth: usize) -> Option<Value> {
    if let Some(inner) = text.strip_suffix(')') {
        let (name, inner) = inner.split_once('(')?;
        let mut values = Vec::new();
        for part in split_outside(inner, b',') {
            values.push(sum(part, basis, depth + 1)?);
        }
        return function(name.trim().to_ascii_lowercase().as_str(), &values);
    }
    let value = |number: f64| {
        Some(Value {
            number,
            is_length: true,
        })
    };
    match Length::parse(text) {
        Some(Length::Factor(number)) => Some(Value {
            number,
            is_length: false,
        }),
        // A zero is a number as well.
        Some(Length::Pixels(0.0)) if text.bytes().all(|byte| !byte.is_ascii_alphabetic()) => {
            Some(Value {
                number: 0.0,
                is_length: false,
            })
        }
        Some(Length::Pixels(pixels)) => value(pixels),
        Some(Length::Ems(times)) => value(times * basis.em?),
        Some(Length::RootEms(times)) => value(times * basis.root_em?),
        Some(Length::Fraction(share)) => value(share * basis.percent?),
        None => {
            let number = text
                .strip_suffix("vw")
                .or_else(|| text.strip_suffix("VW"))?;
            value(number.parse::<f64>().ok()? / 100.0 * basis.window)
        }
    }
}

fn function(name: &str, values: &[Value]) -> Option<Value> {
    let first = *values.first()?;
    if values
        .iter()
        .any(|value| value.is_length != first.is_length)
    {
        return None;
    }
    let with = |number| Some(Value { number, ..first });
    let numbers = values.iter().map(|value| value.number);
    match (name, values) {
        ("calc" | "", [_]) => Some(first),
        ("min", _) => with(numbers.fold(f64::INFINITY, f64::min)),
        ("max", _) => with(numbers.fold(f64::NEG_INFINITY, f64::max)),
        ("clamp", [least, value, most]) => with(value.number.min(most.number).max(least.number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(text: &str) -> Option<f64> {
        let basis = Basis {
            em: Some(20.0),
            root_em: Some(16.0),
            percent: Some(20.0),
            window: 1_350.0,
        };
        pixels(text, basis).map(|pixels| (pixels * 100.0).round() / 100.0)
    }

    #[test]
    fn lengths_are_calculated() {
        for (text, expected) in [
            ("12px", 12.0),
            ("1.5em", 30.0),
            (".875rem", 14.0),
            ("150%", 30.0),
            ("0", 0.0),
            ("2vw", 27.0),
            ("calc(1.375rem + 1.5vw)", 42.25),
            ("calc(-.5 * 1.5rem)", -12.0),
            ("calc(2rem * -1)", -32.0),
            ("calc(1rem * calc(1 - 0))", 16.0),
            ("calc((1rem + 4px) / 2)", 10.0),
            ("clamp(1rem, 5vw, 3rem)", 48.0),
            ("min(10px, 1em)", 10.0),
            ("max(10px, 1em, 3px)", 20.0),
        ] {
            assert_eq!(length(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_values_are_unknown() {
        for text in [
            "auto",
            "5vh",
            "calc(1px + 1)",
            "calc(1px * 1px)",
            "calc(1px / 0)",
            "calc(",
            "3",
            "",
            "min()",
        ] {
            assert_eq!(length(text), None, "{text}");
        }
        let deep = format!("{}1px{}", "calc(".repeat(20), ")".repeat(20));
        assert_eq!(length(&deep), None);
        let long = format!("calc(1px{})", " + 1px".repeat(100));
        assert_eq!(length(&long), None);
    }
}
