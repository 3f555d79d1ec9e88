//! The byte range that a request asks for (RFC 9110, section 14).

use std::ops::Range;

/// The single byte range of the header `Range` for a document of this length. `None` if the whole document is
/// sent: for several ranges, other units, malformed values and unsatisfiable ranges.
///
/// The closed list of problem codes has none for status 416. RFC 9110 allows a server to ignore any `Range`
/// (section 14.2), and such a client needs the whole document.
pub(super) fn range(header: &str, length: usize) -> Option<Range<usize>> {
    let (unit, set) = header.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    let range = match (first, last) {
        ("", suffix) => length.saturating_sub(number(suffix)?)..length,
        (first, "") => number(first)?..length,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            // A range that ends before it starts is malformed and therefore ignored.
            first..last.saturating_add(1).min(length)
        }
    };
    (range.start < range.end).then_some(range)
}

/// A number of only digits; a number that is too large becomes the largest.
fn number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::the_first("bytes=0-0", 0..1)]
    #[case::some("bytes=2-4", 2..5)]
    #[case::all("bytes=0-9", 0..10)]
    #[case::more_than_there_is("bytes=8-99", 8..10)]
    #[case::from("bytes=3-", 3..10)]
    #[case::the_last("bytes=9-", 9..10)]
    #[case::suffix("bytes=-3", 7..10)]
    #[case::long_suffix("bytes=-99", 0..10)]
    #[case::huge("bytes=0-99999999999999999999999999", 0..10)]
    #[case::huge_suffix("bytes=-99999999999999999999999999", 0..10)]
    #[case::zeros("bytes=002-004", 2..5)]
    #[case::unit_in_any_case("Bytes=2-4", 2..5)]
    #[case::spaces("bytes= 2-4 ", 2..5)]
    fn parts(#[case] header: &str, #[case] expected: Range<usize>) {
        assert_eq!(range(header, 10), Some(expected));
    }

    #[rstest]
    #[case::beyond("bytes=10-")]
    #[case::far_beyond("bytes=99999999999999999999999999-")]
    #[case::empty_suffix("bytes=-0")]
    #[case::backwards("bytes=4-2")]
    #[case::several("bytes=0-1,4-5")]
    #[case::several_and_spaces("bytes=0-1, 4-5")]
    #[case::several_open("bytes=-1,-2")]
    #[case::other_unit("pages=0-1")]
    #[case::no_unit("0-1")]
    #[case::no_numbers("bytes=-")]
    #[case::nothing("bytes=")]
    #[case::no_digits("bytes=a-b")]
    #[case::sign("bytes=+1-2")]
    #[case::negative("bytes=1--2")]
    #[case::fraction("bytes=0.5-2")]
    #[case::spaces_inside("bytes=0 - 2")]
    fn whole_documents(#[case] header: &str) {
        assert_eq!(range(header, 10), None);
    }

    #[rstest]
    #[case("bytes=0-0")]
    #[case("bytes=0-")]
    #[case("bytes=-1")]
    fn nothing_has_no_parts(#[case] header: &str) {
        assert_eq!(range(header, 0), None);
    }
}
