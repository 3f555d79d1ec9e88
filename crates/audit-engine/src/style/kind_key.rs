//! Fast hashes that tell kinds of elements apart.

use std::hash::{BuildHasherDefault, Hasher};

/// A hash under construction. Two kinds of one site with the same hash do not occur by accident.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key(u64);

impl Key {
    pub(super) const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Adds a number.
    pub(super) fn number(self, number: u64) -> Self {
        const FACTOR: u128 = 0xa076_1d64_78bd_642f_e703_7ed1_a0b4_28db;
        let product = u128::from(self.0 ^ number).wrapping_mul(FACTOR);
        let bytes = product.to_le_bytes();
        let half = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
        let (low, high) = bytes.split_at(8);
        Self(half(low) ^ half(high).rotate_left(23))
    }

    /// Adds a text.
    pub(super) fn text(self, text: &str) -> Self {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let mut key = self;
        for word in words {
            key = key.number(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        key.number(u64::from_le_bytes(last)).number(length)
    }

    pub(super) const fn finish(self) -> u64 {
        self.0
    }
}

/// Hashes keys, which are themselves hashes, and small numbers of the engine. Not for texts: a site can choose texts
/// whose hashes collide.
#[derive(Debug, Default)]
pub(crate) struct KeyHasher(u64);

pub(crate) type BuildKeyHasher = BuildHasherDefault<KeyHasher>;

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        // Spreads the number over all bits, because tables use the highest and the lowest.
        self.0 = Key(self.0).number(number.into()).finish();
    }

    fn write_usize(&mut self, number: usize) {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        self.0 = Key(self.0).number(number).finish();
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn texts_and_their_order_make_a_difference() {
        let texts = ["", "a", "ab", "b", "abcdefgh", "abcdefghi", "abcdefgh\0"];
        let mut keys = HashSet::new();
        for one in texts {
            for other in texts {
                keys.insert(Key::new().text(one).text(other).finish());
            }
        }
        assert_eq!(keys.len(), texts.len() * texts.len());
        let again = Key::new().text("a").number(7).finish();
        assert_eq!(again, Key::new().text("a").number(7).finish());
        assert_ne!(again, Key::new().number(7).text("a").finish());
    }
}
