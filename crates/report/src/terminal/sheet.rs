//! The lines written so far.

use anstyle::{AnsiColor, Color, Style};

use super::TerminalOptions;
use super::wrap::{columns, shortened, wrap};
use crate::plain::plain;

/// As the terminal has it.
pub(crate) const PLAIN: Style = Style::new();
/// What a line is about.
pub(crate) const BOLD: Style = Style::new().bold();
/// What is there for reference.
pub(crate) const QUIET: Style = Style::new().dimmed();
/// In order.
pub(crate) const GOOD: Style = coloured(AnsiColor::Green);
/// To be looked at.
pub(crate) const FAIR: Style = coloured(AnsiColor::Yellow);
/// To be fixed.
pub(crate) const POOR: Style = coloured(AnsiColor::Red);

const fn coloured(color: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(color)))
}

/// Fewest columns in which anything can be read.
const NARROWEST: usize = 40;
/// Fewest columns in which a text stands beside something.
const LEAST_ROOM: usize = 24;
/// The indent of a text below what it would stand beside.
const BELOW: &str = "      ";

/// Lines that fit a terminal. Every text that is given to it is made [`plain`] here; pieces of a line keep their
/// spaces, so who gives them makes them plain.
pub(crate) struct Sheet {
    text: String,
    width: usize,
    color: bool,
}

impl Sheet {
    pub(crate) fn new(options: &TerminalOptions) -> Self {
        Self {
            text: String::new(),
            width: usize::from(options.width).max(NARROWEST),
            color: options.color,
        }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// An empty line; never two in a row.
    pub(crate) fn blank(&mut self) {
        if !self.text.ends_with("\n\n") && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Text whose lines all begin with the indent; nothing for an empty text.
    pub(crate) fn paragraph(&mut self, indent: &str, text: &str, style: Style) {
        let room = self.width.saturating_sub(columns(indent));
        for line in wrap(&plain(text), room) {
            self.text.push_str(indent);
            self.paint(&line, style);
            self.text.push('\n');
        }
    }

    /// Text behind a mark, whose further lines begin below the text.
    pub(crate) fn marked(&mut self, mark: &str, mark_style: Style, text: &str, style: Style) {
        self.hanging(&[(&plain(mark), mark_style), ("  ", PLAIN)], text, style);
    }

    /// An item of a list, whose further lines begin below its text.
    pub(crate) fn item(&mut self, indent: &str, text: &str) {
        self.hanging(&[(indent, PLAIN), ("- ", PLAIN)], text, PLAIN);
    }

    /// Text behind pieces on one line, whose further lines begin below the text. If too little room is left beside
    /// the pieces, the text is below them. Pieces are [`plain`] already.
    pub(crate) fn hanging(&mut self, pieces: &[(&str, Style)], text: &str, style: Style) {
        let taken: usize = pieces.iter().map(|(piece, _)| columns(piece)).sum();
        let lines = wrap(&plain(text), self.width.saturating_sub(taken));
        if lines.is_empty() || !self.has_room_beside(taken) {
            self.row(pieces);
            self.paragraph(BELOW, text, style);
            return;
        }
        for (number, line) in lines.iter().enumerate() {
            if number == 0 {
                self.pieces(pieces);
            } else {
                self.text.push_str(&" ".repeat(taken));
            }
            self.paint(line, style);
            self.text.push('\n');
        }
    }

    /// The width of the text of [`Self::hanging`] if its pieces are `taken` columns wide.
    pub(crate) fn room_after(&self, taken: usize) -> usize {
        match self.has_room_beside(taken) {
            true => self.width.saturating_sub(taken),
            false => self.width.saturating_sub(columns(BELOW)),
        }
    }

    /// Whether [`Self::hanging`] puts the text beside its pieces if they are `taken` columns wide.
    pub(crate) const fn has_room_beside(&self, taken: usize) -> bool {
        self.width >= taken + LEAST_ROOM
    }

    /// Whether a line of this width fits the terminal.
    pub(crate) const fn fits(&self, columns: usize) -> bool {
        columns <= self.width
    }

    /// Text cut to so many lines.
    pub(crate) fn excerpt(&mut self, indent: &str, text: &str, lines: usize, style: Style) {
        let room = self.width.saturating_sub(columns(indent));
        let text = shortened(&plain(text), room.saturating_mul(lines));
        self.paragraph(indent, &text, style);
    }

    /// Pieces on one line, without spaces at its end. They are [`plain`] already.
    pub(crate) fn row(&mut self, pieces: &[(&str, Style)]) {
        self.pieces(pieces);
        let ends = self.text.trim_end_matches(' ').len();
        self.text.truncate(ends);
        self.text.push('\n');
    }

    fn pieces(&mut self, pieces: &[(&str, Style)]) {
        for (piece, style) in pieces {
            self.paint(piece, *style);
        }
    }

    fn paint(&mut self, text: &str, style: Style) {
        if self.color && style != PLAIN {
            self.text.push_str(&format!("{style}{text}{style:#}"));
        } else {
            self.text.push_str(text);
        }
    }
}
