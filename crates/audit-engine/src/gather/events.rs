//! What happened while a browser showed a page, beside what the page shows.

use crate::lab::RequestKind;

/// Messages that are kept of one page, each once.
pub const MAX_PAGE_MESSAGES: usize = 200;

/// Characters of a message that are kept.
pub const MAX_PAGE_MESSAGE_CHARS: usize = 500;

/// Requests that are kept of one page.
pub const MAX_PAGE_REQUESTS: usize = 2_000;

/// Bytes of a URL in an event that are kept.
pub const MAX_PAGE_EVENT_URL_BYTES: usize = 2_048;

/// Scripts of one page whose coverage is kept, and again style sheets.
pub const MAX_COVERED_FILES: usize = 200;

/// Unused parts of a file that are kept: the largest. The others count as used.
pub const MAX_UNUSED_RANGES: usize = 2_000;

/// Texts of a page whose colors are read from pictures: the first of those that need it.
pub const MAX_PICTURED_TEXTS: usize = 200;

/// The events of a page, from its document to the moment when it was taken. Messages and requests are in an order that
/// does not depend on when they arrived.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageEvents {
    /// At most [`MAX_PAGE_MESSAGES`].
    pub messages: Vec<PageMessage>,
    /// At most [`MAX_PAGE_REQUESTS`], of `http` and `https` URLs.
    pub requests: Vec<PageRequest>,
    /// Whether there were more messages or requests than are kept.
    pub is_cut: bool,
    /// Whether a script ran for more than 3 s without returning, and was stopped. What scripts did after that is not
    /// in the messages.
    pub has_long_script: bool,
    /// Whether the engine kept a connection from the page: its target is not allowed, the page loaded more than it
    /// may, or no connection could be made. Errors may follow from that.
    pub was_limited: bool,
    /// What the Tab key did; none unless it was asked for.
    pub focus: Option<FocusWalk>,
    /// Which code of the scripts and which rules of the style sheets were used until the page had settled, by URL; none
    /// unless it was asked for. At most [`MAX_COVERED_FILES`] of each.
    pub coverage: Option<Vec<FileCoverage>>,
    /// The colors of texts whose styles do not tell them; none unless they were asked for. At most
    /// [`MAX_PICTURED_TEXTS`].
    pub text_colors: Option<Vec<TextColors>>,
}

/// The colors of a text and of what is behind it, read from pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextColors {
    /// The number of its element in the snapshot.
    pub node: i64,
    /// Nineteen of twenty parts of each line have at least this contrast.
    pub least: ColorPair,
    /// Nineteen of twenty parts of some line have at most this contrast, also with what is next to the letters.
    pub most: ColorPair,
}

/// The color of a text, and one behind it: red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColorPair {
    /// The color in which a letter is painted there.
    pub text: [u8; 3],
    /// The color behind it.
    pub behind: [u8; 3],
}

/// Which code of a script, or which rules of a style sheet, were used. Only files of their own have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCoverage {
    /// The URL of the file.
    pub url: String,
    /// Its length in UTF-16 code units.
    pub chars: u32,
    /// The parts that were not used, in order and apart from each other: begin and end. At most [`MAX_UNUSED_RANGES`].
    pub unused: Vec<(u32, u32)>,
}

impl FileCoverage {
    /// The coverage of a file, of which these parts were not used.
    #[must_use]
    pub fn new(url: String, chars: u32, mut unused: Vec<(u32, u32)>) -> Self {
        unused.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for (start, end) in unused {
            match merged.last_mut() {
                Some(last) if last.1 >= start => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        if merged.len() > MAX_UNUSED_RANGES {
            merged.sort_by_key(|(start, end)| std::cmp::Reverse((end - start, *start)));
            merged.truncate(MAX_UNUSED_RANGES);
            merged.sort_unstable();
        }
        Self {
            url,
            chars,
            unused: merged,
        }
    }

    /// The same file was used elsewhere, too: only what was used nowhere stays unused. A file of another length is another
    /// response, of which nothing is known: then all of it counts as used.
    pub fn also(&mut self, other: &Self) {
        if self.chars != other.chars {
            self.unused.clear();
            return;
        }
        let mut both = Vec::new();
        let (mut own, mut theirs) = (
            self.unused.iter().peekable(),
            other.unused.iter().peekable(),
        );
        while let (Some(&&(start, end)), Some(&&(from, to))) = (own.peek(), theirs.peek()) {
            let common = (start.max(from), end.min(to));
            if common.0 < common.1 {
                both.push(common);
            }
            if end <= to {
                own.next();
            } else {
                theirs.next();
            }
        }
        *self = Self::new(std::mem::take(&mut self.url), self.chars, both);
    }

    /// How much of it was not used, in UTF-16 code units.
    #[must_use]
    pub fn unused_chars(&self) -> u32 {
        let lengths = self
            .unused
            .iter()
            .map(|(start, end)| end.saturating_sub(*start));
        lengths.fold(0, u32::saturating_add)
    }
}

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// An exception that no script caught.
    Exception,
    /// A rejected promise that no script handles.
    Rejection,
    /// The browser blocked something, because of the content security policy or an integrity attribute.
    Blocked,
}

/// A message of the browser. Equal messages from the same place are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageMessage {
    /// What it is about.
    pub kind: MessageKind,
    /// The text, at most [`MAX_PAGE_MESSAGE_CHARS`], without the stack.
    pub text: String,
    /// The URL of the script, or of the document that the script is in; empty if it is not known.
    pub url: String,
    /// The line in it, from 1; 0 if it is not known.
    pub line: u32,
    /// The column in it, from 1; 0 if it is not known.
    pub column: u32,
    /// How often it came. Of what timers repeat, it depends on how long the page was shown.
    pub count: u32,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestEnd {
    /// It had not ended, or the page or the browser canceled it.
    Open,
    /// The server answered with this status code.
    Status(u16),
    /// The browser kept the answer from the page, for this reason: the name in the protocol.
    Blocked(String),
    /// The answer does not allow the page to read it (CORS); the name of the error in the protocol.
    Cors(String),
    /// There was no answer: the name of the error in Chromium. The engine's own limits may be the reason.
    Failed(String),
}

/// A request of a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageRequest {
    /// The URL after redirects, without its fragment.
    pub url: String,
    /// What it is for.
    pub kind: RequestKind,
    /// How it ended.
    pub end: RequestEnd,
    /// Bytes over the wire with the header fields of the response; 0 if it came from the cache.
    pub wire_bytes: u64,
}

/// What happened when the Tab key was pressed again and again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FocusWalk {
    /// The elements that got the focus, in this order, each once.
    pub stops: Vec<FocusStop>,
    /// Why the walk ended before every element had the focus once; none if it did not.
    pub ended_early: Option<WalkEnd>,
}

/// Why a walk ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkEnd {
    /// There are more elements than are looked at.
    TooMany,
    /// The time was over.
    Timeout,
    /// A script moved the focus.
    MovedByScript,
    /// A script led to another document, or the page did not answer.
    PageLost,
}

/// An element that got the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FocusStop {
    /// The number of the element in the snapshot; none if it came later.
    pub node: Option<i64>,
    /// What the focus changed.
    pub change: FocusChange,
}

/// What changed when an element got the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusChange {
    /// Styles that can be seen, or pixels of the window.
    Visible,
    /// No style that can be seen, and no pixel of the window.
    Nothing,
    /// No pixel of the window: the element has a size, and is outside of the window, such as a link of a closed menu.
    Outside,
    /// It is not known: a frame, or something covers the element.
    Unknown,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coverage(chars: u32, unused: &[(u32, u32)]) -> FileCoverage {
        FileCoverage::new(
            "https://example.com/a.js".to_owned(),
            chars,
            unused.to_vec(),
        )
    }

    #[test]
    fn what_ran_on_one_page_is_used() {
        let mut all = coverage(100, &[(0, 40), (50, 60), (70, 90)]);
        all.also(&coverage(100, &[(10, 20), (30, 55), (80, 100)]));
        assert_eq!(all.unused, [(10, 20), (30, 40), (50, 55), (80, 90)]);
        assert_eq!(all.unused_chars(), 35);
        all.also(&coverage(100, &[]));
        assert_eq!(all.unused_chars(), 0);
    }

    #[test]
    fn files_of_different_lengths_are_not_compared() {
        let mut all = coverage(100, &[(0, 40)]);
        all.also(&coverage(101, &[(0, 40)]));
        assert_eq!(all.unused, []);
    }
}
