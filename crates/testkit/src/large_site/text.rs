//! Paragraphs of plain words, generated once for all pages.

use super::layout::mixed;
use crate::packed::Piece;

const WORDS: [&str; 96] = [
    "harbour", "ferry", "museum", "garden", "season", "ticket", "visitor", "island", "morning",
    "evening", "window", "letter", "market", "bridge", "station", "winter", "summer", "people",
    "travel", "city", "river", "mountain", "road", "house", "room", "table", "coffee", "bread",
    "music", "concert", "painting", "history", "school", "student", "teacher", "lesson", "book",
    "library", "reader", "author", "story", "chapter", "page", "picture", "camera", "light",
    "shadow", "colour", "green", "yellow", "quiet", "early", "late", "small", "large", "open",
    "closed", "near", "far", "north", "south", "east", "west", "street", "corner", "square",
    "church", "tower", "clock", "hour", "minute", "week", "month", "year", "child", "family",
    "friend", "guide", "map", "path", "forest", "field", "farm", "animal", "horse", "boat",
    "sailor", "wind", "rain", "snow", "weather", "report", "news", "paper", "office", "work",
];

const JOINTS: [&str; 8] = [
    " of the ",
    " and the ",
    " in the ",
    " with a ",
    " near the ",
    " for the ",
    " before the ",
    " after a ",
];

/// The number of paragraphs.
const PARAGRAPHS: u64 = 64;

/// The paragraphs that pages are composed of.
#[derive(Debug)]
pub(super) struct Prose {
    paragraphs: Vec<(String, Piece)>,
}

impl Prose {
    pub(super) fn new(seed: u64) -> Self {
        let paragraphs = (0..PARAGRAPHS)
            .map(|number| {
                let text = paragraph(mixed(seed ^ mixed(number ^ 0x5eed)));
                let piece = Piece::new(text.as_bytes());
                (text, piece)
            })
            .collect();
        Self { paragraphs }
    }

    /// A paragraph for any number, plain and compressed.
    pub(super) fn paragraph(&self, chance: u64) -> Option<&(String, Piece)> {
        let index = usize::try_from(chance % PARAGRAPHS).ok()?;
        self.paragraphs.get(index)
    }
}

/// A word for any number.
pub(super) fn word(chance: u64) -> &'static str {
    pick(&WORDS, chance)
}

fn paragraph(seed: u64) -> String {
    let mut text = String::from("<p>");
    let mut chance = seed;
    let mut next = || {
        chance = mixed(chance);
        chance
    };
    for sentence in 0..8 {
        if sentence > 0 {
            text.push(' ');
        }
        text.push_str("The ");
        text.push_str(word(next()));
        for _ in 0..4 {
            text.push_str(pick(&JOINTS, next()));
            text.push_str(word(next()));
        }
        text.push('.');
    }
    text.push_str("</p>\n");
    text
}

fn pick(from: &[&'static str], chance: u64) -> &'static str {
    let count = u64::try_from(from.len()).unwrap_or(1);
    usize::try_from(chance % count)
        .ok()
        .and_then(|index| from.get(index))
        .copied()
        .unwrap_or_default()
}
