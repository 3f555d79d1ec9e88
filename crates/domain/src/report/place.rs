//! Where a list of occurrences goes on.

use crate::cursor::{signed, unsigned};

/// Characters of an ordinal.
const ORDINAL_LENGTH: usize = 8;

/// A place in the list of an issue's occurrences. A report never changes, so their order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OccurrenceCursor {
    /// The place of the last occurrence in its issue, from 0.
    pub ordinal: u32,
}

impl OccurrenceCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("o{:08x}", self.ordinal))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let digits = unsigned(text)?.strip_prefix('o')?;
        let ordinal = u32::from_str_radix(digits, 16).ok()?;
        (digits.len() == ORDINAL_LENGTH).then_some(Self { ordinal })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::run::RunCursor;

    #[test]
    fn the_text_never_changes() {
        // The checksum is that of `python3 -c "import zlib; print(hex(zlib.crc32(b'…')))"`.
        let cursor = OccurrenceCursor { ordinal: 49 };
        assert_eq!(cursor.encode(), "o000000319cd36be4");
        assert_eq!(RunCursor::decode(&cursor.encode()), None);
    }

    proptest! {
        #[test]
        fn cursors_come_back(ordinal in any::<u32>()) {
            let cursor = OccurrenceCursor { ordinal };
            prop_assert_eq!(OccurrenceCursor::decode(&cursor.encode()), Some(cursor));
        }

        #[test]
        fn other_texts_are_refused(text in any::<String>()) {
            prop_assert_eq!(OccurrenceCursor::decode(&text), None);
        }
    }
}
