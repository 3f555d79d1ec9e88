//! The main text as a part of the whole text.

use super::whitespace::{break_block, is_blank, is_spaced, push_run};

/// The main text, while it and the whole text are read.
///
/// On most pages the main text is one contiguous piece of the whole text, after a header and before a footer.
/// It becomes a separate text only if something within it is excluded.
#[derive(Debug, Default)]
pub(super) enum MainText {
    /// No text yet.
    #[default]
    Empty,
    /// It begins at this index of the whole text, at a character that is not white space, and continues to the
    /// end.
    Open(usize),
    /// It is this part of the whole text, which continued without it. The part does not end with a space.
    Closed {
        start: usize,
        end: usize,
        /// The white space before further main text.
        behind: Gap,
    },
    /// It is a separate text.
    Own(String),
}

/// The white space that separates the next text from the previous text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    Nothing,
    Space,
    Line,
}

impl MainText {
    /// The main text. `all` is the whole text.
    pub(super) fn read<'a>(&'a self, all: &'a str) -> &'a str {
        let part = match self {
            Self::Empty => Some(""),
            Self::Open(start) => all.get(*start..),
            Self::Closed { start, end, .. } => all.get(*start..*end),
            Self::Own(text) => Some(text.as_str()),
        };
        part.unwrap_or_default()
    }

    /// The main text as an owned string. `all` is the whole text.
    pub(super) fn into_string(self, mut all: String) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Open(start) => all.split_off(start),
            Self::Closed { start, end, .. } => {
                all.truncate(end);
                all.split_off(start)
            }
            Self::Own(text) => text,
        }
    }

    /// Its range in the whole text, if it is a part of it.
    pub(super) const fn place(&self, all: &str) -> Option<(usize, usize)> {
        match self {
            Self::Empty => Some((0, 0)),
            Self::Open(start) => Some((*start, all.len())),
            Self::Closed { start, end, .. } => Some((*start, *end)),
            Self::Own(_) => None,
        }
    }

    /// Removes white space at its end, as the whole text has none there.
    pub(super) fn trim_end(&mut self, all: &str) {
        let most = self.read(all).trim_end().len();
        match self {
            Self::Empty | Self::Open(_) => {}
            Self::Closed { start, end, .. } => *end = *start + most,
            Self::Own(text) => text.truncate(most),
        }
    }

    /// Adds a run of text. `all` already contains it from `start` on, after white space if `spaced`.
    pub(super) fn push_run(&mut self, all: &str, run: &str, start: usize, spaced: bool) {
        match self {
            Self::Empty => {
                let added = all.get(start..).unwrap_or_default();
                if let Some(first) = added.find(|c| !matches!(c, ' ' | '\n')) {
                    *self = Self::Open(start + first);
                }
            }
            Self::Open(_) => {}
            Self::Closed { behind, .. } if is_blank(run) => {
                if *behind == Gap::Nothing && !run.is_empty() {
                    *behind = Gap::Space;
                }
            }
            Self::Closed { .. } => {
                self.part_from(all);
                self.push_run(all, run, start, spaced);
            }
            // The added text only depends on whether white space precedes it.
            Self::Own(text) if is_spaced(text) == spaced => {
                text.push_str(all.get(start..).unwrap_or_default());
            }
            Self::Own(text) => push_run(text, run),
        }
    }

    /// Ends the line. The whole text does the same separately.
    pub(super) fn break_block(&mut self) {
        match self {
            Self::Empty | Self::Open(_) => {}
            Self::Closed { behind, .. } => *behind = Gap::Line,
            Self::Own(text) => break_block(text),
        }
    }

    /// Excludes the text that follows in `all`, the whole text so far, from the main text.
    pub(super) fn close(&mut self, all: &str) {
        if let Self::Open(start) = *self {
            let end = all.trim_end_matches(' ').len().max(start);
            let behind = if end < all.len() {
                Gap::Space
            } else {
                Gap::Nothing
            };
            *self = Self::Closed { start, end, behind };
        }
    }

    /// The length of the text, including the white space that separates it from the next text.
    pub(super) fn len_with_gap(&mut self, all: &str) -> usize {
        if matches!(self, Self::Closed { .. }) {
            self.part_from(all);
        }
        self.read(all).len()
    }

    /// Makes it a separate text.
    fn part_from(&mut self, all: &str) {
        let mut text = String::with_capacity(all.len().saturating_mul(2));
        text.push_str(self.read(all));
        if let Self::Closed { behind, .. } = self {
            match behind {
                Gap::Nothing => {}
                Gap::Space => push_run(&mut text, " "),
                Gap::Line => break_block(&mut text),
            }
        }
        *self = Self::Own(text);
    }
}
