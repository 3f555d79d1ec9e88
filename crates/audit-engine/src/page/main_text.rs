//! The main part of a text.

use super::whitespace::{break_block, is_blank, is_spaced, push_run};

/// The main part of a text, while both are read.
///
/// On most pages it stands in the whole text in one piece, behind a header and before a footer. Only
/// where something within it is left out does it become a text of its own.
#[derive(Debug, Default)]
pub(super) enum MainText {
    /// Nothing was met yet.
    #[default]
    Empty,
    /// It begins here in the whole text, at a character that is no white space, and goes on to the end.
    Open(usize),
    /// It is this part of the whole text, which went on without it. The part ends with no space.
    Closed {
        start: usize,
        end: usize,
        /// The white space that follows if the main part goes on.
        behind: Gap,
    },
    /// It is a text of its own.
    Own(String),
}

/// White space that separates what follows from what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    Nothing,
    Space,
    Line,
}

impl MainText {
    /// The text, where `all` is the whole one.
    pub(super) fn read<'a>(&'a self, all: &'a str) -> &'a str {
        let part = match self {
            Self::Empty => Some(""),
            Self::Open(start) => all.get(*start..),
            Self::Closed { start, end, .. } => all.get(*start..*end),
            Self::Own(text) => Some(text.as_str()),
        };
        part.unwrap_or_default()
    }

    /// The text by itself, where `all` is the whole one.
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

    /// Where in the whole text it stands, if it is a part of that.
    pub(super) const fn place(&self, all: &str) -> Option<(usize, usize)> {
        match self {
            Self::Empty => Some((0, 0)),
            Self::Open(start) => Some((*start, all.len())),
            Self::Closed { start, end, .. } => Some((*start, *end)),
            Self::Own(_) => None,
        }
    }

    /// Drops white space at its end, as the whole text has none there.
    pub(super) fn trim_end(&mut self, all: &str) {
        let most = self.read(all).trim_end().len();
        match self {
            Self::Empty | Self::Open(_) => {}
            Self::Closed { start, end, .. } => *end = *start + most,
            Self::Own(text) => text.truncate(most),
        }
    }

    /// Adds a run of text; `all` has it already, from `start` on, behind white space if `spaced`.
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
            // What a run adds depends on nothing but whether white space stands before it.
            Self::Own(text) if is_spaced(text) == spaced => {
                text.push_str(all.get(start..).unwrap_or_default());
            }
            Self::Own(text) => push_run(text, run),
        }
    }

    /// Ends the line; the whole text does the same by itself.
    pub(super) fn break_block(&mut self) {
        match self {
            Self::Empty | Self::Open(_) => {}
            Self::Closed { behind, .. } => *behind = Gap::Line,
            Self::Own(text) => break_block(text),
        }
    }

    /// Keeps what follows in `all`, the whole text so far, out of the main part.
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

    /// How long the text is, with the white space that separates it from what follows.
    pub(super) fn len_with_gap(&mut self, all: &str) -> usize {
        if matches!(self, Self::Closed { .. }) {
            self.part_from(all);
        }
        self.read(all).len()
    }

    /// Makes it a text of its own.
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
