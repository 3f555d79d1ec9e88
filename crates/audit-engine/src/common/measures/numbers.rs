//! Human-readable counts.

/// The number with commas between thousands.
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    domain::text::grouped(number.try_into().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated_whatever_the_type() {
        assert_eq!(grouped(7_297_usize), "7,297");
        assert_eq!(grouped(13_383_u32), "13,383");
        assert_eq!(grouped(2_097_152_u64), "2,097,152");
    }
}
