//! Whole numbers within a range.

use domain::text::grouped;

/// Parses a whole number from `LEAST` to `MOST`.
pub(super) fn number<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(number) if (LEAST..=MOST).contains(&number) => Ok(number),
        _ => Err(format!(
            "expected a whole number from {} to {}",
            grouped(LEAST.into()),
            grouped(MOST.into())
        )),
    }
}

/// [`number`] of at most 65,535.
pub(super) fn small<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u16, String> {
    number::<LEAST, MOST>(text)?
        .try_into()
        .map_err(|_| "expected a smaller number".to_owned())
}

/// [`number`] of at most 255.
pub(super) fn tiny<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u8, String> {
    number::<LEAST, MOST>(text)?
        .try_into()
        .map_err(|_| "expected a smaller number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_in_range_is_refused_in_words() {
        assert_eq!(number::<1, 100_000>("100000"), Ok(100_000));
        for text in ["0", "100001", "ten", "", "-1", "1.5"] {
            assert_eq!(
                number::<1, 100_000>(text).unwrap_err(),
                "expected a whole number from 1 to 100,000"
            );
        }
        assert_eq!(small::<1, 256>("256"), Ok(256));
        assert_eq!(tiny::<0, 100>("100"), Ok(100));
    }
}
