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

/// Lines that fit a terminal. Every text that is given to it is made [`plain`] here, and nowhere
/// else, so that none is forgotten.
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
        let (mark, text) = (plain(mark), plain(text));
        let indent = columns(&mark) + 2;
        let room = self.width.saturating_sub(indent);
        for (number, line) in wrap(&text, room).iter().enumerate() {
            if number == 0 {
                self.paint(&mark, mark_style);
                self.text.push_str("  ");
            } else {
                self.text.push_str(&" ".repeat(indent));
            }
            self.paint(line, style);
            self.text.push('\n');
        }
    }

    /// Text cut to so many lines.
    pub(crate) fn excerpt(&mut self, indent: &str, text: &str, lines: usize, style: Style) {
        let room = self.width.saturating_sub(columns(indent));
        let text = shortened(&plain(text), room.saturating_mul(lines));
        self.paragraph(indent, &text, style);
    }

    /// Pieces on one line.
    pub(crate) fn row(&mut self, pieces: &[(&str, Style)]) {
        for (piece, style) in pieces {
            self.paint(piece, *style);
        }
        self.text.push('\n');
    }

    fn paint(&mut self, text: &str, style: Style) {
        if self.color && style != PLAIN {
            self.text.push_str(&format!("{style}{text}{style:#}"));
        } else {
            self.text.push_str(text);
        }
    }
}
