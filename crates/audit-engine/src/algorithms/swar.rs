//! SWAR (SIMD within a register): eight ASCII bytes at a time.

/// The value 1 in each of eight bytes.
const ONES: u64 = u64::from_le_bytes([1; 8]);

/// Marks the bytes from `first` to `last` with ones. No byte may be above 0x7F.
pub(crate) const fn within(bytes: u64, first: u64, last: u64) -> u64 {
    let reaches = bytes.wrapping_add(ONES * (0x80 - first));
    let passes = bytes.wrapping_add(ONES * (0x7F - last));
    (reaches & !passes) >> 7 & ONES
}

/// Lower-cases letters. Other bytes that are not digits may change, but do not become letters.
pub(crate) const fn lower(bytes: u64) -> u64 {
    bytes | (ONES * 0x20)
}

/// Marks letters and digits with ones.
pub(crate) const fn alphanumeric(bytes: u64) -> u64 {
    within(lower(bytes), 0x61, 0x7A) | within(bytes, 0x30, 0x39)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ascii_byte_is_classified_in_every_position() {
        for place in 0..8 {
            for byte in 0..128_u8 {
                let mut eight = [b' '; 8];
                eight[place] = byte;
                let found = alphanumeric(u64::from_le_bytes(eight)).to_le_bytes();
                let mut expected = [0; 8];
                expected[place] = u8::from(byte.is_ascii_alphanumeric());
                assert_eq!(found, expected, "{byte}");
                if byte.is_ascii_alphanumeric() {
                    let lower = lower(u64::from_le_bytes(eight)).to_le_bytes();
                    assert_eq!(lower[place], byte.to_ascii_lowercase());
                }
            }
        }
    }
}
