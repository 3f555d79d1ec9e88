//! Sketches of texts, by which it can be told how much two texts have in common.
//!
//! A sketch is a MinHash in one permutation (Li, Owen and Zhang, 2012): every run of three words falls
//! into one of 256 bins by its hash, and of each bin four bits of the smallest hash are kept.
//! The share of bins that agree estimates the share of runs that two texts have in common, of all
//! that either has. Where nine in ten are in common, two of three estimates are within two hundredths of it.

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

    /// Sketches a text in one pass. Case, punctuation and space make no difference.
    pub(crate) fn of(text: &str) -> Self {
        let mut making = Making::default();
        for c in text.chars() {
            if c.is_ascii() {
                if c.is_ascii_alphanumeric() {
                    making.letter(u32::from(c.to_ascii_lowercase()));
                } else {
                    making.end_word();
                }
            } else if is_word_by_itself(c) {
                making.end_word();
                making.letter(u32::from(c));
                making.end_word();
            } else if c.is_alphanumeric() {
                c.to_lowercase().for_each(|c| making.letter(u32::from(c)));
            } else {
                making.end_word();
            }
        }
        making.end_word();
        making.finish()
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

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

struct Making {
    word: u64,
    in_word: bool,
    last: [u64; RUN],
    words: usize,
    smallest: [u64; BINS],
}

impl Default for Making {
    fn default() -> Self {
        Self {
            word: SEED,
            in_word: false,
            last: [0; RUN],
            words: 0,
            smallest: [u64::MAX; BINS],
        }
    }
}

impl Making {
    fn letter(&mut self, c: u32) {
        self.in_word = true;
        self.word = (self.word ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3);
    }

    fn end_word(&mut self) {
        if !self.in_word {
            return;
        }
        self.in_word = false;
        let word = std::mem::replace(&mut self.word, SEED);
        self.last.rotate_left(1);
        if let Some(last) = self.last.last_mut() {
            *last = word;
        }
        self.words += 1;
        if self.words < RUN {
            return;
        }
        let run = self
            .last
            .iter()
            .fold(0, |run: u64, word| mixed(run.rotate_left(21) ^ word));
        let bin = usize::try_from(run >> 56).unwrap_or(0);
        if let Some(smallest) = self.smallest.get_mut(bin) {
            *smallest = (*smallest).min(run << 8);
        }
    }

    fn finish(self) -> Sketch {
        let mut sketch = Sketch::default();
        for (byte, pair) in sketch.0.iter_mut().zip(self.smallest.chunks(2)) {
            *byte = pair
                .iter()
                .fold(0, |byte, smallest| (byte << 4) | kept(*smallest));
        }
        sketch
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
}
