//! Tables for terminals.

use std::io::IsTerminal;

use comfy_table::{ColumnConstraint, ContentArrangement, Table, presets::NOTHING};
use report::plain::plain;
use terminal_size::{Width, terminal_size};

/// The minimum width to which columns are fitted; below it the terminal wraps.
const NARROWEST: u16 = 40;
/// The maximum number of columns of a line of text.
const WIDEST_TEXT: u16 = 80;

/// Rows below a header. On a terminal, cells are wrapped to its width; in a file or pipe, each row is one line.
/// Control sequences in cells are escaped.
pub(super) fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    laid_out(head, rows, width())
}

fn laid_out<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    width: Option<u16>,
) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(head);
    match width {
        Some(width) => table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width.max(NARROWEST)),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    let mut ids = [true; N];
    for row in rows {
        for (is_id, cell) in ids.iter_mut().zip(&row) {
            *is_id &= looks_like_an_id(cell);
        }
        table.add_row(row.iter().map(|cell| plain(cell)));
    }
    for (column, is_id) in table.column_iter_mut().zip(ids) {
        column.set_padding((0, 2));
        // Ids are not wrapped, so that they can be copied.
        if is_id {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    let mut out = String::new();
    for line in table.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn looks_like_an_id(cell: &str) -> bool {
    cell == "–"
        || (cell.contains('_')
            && cell
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Rows of a name and a value.
pub(super) fn sheet(rows: &[(&str, String)]) -> String {
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max();
    let widest = widest.unwrap_or_default();
    let mut out = String::new();
    for (name, value) in rows {
        let gap = widest.saturating_sub(name.chars().count()) + 2;
        let line = format!("{name}{:gap$}{}", "", plain(value));
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Text wrapped to the terminal's columns, at most 80, with control sequences escaped.
pub(super) fn paragraph(text: &str) -> String {
    let most = usize::from(width().unwrap_or(WIDEST_TEXT).clamp(NARROWEST, WIDEST_TEXT));
    let mut out = String::new();
    let mut column = 0;
    for word in plain(text).split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > most {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
    out
}

/// The columns of the terminal; `None` if the output is not a terminal.
fn width() -> Option<u16> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    Some(terminal_size().map_or(80, |(Width(width), _)| width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<[String; 2]> {
        vec![
            [
                "act_1".to_owned(),
                "Images have no text \u{1b}[2J that says what they show to people".to_owned(),
            ],
            ["act_2".to_owned(), "Short".to_owned()],
        ]
    }

    #[test]
    fn a_row_in_a_pipe_is_one_line_and_obeyed_by_no_terminal() {
        let text = laid_out(["ID", "TITLE"], rows(), None);
        assert_eq!(
            text,
            "ID     TITLE\nact_1  Images have no text \\u{1b}[2J that says what they show to people\nact_2  Short\n"
        );
    }

    #[test]
    fn text_is_filled() {
        let text = paragraph(&"word ".repeat(40));
        assert!(
            text.lines().count() > 1 && text.lines().all(|line| line.len() <= 80),
            "{text}"
        );
    }

    #[test]
    fn on_a_terminal_no_line_is_wider_than_it() {
        let text = laid_out(["ID", "TITLE"], rows(), Some(44));
        assert!(text.lines().count() > 3, "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 44, "{line}");
        }
    }
}
