//! Tables for terminals.

use std::collections::BTreeSet;
use std::io::IsTerminal;

use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use report::plain::plain;
use terminal_size::{Width, terminal_size};

use super::id;

/// The minimum width to which columns are fitted; below it the terminal wraps.
const NARROWEST: u16 = 40;
/// The maximum number of columns of a line of text.
const WIDEST_TEXT: u16 = 80;

/// The widest cell of a column that is never made narrower: dates, numbers, labels and short ids.
const NARROW: usize = 20;
/// The fewest columns that are left for text.
const NARROWEST_TEXT: usize = 10;
/// The columns between two columns of a table.
const GAP: u16 = 2;

/// Rows below a header. On a terminal, text is wrapped to its width between words, words that are longer than their
/// column lose their middle, and ids are shortened to their ends, which every command accepts. In a file or pipe,
/// each row is one line and nothing is shortened. Control sequences in cells are escaped.
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
    let mut rows: Vec<[String; N]> = rows
        .into_iter()
        .map(|row| row.map(|cell| plain(&cell)))
        .collect();
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(head);
    table.set_content_arrangement(ContentArrangement::Disabled);
    if let Some(width) = width {
        for column in 0..N {
            shorten_ids(&mut rows, column);
        }
        let widths = column_widths(head, &rows, width.max(NARROWEST));
        for row in &mut rows {
            for (cell, width) in row.iter_mut().zip(widths) {
                *cell = fitted(cell, width);
            }
        }
    }
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, GAP));
    }
    let mut out = String::new();
    for line in table.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Shortens the ids of a column to ends that differ from each other; other columns stay as they are.
fn shorten_ids<const N: usize>(rows: &mut [[String; N]], column: usize) {
    let cells = || rows.iter().filter_map(|row| row.get(column));
    if !cells().all(|cell| cell == "–" || id::is_whole(cell)) {
        return;
    }
    let ids: BTreeSet<&String> = cells().collect();
    let length = (id::SHOWN..=id::LENGTH)
        .find(|length| {
            let ends: BTreeSet<&str> = ids.iter().map(|it| id::end(it, *length)).collect();
            ends.len() == ids.len()
        })
        .unwrap_or(id::LENGTH);
    for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
        *cell = id::end(cell, length).to_owned();
    }
}

/// The widths of the columns in a table of `width` columns: narrow columns keep theirs, the others share the rest.
fn column_widths<const N: usize>(head: [&str; N], rows: &[[String; N]], width: u16) -> [usize; N] {
    let mut natural = head.map(columns);
    for row in rows {
        for (widest, cell) in natural.iter_mut().zip(row) {
            *widest = columns(cell).max(*widest);
        }
    }
    let gaps = usize::from(GAP) * N;
    let narrow: usize = natural.iter().filter(|width| **width <= NARROW).sum();
    let mut rest = usize::from(width).saturating_sub(gaps + narrow);
    let mut wide: Vec<usize> = natural
        .iter()
        .copied()
        .filter(|width| *width > NARROW)
        .collect();
    wide.sort_unstable();
    // The share of each wide column, where those that need less leave the rest to the others.
    let mut share = usize::MAX;
    for (number, needed) in wide.iter().enumerate() {
        let equal = rest / (wide.len() - number).max(1);
        if *needed > equal {
            share = equal;
            break;
        }
        rest -= needed;
    }
    natural.map(|width| {
        if width <= NARROW {
            width
        } else {
            width.min(share.max(NARROWEST_TEXT))
        }
    })
}

/// The text in lines of at most `width` columns, broken between words; a longer word loses its middle.
fn fitted(text: &str, width: usize) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| without_middle(word, width))
        .collect();
    textwrap::wrap(&words.join(" "), width).join("\n")
}

/// `https://example.com/a…/z.html`
fn without_middle(word: &str, width: usize) -> String {
    if columns(word) <= width {
        return word.to_owned();
    }
    let kept = width.saturating_sub(1);
    let first: String = word.chars().take(kept.div_ceil(2)).collect();
    let skipped = word.chars().count().saturating_sub(kept / 2);
    let last: String = word.chars().skip(skipped).collect();
    format!("{first}…{last}")
}

fn columns(text: &str) -> usize {
    textwrap::core::display_width(text)
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

    fn runs() -> [[String; 5]; 2] {
        let url = "https://www.example.com/a/very/long/path/of/a/shop/with/many/parts/index.html";
        [
            ("run_01JD2Y3Z4A5B6C7D8E9F0GHJKM", "completed"),
            ("run_01JD2Y3Z4A5B6C7D8E9F1GHJKM", "failed"),
        ]
        .map(|(run, status)| ["2026-11-22 04:05", status, "100", url, run].map(str::to_owned))
    }

    #[test]
    fn at_80_columns_no_date_number_or_word_is_broken_and_ids_are_short_but_different() {
        let head = ["STARTED (UTC)", "STATUS", "SCORE", "URL", "RUN"];
        insta::assert_snapshot!(laid_out(head, runs(), Some(80)), @r"
        STARTED (UTC)     STATUS     SCORE  URL                                 RUN
        2026-11-22 04:05  completed  100    https://www.examp…parts/index.html  0GHJKM
        2026-11-22 04:05  failed     100    https://www.examp…parts/index.html  1GHJKM
        ");
    }

    #[test]
    fn in_a_pipe_ids_and_addresses_are_whole() {
        let text = laid_out(["A", "B", "C", "D", "RUN"], runs(), None);
        assert!(
            text.contains("run_01JD2Y3Z4A5B6C7D8E9F0GHJKM") && text.contains("parts/index.html")
        );
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn text_is_broken_between_words() {
        let row = [
            "Pages have no title that says what they are about",
            "one two three four five six seven eight",
        ];
        let text = laid_out(["TITLE", "WORDS"], [row.map(str::to_owned)], Some(46));
        for word in row.join(" ").split(' ') {
            assert!(
                text.split_whitespace().any(|shown| shown == word),
                "{word}: {text}"
            );
        }
        assert!(
            text.lines().all(|line| line.chars().count() <= 46),
            "{text}"
        );
    }
}
