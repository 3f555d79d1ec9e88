//! Where lists of causes and occurrences go on.

use crate::cursor::{signed, unsigned};

/// Characters of a position.
const POSITION_LENGTH: usize = 8;

/// A place in the list of an issue's causes. A report never changes, so their order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CauseCursor {
    /// The place of the last cause among all causes of the report, from 0.
    pub position: u32,
}

impl CauseCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("c{:08x}", self.position))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let position = position(unsigned(text)?.strip_prefix('c')?)?;
        Some(Self { position })
    }
}

/// A place in the list of an issue's occurrences. A report never changes, so their order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OccurrenceCursor {
    /// The place of the last occurrence's cause among all causes of the report, from 0.
    pub cause: u32,
    /// The place of the last occurrence in its cause, from 0.
    pub ordinal: u32,
}

impl OccurrenceCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("o{:08x}{:08x}", self.cause, self.ordinal))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let digits = unsigned(text)?.strip_prefix('o')?;
        let (cause, ordinal) = digits.split_at_checked(POSITION_LENGTH)?;
        Some(Self {
            cause: position(cause)?,
            ordinal: position(ordinal)?,
        })
    }
}

fn position(digits: &str) -> Option<u32> {
    let position = u32::from_str_radix(digits, 16).ok()?;
    (digits.len() == POSITION_LENGTH).then_some(position)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::run::RunCursor;

    #[test]
    fn the_text_never_changes() {
        // The checksum is that of `python3 -c "import zlib; print(hex(zlib.crc32(b'…')))"`.
        let cursor = OccurrenceCursor {
            cause: 7,
            ordinal: 49,
        };
        assert_eq!(cursor.encode(), "o00000007000000310a78bbcb");
        assert_eq!(RunCursor::decode(&cursor.encode()), None);
    }

    proptest! {
        #[test]
        fn cursors_come_back(cause in any::<u32>(), ordinal in any::<u32>()) {
            let cursor = OccurrenceCursor { cause, ordinal };
            prop_assert_eq!(OccurrenceCursor::decode(&cursor.encode()), Some(cursor));
            let cursor = CauseCursor { position: cause };
            prop_assert_eq!(CauseCursor::decode(&cursor.encode()), Some(cursor));
        }

        #[test]
        fn other_texts_are_refused(text in any::<String>()) {
            prop_assert_eq!(OccurrenceCursor::decode(&text), None);
            prop_assert_eq!(CauseCursor::decode(&text), None);
        }
    }
}
