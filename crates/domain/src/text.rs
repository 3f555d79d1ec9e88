//! Words and numbers in sentences.

/// A number with its noun: `1 page`, `1,204 pages`.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", grouped(number))
}

/// A number with commas between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// About how long something still takes: `less than a minute left`, `about 3 minutes left`.
#[must_use]
pub fn time_left(seconds: u64) -> String {
    match seconds {
        ..60 => "less than a minute left".to_owned(),
        _ => {
            let minutes = seconds.saturating_add(30) / 60;
            format!("about {} left", count(minutes, "minute", "minutes"))
        }
    }
}

/// A number of bytes with its unit, rounded down: `999 B`, `1.5 MB`, `38 kB`. A thousand bytes are a kilobyte.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes / 100;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    match tenths {
        small @ 0..100 => format!("{}.{} {name}", small / 10, small % 10),
        _ => format!("{} {name}", grouped(tenths / 10)),
    }
}

/// The number as a word up to twelve, else in digits.
#[must_use]
pub fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(number)
        .map_or_else(|| number.to_string(), |&word| word.to_owned())
}

/// The text on one line, with a full stop where it has no mark at its end.
#[must_use]
pub fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.ends_with(['.', '!', '?', '…', ':']) {
        text
    } else {
        format!("{text}.")
    }
}

/// The first sentence of a text, on one line.
///
/// A sentence ends where white space and a capital letter follow its full stop, so that "e.g. this"
/// does not end one.
#[must_use]
pub fn first_sentence(text: &str) -> String {
    let mut first = String::new();
    for word in text.split_whitespace() {
        let starts_anew = word.starts_with(char::is_uppercase);
        if starts_anew && first.ends_with(['.', '!', '?']) {
            break;
        }
        if !first.is_empty() {
            first.push(' ');
        }
        first.push_str(word);
    }
    sentence(&first)
}

/// The text with a capital first letter.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// The parts as one enumeration: `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn enumeration(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Points of a score with one decimal: `1 point`, `3.2 points`, `under 0.1 points`.
#[must_use]
pub fn points(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.as_str() {
        "0.0" => "under 0.1 points".to_owned(),
        "1.0" => "1 point".to_owned(),
        _ => format!("{} points", text.strip_suffix(".0").unwrap_or(&text)),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "0 pages")]
    #[case(1, "1 page")]
    #[case(999, "999 pages")]
    #[case(1204, "1,204 pages")]
    #[case(1_000_000, "1,000,000 pages")]
    fn numbers_carry_their_noun(#[case] number: u64, #[case] expected: &str) {
        assert_eq!(count(number, "page", "pages"), expected);
    }

    #[rstest]
    #[case("Add `alt`, e.g. a name. Then look again.", "Add `alt`, e.g. a name.")]
    #[case("Add it", "Add it.")]
    #[case("", "")]
    #[case("Serve HTTP/1.1 or later.\nOther text.", "Serve HTTP/1.1 or later.")]
    fn a_sentence_ends_before_a_capital(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(first_sentence(text), expected);
    }

    #[rstest]
    #[case(0.04, "under 0.1 points")]
    #[case(1.0, "1 point")]
    #[case(2.0, "2 points")]
    #[case(3.25, "3.2 points")]
    fn points_are_short(#[case] value: f64, #[case] expected: &str) {
        assert_eq!(points(value), expected);
    }

    #[rstest]
    #[case(0, "0 B")]
    #[case(999, "999 B")]
    #[case(1_000, "1.0 kB")]
    #[case(38_400, "38 kB")]
    #[case(999_999, "999 kB")]
    #[case(2_500_000, "2.5 MB")]
    #[case(7_000_000_000_000, "7.0 TB")]
    #[case(u64::MAX, "18,446 PB")]
    fn sizes_have_the_largest_unit_that_fits(#[case] bytes: u64, #[case] expected: &str) {
        assert_eq!(size(bytes), expected);
    }

    #[rstest]
    #[case(59, "less than a minute left")]
    #[case(60, "about 1 minute left")]
    #[case(90, "about 2 minutes left")]
    #[case(u64::MAX, "about 307,445,734,561,825,860 minutes left")]
    fn times_are_in_minutes(#[case] seconds: u64, #[case] expected: &str) {
        assert_eq!(time_left(seconds), expected);
    }

    #[test]
    fn enumerations_end_with_and() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(enumeration(&parts), "a, b and c");
        assert_eq!(enumeration(&parts[..2]), "a and b");
    }
}
