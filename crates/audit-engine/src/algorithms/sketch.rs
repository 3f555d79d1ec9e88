//! Sketches of texts, by which it can be told how much two texts have in common.
//!
//! A sketch is a MinHash in one permutation (Li, Owen and Zhang, 2012): every run of three words falls
//! into one of 256 bins by its hash, and of each bin four bits of the smallest hash are kept.
//! The share of bins that agree estimates the share of runs that two texts have in common, of all
//! that either has. Where nine in ten are in common, two of three estimates are within two hundredths of it.

use crate::algorithms::swar::{alphanumeric, lower};

/// How many bins there are.
const BINS: usize = 256;
const BYTES: usize = BINS / 2;
/// Words in a run.
const RUN: usize = 3;

/// Parts that are looked up, and the bytes of each: eight bins.
const BANDS: usize = 8;
const BAND_BYTES: usize = 4;

/// What is kept of a text: 128 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sketch([u8; BYTES]);

impl Default for Sketch {
    fn default() -> Self {
        Self([0; BYTES])
    }
}

impl Sketch {
    /// Texts of fewer words resemble one another by chance, and are not sketched.
    pub(crate) const FEWEST_WORDS: u32 = 100;

    /// Sketches a text. Case, punctuation and space make no difference.
    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        of_words(text, true).1
    }

    /// The share, in hundredths, of runs of words that two texts have in common of all that either
    /// has, as far as the sketches tell; none where the texts are too short to tell.
    pub(crate) fn resemblance(&self, other: &Self) -> Option<u32> {
        let (mut compared, mut equal) = (0_u32, 0_u32);
        for (a, b) in self.bins().zip(other.bins()) {
            if a != 0 || b != 0 {
                compared += 1;
                equal += u32::from(a == b);
            }
        }
        // Fifteen values are told apart, so that one in fifteen agrees by chance.
        let chance = compared / 15;
        let (agreeing, possible) = (equal.saturating_sub(chance), compared - chance);
        (compared >= FEWEST_BINS).then_some(agreeing * 100 / possible.max(1))
    }

    /// Some parts of the sketch. Texts that resemble one another closely have one in common; parts
    /// into which no run fell are left out, since all short texts have those.
    pub(crate) fn bands(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.0
            .chunks(BAND_BYTES)
            .take(BANDS)
            .enumerate()
            .filter(|(_, band)| band.iter().any(|pair| *pair != 0))
    }

    /// The bins; 0 where no run fell into one.
    fn bins(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|byte| [byte >> 4, byte & 15])
    }
}

/// With fewer bins in use chance decides.
const FEWEST_BINS: u32 = 40;

/// Scripts without spaces between words: each character counts as one.
fn is_word_by_itself(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF)
        && c.is_alphanumeric()
}

/// A hash of the letters and digits of a text, 0 where it has none, and the sketch where that is wanted, in one pass.
/// Case, punctuation and space make no difference; for the hash not even whether there is any.
pub(crate) fn of_words(text: &str, with_sketch: bool) -> (u64, Sketch) {
    let mut making = Making {
        with_sketch,
        ..Making::default()
    };
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let mut start = 0;
    for end in ends {
        let line = text.get(start..end).unwrap_or_default();
        start = end + 1;
        if line.is_ascii() {
            making.ascii(line.as_bytes());
        } else {
            line.chars().for_each(|c| making.character(c));
        }
        making.end_word();
    }
    making.finish()
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

struct Making {
    with_sketch: bool,
    /// Of the word that is being read, without what waits.
    word: u64,
    in_word: bool,
    /// The last bytes of that word, the first of them lowest, and how many they are: less than eight.
    waiting: u64,
    count: u32,
    last: [u64; RUN],
    words: usize,
    text: Stream,
    smallest: [u64; BINS],
}

impl Default for Making {
    fn default() -> Self {
        Self {
            with_sketch: false,
            word: SEED,
            in_word: false,
            waiting: 0,
            count: 0,
            last: [0; RUN],
            words: 0,
            text: Stream::default(),
            smallest: [u64::MAX; BINS],
        }
    }
}

impl Making {
    /// Reads ASCII. No word may have begun before it.
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
            // Bits, of which each letter has eight.
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
            self.waiting |= u64::from(byte) << (8 * self.count);
            self.count += 1;
            if self.count == 8 {
                self.count = 0;
                let part = std::mem::take(&mut self.waiting);
                self.part(part, 64);
            }
        }
        self.in_word = true;
    }

    /// Up to eight bytes of the word, the first of them lowest, and how many bits they have; only the last part has
    /// fewer than 64.
    fn part(&mut self, bytes: u64, bits: u32) {
        self.in_word = true;
        self.text.add(bytes, bits);
        let word = (self.word ^ bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.word = word ^ (word >> 32);
    }

    fn end_word(&mut self) {
        if !self.in_word {
            return;
        }
        if self.count > 0 {
            let bits = 8 * std::mem::take(&mut self.count);
            let part = std::mem::take(&mut self.waiting);
            self.part(part, bits);
        }
        self.in_word = false;
        let word = mixed(std::mem::replace(&mut self.word, SEED));
        self.words += 1;
        if !self.with_sketch {
            return;
        }
        let [_, first, second] = self.last;
        self.last = [first, second, word];
        if self.words < RUN {
            return;
        }
        let run = mixed(first.rotate_left(42) ^ second.rotate_left(21) ^ word);
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
                .fold(0, |byte, smallest| (byte << 4) | kept(*smallest));
        }
        (self.text.finish(), sketch)
    }
}

/// A hash of bytes that come a few at a time, eight of which are mixed in at once.
struct Stream {
    hash: u64,
    /// The last bytes, the first of them lowest, and how many bits they have: less than 64.
    waiting: u64,
    bits: u32,
    all: u64,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            hash: SEED,
            waiting: 0,
            bits: 0,
            all: 0,
        }
    }
}

impl Stream {
    fn add(&mut self, bytes: u64, bits: u32) {
        self.all += u64::from(bits);
        self.waiting |= bytes << self.bits;
        let room = 64 - self.bits;
        if bits < room {
            self.bits += bits;
            return;
        }
        self.mix(self.waiting);
        self.waiting = bytes.checked_shr(room).unwrap_or(0);
        self.bits = bits - room;
    }

    fn mix(&mut self, more: u64) {
        self.hash = (self.hash ^ more)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23);
    }

    /// 0 where nothing was added.
    fn finish(mut self) -> u64 {
        if self.all == 0 {
            return 0;
        }
        self.mix(self.waiting);
        self.mix(self.all);
        self.hash.max(1)
    }
}

/// Four bits of a bin: 0 where it is empty, 1 to 15 else. The smallest hash is small, so that it is
/// mixed once more.
fn kept(smallest: u64) -> u8 {
    if smallest == u64::MAX {
        0
    } else {
        u8::try_from(mixed(smallest) % 15).unwrap_or(0) + 1
    }
}

/// Every bit of the number depends on every one before (SplitMix64).
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of that number with so many words, of which the first `other` are those of another text.
    fn text(number: u64, words: u64, other: u64) -> String {
        (0..words)
            .map(|n| {
                let salt = if n < other { number + 500_000 } else { number };
                format!("w{} ", mixed(salt * 1_000_003 + n) % 1_000_000)
            })
            .collect()
    }

    fn resemblance(a: &str, b: &str) -> Option<u32> {
        Sketch::of(a).resemblance(&Sketch::of(b))
    }

    #[test]
    fn the_same_words_give_the_same_sketch() {
        let plain = text(1, 200, 0);
        let dressed = plain.to_uppercase().replace(' ', " – ");
        assert_eq!(Sketch::of(&plain), Sketch::of(&dressed));
        assert_eq!(resemblance(&plain, &dressed), Some(100));
    }

    #[test]
    fn the_estimate_is_near_the_truth() {
        // Of 400 words, so many are others: the texts share (400 - n) of (400 + n) runs.
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
    fn other_texts_have_little_in_common() {
        for number in 1..200 {
            let found = resemblance(&text(number, 300, 0), &text(number + 1_000, 300, 0));
            assert!(found.unwrap() < 30, "{found:?}");
        }
    }

    #[test]
    fn characters_are_words_where_no_spaces_are() {
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
    fn close_texts_share_a_band() {
        let missed = (1..200)
            .filter(|number| {
                let (a, b) = (text(*number, 400, 0), text(*number, 400, 12));
                let (a, b) = (Sketch::of(&a), Sketch::of(&b));
                !a.bands().any(|band| b.bands().any(|other| other == band))
            })
            .count();
        assert!(missed <= 1, "{missed}");
    }

    #[test]
    fn short_texts_are_found_by_their_bands_as_well() {
        let missed = (1..200)
            .filter(|number| {
                let (a, b) = (text(*number, 110, 0), text(*number, 110, 2));
                let (a, b) = (Sketch::of(&a), Sketch::of(&b));
                !a.bands().any(|band| b.bands().any(|other| other == band))
            })
            .count();
        assert!(missed <= 1, "{missed}");
    }

    proptest::proptest! {
        #[test]
        fn words_read_eight_bytes_at_a_time_are_those_read_by_the_letter(
            text in "([a-zA-Z0-9]{0,20}[ .,\u{10}\u{19}@\\[`{\n-]{1,3}){0,9}[a-z0-9]{0,17}",
        ) {
            let mut making = Making { with_sketch: true, ..Making::default() };
            text.chars().for_each(|c| making.character(c));
            making.end_word();
            proptest::prop_assert_eq!(of_words(&text, true), making.finish());
            // A line with a sign beyond ASCII is read by the letter.
            let marked = text.replace([' ', '.'], "\u{ad}§ ");
            proptest::prop_assert_eq!(of_words(&text, true), of_words(&marked, true));
        }

        #[test]
        fn the_hash_is_of_letters_and_digits_alone(
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
