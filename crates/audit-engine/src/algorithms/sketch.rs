//! Sketches of texts, for estimating how similar two texts are.
//!
//! A sketch is a MinHash with one permutation (Li, Owen and Zhang, 2012): every run of three words is assigned to
//! one of 256 bins by its hash, and for each bin four bits of the smallest hash are kept. The share of equal bins
//! estimates the Jaccard similarity of the two sets of runs. At a similarity of 90 %, two of three estimates are
//! within two hundredths of it.

use crate::algorithms::swar::{alphanumeric, lower, within};

/// The number of bins.
const BINS: usize = 256;
const BYTES: usize = BINS / 2;
/// The number of words in a run.
const RUN: usize = 3;

/// The number of bands for lookup; each has the bytes of eight bins.
const BANDS: usize = 8;
const BAND_BYTES: usize = 4;

/// The sketch of a text: 128 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sketch([u8; BYTES]);

impl Default for Sketch {
    fn default() -> Self {
        Self([0; BYTES])
    }
}

impl Sketch {
    /// The minimum number of words; shorter texts resemble each other by chance and are not sketched.
    pub(crate) const FEWEST_WORDS: u32 = 100;

    /// Sketches a text. Case, punctuation and white space are ignored.
    #[cfg(test)]
    pub(crate) fn from_text(text: &str) -> Self {
        of_words(text, true).1
    }

    /// The estimated Jaccard similarity of two texts' runs of words, in hundredths; `None` if the texts are too
    /// short for an estimate.
    pub(crate) fn resemblance(&self, other: &Self) -> Option<u32> {
        let (mut compared, mut equal) = (0_u32, 0_u32);
        for (a, b) in self.bins().zip(other.bins()) {
            if a != 0 || b != 0 {
                compared += 1;
                equal += u32::from(a == b);
            }
        }
        // A bin has fifteen possible values, so one in fifteen matches by chance.
        let chance = compared / 15;
        let (agreeing, possible) = (equal.saturating_sub(chance), compared - chance);
        (compared >= FEWEST_BINS).then_some(agreeing * 100 / possible.max(1))
    }

    /// The bands of the sketch. Very similar texts share at least one; bands without any run are left out, because
    /// all short texts share them.
    pub(crate) fn bands(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.0
            .chunks(BAND_BYTES)
            .take(BANDS)
            .enumerate()
            .filter(|(_, band)| band.iter().any(|pair| *pair != 0))
    }

    /// The bins; 0 for an empty bin.
    fn bins(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|byte| [byte >> 4, byte & 15])
    }
}

/// With fewer bins in use, the estimate would be random.
const FEWEST_BINS: u32 = 40;

/// Scripts without spaces between words: each character counts as a word.
fn is_word_by_itself(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
        && c.is_alphanumeric()
}

/// Computes a hash of the letters and digits of a text, 0 if it has none, and the sketch if requested, in one
/// pass. Case, punctuation and white space are ignored; for the hash, word boundaries are ignored as well.
pub(crate) fn of_words(text: &str, with_sketch: bool) -> (u64, Sketch) {
    let mut builder = Builder {
        with_sketch,
        ..Builder::default()
    };
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let mut start = 0;
    for end in ends {
        let line = text.get(start..end).unwrap_or_default();
        start = end + 1;
        if line.is_ascii() {
            builder.ascii(line.as_bytes());
        } else {
            line.chars().for_each(|c| builder.character(c));
        }
        builder.end_word();
    }
    builder.finish()
}

/// Computes a hash of the signs of a text, in order: all characters except letters, digits, white space and
/// control characters.
pub(crate) fn of_signs(text: &str) -> u64 {
    let is_sign = |c: &char| {
        if c.is_ascii() {
            c.is_ascii_punctuation()
        } else {
            !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control()
        }
    };
    let mut hash = SEED;
    let mut rest = text;
    while !rest.is_empty() {
        // Most text is ASCII, and of most of it eight bytes are without a sign.
        let (ascii, behind) = rest.split_at(ascii_length(rest));
        for part in ascii.as_bytes().chunks(8) {
            if has_ascii_sign(part) {
                let signs = part.iter().filter(|byte| byte.is_ascii_punctuation());
                hash = signs.fold(hash, |hash, sign| add_sign(hash, char::from(*sign)));
            }
        }
        let end = behind.find(|c: char| c.is_ascii()).unwrap_or(behind.len());
        let (beyond, next) = behind.split_at(end);
        hash = beyond.chars().filter(is_sign).fold(hash, add_sign);
        rest = next;
    }
    hash
}

/// Adds a character to a hash by the FNV-1a algorithm.
fn add_sign(hash: u64, sign: char) -> u64 {
    (hash ^ u64::from(u32::from(sign))).wrapping_mul(0x0100_0000_01b3)
}

/// The number of ASCII bytes at the start of the text.
fn ascii_length(text: &str) -> usize {
    const PART: usize = 64;
    let parts = text.as_bytes().chunks(PART);
    let whole = parts.take_while(|part| part.is_ascii()).count() * PART;
    let rest = text.as_bytes().get(whole..).unwrap_or_default();
    let more = rest.iter().take_while(|byte| byte.is_ascii()).count();
    (whole + more).min(text.len())
}

/// Whether some of at most eight ASCII bytes is punctuation.
fn has_ascii_sign(part: &[u8]) -> bool {
    let mut eight = [b' '; 8];
    for (byte, own) in eight.iter_mut().zip(part) {
        *byte = *own;
    }
    let bytes = u64::from_le_bytes(eight);
    let others = alphanumeric(bytes) | within(bytes, 0, 0x20);
    others != u64::from_le_bytes([1; 8])
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

struct Builder {
    with_sketch: bool,
    /// The hash of the current word, without the pending bytes.
    word: u64,
    is_in_word: bool,
    /// The pending bytes of the current word, first byte lowest, and their number: less than eight.
    pending: u64,
    count: u32,
    last: [u64; RUN],
    words: usize,
    text: Stream,
    smallest: [u64; BINS],
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            with_sketch: false,
            word: SEED,
            is_in_word: false,
            pending: 0,
            count: 0,
            last: [0; RUN],
            words: 0,
            text: Stream::default(),
            smallest: [u64::MAX; BINS],
        }
    }
}

impl Builder {
    /// Reads ASCII at a word boundary.
    fn ascii(&mut self, text: &[u8]) {
        let mut rest = text;
        while !rest.is_empty() {
            let eight = rest.first_chunk().copied().unwrap_or_else(|| {
                let mut eight = [b' '; 8];
                for (byte, own) in eight.iter_mut().zip(rest) {
                    *byte = *own;
                }
                eight
            });
            let bytes = u64::from_le_bytes(eight);
            let letters = alphanumeric(bytes) * 0xFF;
            // In bits; each letter has eight.
            let length = letters.trailing_ones();
            let passed = match length {
                0 => {
                    self.end_word();
                    letters.trailing_zeros()
                }
                64 => {
                    self.part(lower(bytes), 64);
                    64
                }
                _ => {
                    self.part(lower(bytes) & ((1 << length) - 1), length);
                    self.end_word();
                    length + 8
                }
            };
            let passed = usize::try_from(passed / 8).unwrap_or(8);
            rest = rest.get(passed..).unwrap_or_default();
        }
    }

    fn character(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.letter(c.to_ascii_lowercase());
        } else if is_word_by_itself(c) {
            self.end_word();
            self.letter(c);
            self.end_word();
        } else if !c.is_ascii() && c.is_alphanumeric() {
            c.to_lowercase().for_each(|c| self.letter(c));
        } else {
            self.end_word();
        }
    }

    fn letter(&mut self, c: char) {
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            self.pending |= u64::from(byte) << (8 * self.count);
            self.count += 1;
            if self.count == 8 {
                self.count = 0;
                let part = std::mem::take(&mut self.pending);
                self.part(part, 64);
            }
        }
        self.is_in_word = true;
    }

    /// Adds up to eight bytes of the word, first byte lowest, and their number of bits; only the last part has
    /// fewer than 64.
    fn part(&mut self, bytes: u64, bits: u32) {
        self.is_in_word = true;
        self.text.add(bytes, bits);
        let word = (self.word ^ bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.word = word ^ (word >> 32);
    }

    fn end_word(&mut self) {
        if !self.is_in_word {
            return;
        }
        if self.count > 0 {
            let bits = 8 * std::mem::take(&mut self.count);
            let part = std::mem::take(&mut self.pending);
            self.part(part, bits);
        }
        self.is_in_word = false;
        let word = mix_bits(std::mem::replace(&mut self.word, SEED));
        self.words += 1;
        if !self.with_sketch {
            return;
        }
        let [_, first, second] = self.last;
        self.last = [first, second, word];
        if self.words < RUN {
            return;
        }
        let run = mix_bits(first.rotate_left(42) ^ second.rotate_left(21) ^ word);
        let bin = usize::try_from(run >> 56).unwrap_or(0);
        if let Some(smallest) = self.smallest.get_mut(bin) {
            *smallest = (*smallest).min(run << 8);
        }
    }

    fn finish(self) -> (u64, Sketch) {
        let mut sketch = Sketch::default();
        for (byte, pair) in sketch.0.iter_mut().zip(self.smallest.chunks(2)) {
            *byte = pair
                .iter()
                .fold(0, |byte, smallest| (byte << 4) | bin_bits(*smallest));
        }
        (self.text.finish(), sketch)
    }
}

/// A streaming hash that mixes in eight bytes at a time.
struct Stream {
    hash: u64,
    /// The pending bytes, first byte lowest, and their number of bits: less than 64.
    pending: u64,
    bits: u32,
    all: u64,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            hash: SEED,
            pending: 0,
            bits: 0,
            all: 0,
        }
    }
}

impl Stream {
    fn add(&mut self, bytes: u64, bits: u32) {
        self.all += u64::from(bits);
        self.pending |= bytes << self.bits;
        let room = 64 - self.bits;
        if bits < room {
            self.bits += bits;
            return;
        }
        self.mix(self.pending);
        self.pending = bytes.checked_shr(room).unwrap_or(0);
        self.bits = bits - room;
    }

    fn mix(&mut self, more: u64) {
        self.hash = (self.hash ^ more)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23);
    }

    /// 0 if nothing was added.
    fn finish(mut self) -> u64 {
        if self.all == 0 {
            return 0;
        }
        self.mix(self.pending);
        self.mix(self.all);
        self.hash.max(1)
    }
}

/// Four bits for a bin: 0 if it is empty, otherwise 1 to 15. The smallest hash is not uniformly distributed, so it
/// is mixed again.
fn bin_bits(smallest: u64) -> u8 {
    if smallest == u64::MAX {
        0
    } else {
        u8::try_from(mix_bits(smallest) % 15).unwrap_or(0) + 1
    }
}

/// Mixes a number so that every output bit depends on every input bit (SplitMix64).
const fn mix_bits(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn signs_are_hashed_in_order(text in "([a-c ]{0,12}[.!\u{7f}\n]{0,2}[é—。]{0,2}){0,12}") {
            let signs = text.chars().filter(|c| matches!(c, '.' | '!' | '—' | '。'));
            prop_assert_eq!(of_signs(&text), signs.fold(SEED, add_sign));
        }
    }

    /// Text number `number` with `words` words, the first `other` of which come from another text.
    fn text(number: u64, words: u64, other: u64) -> String {
        (0..words)
            .map(|n| {
                let salt = if n < other { number + 500_000 } else { number };
                format!("w{} ", mix_bits(salt * 1_000_003 + n) % 1_000_000)
            })
            .collect()
    }

    fn resemblance(a: &str, b: &str) -> Option<u32> {
        Sketch::from_text(a).resemblance(&Sketch::from_text(b))
    }

    #[test]
    fn the_same_words_give_the_same_sketch() {
        let plain = text(1, 200, 0);
        let dressed = plain.to_uppercase().replace(' ', " – ");
        assert_eq!(Sketch::from_text(&plain), Sketch::from_text(&dressed));
        assert_eq!(resemblance(&plain, &dressed), Some(100));
    }

    #[test]
    fn the_estimate_is_near_the_true_similarity() {
        // Of 400 words, n are different: the texts share (400 - n) of (400 + n) runs.
        for (other, truth) in [(10, 95), (32, 85), (70, 70), (133, 50)] {
            let estimates: Vec<u32> = (1..40)
                .map(|number| {
                    resemblance(&text(number, 400, 0), &text(number, 400, other)).unwrap()
                })
                .collect();
            let mean = estimates.iter().sum::<u32>() / 39;
            assert!(mean.abs_diff(truth) <= 2, "{mean} and not {truth}");
            let far = estimates.iter().filter(|found| found.abs_diff(truth) > 10);
            assert_eq!(far.count(), 0, "{estimates:?}");
        }
    }

    #[test]
    fn different_texts_have_low_similarity() {
        for number in 1..200 {
            let found = resemblance(&text(number, 300, 0), &text(number + 1_000, 300, 0));
            assert!(found.unwrap() < 30, "{found:?}");
        }
    }

    #[test]
    fn characters_are_words_in_scripts_without_spaces() {
        let long: String = (0..300_u32)
            .filter_map(|n| char::from_u32(0x4E00 + (n * 37) % 9_000))
            .collect();
        let changed: String = long
            .chars()
            .enumerate()
            .map(|(n, c)| if n == 20 { '新' } else { c })
            .collect();
        assert!(resemblance(&long, &changed).unwrap() > 85);
    }

    #[test]
    fn short_texts_are_not_compared() {
        assert_eq!(
            resemblance("one two three four", "one two three four"),
            None
        );
        assert_eq!(resemblance("", ""), None);
    }

    #[test]
    fn similar_texts_share_a_band() {
        let missed = (1..200)
            .filter(|number| {
                let (a, b) = (text(*number, 400, 0), text(*number, 400, 12));
                let (a, b) = (Sketch::from_text(&a), Sketch::from_text(&b));
                !a.bands().any(|band| b.bands().any(|other| other == band))
            })
            .count();
        assert!(missed <= 1, "{missed}");
    }

    #[test]
    fn similar_short_texts_share_a_band() {
        let missed = (1..200)
            .filter(|number| {
                let (a, b) = (text(*number, 110, 0), text(*number, 110, 2));
                let (a, b) = (Sketch::from_text(&a), Sketch::from_text(&b));
                !a.bands().any(|band| b.bands().any(|other| other == band))
            })
            .count();
        assert!(missed <= 1, "{missed}");
    }

    proptest::proptest! {
        #[test]
        fn reading_eight_bytes_at_a_time_equals_reading_characters(
            text in "([a-zA-Z0-9]{0,20}[ .,\u{10}\u{19}@\\[`{\n-]{1,3}){0,9}[a-z0-9]{0,17}",
        ) {
            let mut builder = Builder { with_sketch: true, ..Builder::default() };
            text.chars().for_each(|c| builder.character(c));
            builder.end_word();
            proptest::prop_assert_eq!(of_words(&text, true), builder.finish());
            // A line with a non-ASCII character is read character by character.
            let marked = text.replace([' ', '.'], "\u{ad}§ ");
            proptest::prop_assert_eq!(of_words(&text, true), of_words(&marked, true));
        }

        #[test]
        fn the_hash_covers_only_letters_and_digits(
            words in proptest::collection::vec("[a-zA-Z0-9é中]{1,19}", 1..9),
            other in "[a-z0-9]{1,3}",
        ) {
            let hash = |text: &str| of_words(text, false).0;
            let text = words.join(" ");
            proptest::prop_assert_eq!(hash(&text), hash(&words.join("-\n")));
            proptest::prop_assert_eq!(hash(&text), hash(&words.concat()));
            proptest::prop_assert_ne!(hash(&text), hash(&format!("{text} {other}")));
        }
    }

    #[test]
    fn a_text_without_words_has_no_hash() {
        assert_eq!(of_words(" – \n.", true), (0, Sketch::default()));
        assert_ne!(of_words("a", false).0, 0);
        assert_eq!(of_words("A, b\nÄ", false), of_words("a (b) ä", false));
    }
}
