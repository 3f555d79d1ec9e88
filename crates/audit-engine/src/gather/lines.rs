//! Splits texts into lines.

/// The lines of a text, ended by CR, LF or CRLF, numbered from 1.
pub(super) fn numbered(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes
        .split(|byte| *byte == b'\n')
        .flat_map(|line| {
            // The CR of a CRLF does not end a separate line.
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            line.split(|byte| *byte == b'\r')
        })
        .zip(1..)
        .map(|(line, number)| (number, line))
}

/// The text without its last line, unless that line is complete.
pub(super) fn complete(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |last| last.saturating_add(1));
    bytes.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(b"a\nb", &["a", "b"])]
    #[case(b"a\rb", &["a", "b"])]
    #[case(b"a\r\nb", &["a", "b"])]
    #[case(b"a\n\nb", &["a", "", "b"])]
    #[case(b"a\r\rb", &["a", "", "b"])]
    #[case(b"a\r\n\r\nb", &["a", "", "b"])]
    #[case(b"a\r\r\nb", &["a", "", "b"])]
    #[case(b"a\n\rb", &["a", "", "b"])]
    #[case(b"", &[""])]
    fn every_line_ending_ends_one_line(#[case] bytes: &[u8], #[case] expected: &[&str]) {
        let lines: Vec<_> = numbered(bytes).collect();
        let expected: Vec<_> = (1..)
            .zip(expected.iter().map(|line| line.as_bytes()))
            .collect();
        assert_eq!(lines, expected);
    }

    #[rstest]
    #[case(b"a\nb", b"a\n")]
    #[case(b"a\nb\n", b"a\nb\n")]
    #[case(b"a\rb", b"a\r")]
    #[case(b"ab", b"")]
    #[case(b"", b"")]
    fn an_incomplete_line_is_dropped(#[case] bytes: &[u8], #[case] expected: &[u8]) {
        assert_eq!(complete(bytes), expected);
    }
}
