//! How long an audit took.

/// How long an audit took: `0.8 s`, `45 s`, `2 min 5 s`, `1 h 3 min`.
#[must_use]
pub fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    match (hours, minutes, seconds % 60) {
        (0, 0, 0..=9) => format!("{seconds}.{} s", milliseconds / 100 % 10),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units_at_most() {
        for (milliseconds, text) in [
            (0, "0.0 s"),
            (8_260, "8.2 s"),
            (59_999, "59 s"),
            (125_000, "2 min 5 s"),
            (3_780_000, "1 h 3 min"),
        ] {
            assert_eq!(duration(milliseconds), text);
        }
    }
}
