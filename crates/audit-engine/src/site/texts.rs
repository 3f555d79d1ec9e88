//! Interned texts.

use std::hash::{BuildHasher as _, RandomState};

use hashbrown::HashTable;

use crate::bounds::MAX_HREF_BYTES;

/// The size of a block in bytes. No text spans two blocks.
const BLOCK: usize = 1 << 20;

/// Interned texts, concatenated in blocks that never move. A large site has many more written forms of links
/// than URLs, and a single growing text would temporarily take twice its size.
#[derive(Debug, Default)]
pub(super) struct Texts {
    blocks: Vec<String>,
    /// The begin of each text, counted through all blocks as if they were full.
    begins: Vec<u32>,
    by_text: HashTable<u32>,
}

impl Texts {
    /// The text with this id; empty for an unknown id.
    pub(super) fn get(&self, place: u32) -> &str {
        let at = |place: usize| {
            let begin = usize::try_from(*self.begins.get(place)?).ok()?;
            Some((begin / BLOCK, begin % BLOCK))
        };
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let Some((block, begin)) = at(place) else {
            return "";
        };
        let Some(text) = self.blocks.get(block) else {
            return "";
        };
        let next = place.checked_add(1).and_then(at);
        let end = match next {
            Some((next_block, end)) if next_block == block => end,
            _ => text.len(),
        };
        text.get(begin..end).unwrap_or_default()
    }

    /// The id of a text. The empty text's id if the text is larger than a block or [`MAX_HREF_BYTES`] is
    /// exceeded.
    pub(super) fn intern(&mut self, text: &str, hasher: &RandomState) -> u32 {
        let hash = hasher.hash_one(text);
        if let Some(place) = self.by_text.find(hash, |place| self.get(*place) == text) {
            return *place;
        }
        self.add(text, hash, hasher).unwrap_or(u32::MAX)
    }

    fn add(&mut self, text: &str, hash: u64, hasher: &RandomState) -> Option<u32> {
        let has_room = |block: &String| block.len() + text.len() <= BLOCK;
        if text.len() > BLOCK || self.blocks.len() > MAX_HREF_BYTES / BLOCK {
            return None;
        }
        // A completely full block would end where the next one begins.
        if !self
            .blocks
            .last()
            .is_some_and(|block| has_room(block) && block.len() < BLOCK)
        {
            self.blocks.push(String::new());
        }
        let last = self.blocks.len().checked_sub(1)?;
        let block = self.blocks.last_mut()?;
        let place = u32::try_from(self.begins.len()).ok()?;
        let begin = u32::try_from(last * BLOCK + block.len()).ok()?;
        if block.capacity() < block.len() + text.len() {
            // The first blocks of small sites are small.
            let room = (block.capacity() * 2).clamp(text.len(), BLOCK - block.len());
            block.reserve_exact(room.max(text.len()));
        }
        block.push_str(text);
        self.begins.push(begin);
        let mut by_text = std::mem::take(&mut self.by_text);
        by_text.insert_unique(hash, place, |place| hasher.hash_one(self.get(*place)));
        self.by_text = by_text;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_kept_once_across_blocks() {
        let (mut texts, hasher) = (Texts::default(), RandomState::new());
        let text = |number: usize| format!("{number}{}", "x".repeat(number * 37 % 9_000));
        let places: Vec<u32> = (0..1_000)
            .map(|n| texts.intern(&text(n), &hasher))
            .collect();
        assert!(texts.blocks.len() > 3, "{}", texts.blocks.len());
        for (number, place) in places.iter().enumerate() {
            assert_eq!(texts.get(*place), text(number));
            assert_eq!(texts.intern(&text(number), &hasher), *place);
        }
    }

    #[test]
    fn texts_beyond_the_limit_are_not_kept() {
        let (mut texts, hasher) = (Texts::default(), RandomState::new());
        let text = |number: usize| format!("{number}{}", "x".repeat(BLOCK / 2));
        let places: Vec<u32> = (0..3 * MAX_HREF_BYTES / BLOCK)
            .map(|number| texts.intern(&text(number), &hasher))
            .collect();
        let bytes: usize = texts.blocks.iter().map(String::capacity).sum();
        assert!(bytes <= MAX_HREF_BYTES + BLOCK, "{bytes}");
        assert_eq!(texts.get(places[0]), text(0));
        assert_eq!(places.last(), Some(&u32::MAX));
        assert_eq!(texts.get(u32::MAX), "");
    }

    #[test]
    fn full_blocks_and_empty_texts_are_supported() {
        let (mut texts, hasher) = (Texts::default(), RandomState::new());
        let full = "a".repeat(BLOCK);
        for text in ["", &full, "b", &"c".repeat(BLOCK - 1)] {
            let place = texts.intern(text, &hasher);
            assert_eq!(texts.get(place), text);
        }
        for (place, text) in ["", &full, "b"].into_iter().enumerate() {
            assert_eq!(texts.get(u32::try_from(place).unwrap()), text);
        }
        let too_long = texts.intern(&"d".repeat(BLOCK + 1), &hasher);
        assert_eq!(texts.get(too_long), "");
    }
}
