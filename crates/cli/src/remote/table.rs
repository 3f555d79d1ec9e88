//! Tables for terminals.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::IsTerminal;

use report::plain::plain;
use terminal_size::{Width, terminal_size};
use textwrap::{Options, WordSeparator, WordSplitter};

use super::id;

/// The minimum width to which columns are fitted; below it the terminal wraps.
const NARROWEST: u16 = 40;
/// The maximum number of columns of a line of text.
const WIDEST_TEXT: u16 = 80;

/// The widest cell of a column that is never made narrower: dates, numbers, labels and short ids.
const NARROW: usize = 20;
/// The most lines to which the text of a cell is wrapped beside other cells.
const MOST_LINES: usize = 3;
/// The spaces between two columns of a table, and before a line beneath a row.
const GAP: usize = 2;

/// Rows below a header. In a file or pipe, each row is one line and nothing is shortened. On a terminal, ids are
/// shortened to their ends, which every command accepts, and text is wrapped between words; a column for which the
/// line of the row has no room, such as one of URLs, has its own line beneath it. No word, URL, number or date is
/// broken. Control sequences in cells are escaped.
pub fn table<const N: usize>(
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
    let mut places = [Place::Any; N];
    let mut full = usize::MAX;
    if let Some(width) = width {
        full = usize::from(width.max(NARROWEST));
        for column in 0..N {
            shorten_ids(&mut rows, column);
        }
        match fitted(head, &rows, full) {
            Some(fitted) => places = fitted,
            None => return records(head, &rows),
        }
    }
    let head = head.map(str::to_owned);
    let widths = line_widths(&head, &rows, &places);
    let mut out = String::new();
    for row in std::iter::once(&head).chain(&rows) {
        write_row(&mut out, row, &places, &widths);
        for (cell, place) in row.iter().zip(places) {
            if place == Place::Beneath {
                for line in wrapped(cell, full.saturating_sub(GAP)) {
                    push_line(&mut out, &format!("{:GAP$}{line}", ""));
                }
            }
        }
    }
    out
}

/// Where the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the line of the row, on one line.
    Any,
    /// In the line of the row, wrapped to this width.
    Within(usize),
    /// On a line of its own beneath the line of the row.
    Beneath,
}

/// The places of the columns in a table of this width; `None` if too many columns are left for a line.
fn fitted<const N: usize>(
    head: [&str; N],
    rows: &[[String; N]],
    width: usize,
) -> Option<[Place; N]> {
    let needs: Vec<Need> = head
        .iter()
        .enumerate()
        .map(|(column, name)| Need::new(name, rows.iter().filter_map(|row| row.get(column))))
        .collect();
    let mut beneath = [false; N];
    let in_line = |beneath: &[bool; N]| -> Vec<usize> {
        (0..N)
            .filter(|column| beneath.get(*column) == Some(&false))
            .collect()
    };
    loop {
        let left = in_line(&beneath);
        let gaps = GAP * left.len().saturating_sub(1);
        let least: usize = left
            .iter()
            .filter_map(|it| needs.get(*it))
            .map(|it| it.least)
            .sum();
        if let Some(spare) = width.checked_sub(gaps + least) {
            return (!left.is_empty()).then(|| shared(&needs, &left, spare));
        }
        // URLs and sentences first: names, such as the ids of checks, are what a line is recognized by.
        let moved = left
            .into_iter()
            .filter_map(|column| Some((column, needs.get(column)?)))
            .filter(|(_, need)| need.natural > NARROW)
            .max_by_key(|(_, need)| (!need.is_name, need.natural))?;
        *beneath.get_mut(moved.0)? = true;
    }
}

/// The places when the columns in the line share the spare width, where those that need less leave the rest to others.
fn shared<const N: usize>(needs: &[Need], in_line: &[usize], mut spare: usize) -> [Place; N] {
    let mut places = [Place::Beneath; N];
    let mut wide: Vec<(usize, &Need)> = in_line
        .iter()
        .filter_map(|column| Some((*column, needs.get(*column)?)))
        .collect();
    wide.sort_by_key(|(_, need)| need.natural - need.least);
    let number = wide.len();
    for (done, (column, need)) in wide.into_iter().enumerate() {
        let more = (spare / (number - done)).min(need.natural - need.least);
        spare -= more;
        if let Some(place) = places.get_mut(column) {
            *place = Place::Within(need.least + more);
        }
    }
    places
}

/// The width that a column needs.
struct Need {
    /// The width of its widest cell.
    natural: usize,
    /// The least width in which it can be read.
    least: usize,
    /// Whether its cells are single words, but no URLs.
    is_name: bool,
}

impl Need {
    fn new<'a>(name: &str, cells: impl Iterator<Item = &'a String>) -> Self {
        let header = columns(name);
        let (mut natural, mut word, mut is_name) = (header, header, true);
        for cell in cells {
            let words = cell.split_whitespace();
            natural = natural.max(columns(cell));
            word = word.max(words.clone().map(columns).max().unwrap_or_default());
            is_name &= words.count() <= 1 && !cell.contains("://");
        }
        let least = match natural {
            0..=NARROW => natural,
            _ => word.max(natural.div_ceil(MOST_LINES)).max(NARROW),
        };
        Self {
            natural,
            least: least.min(natural),
            is_name,
        }
    }
}

/// The widths of the columns in the line of a row.
fn line_widths<const N: usize>(
    head: &[String; N],
    rows: &[[String; N]],
    places: &[Place; N],
) -> [usize; N] {
    let mut widths = [0; N];
    for row in std::iter::once(head).chain(rows) {
        for ((widest, cell), place) in widths.iter_mut().zip(row).zip(places) {
            let lines = cell_lines(cell, *place);
            let cell = lines.iter().map(|line| columns(line)).max();
            *widest = cell.unwrap_or_default().max(*widest);
        }
    }
    widths
}

/// The lines of a cell in the line of its row.
fn cell_lines(cell: &str, place: Place) -> Vec<String> {
    match place {
        Place::Any => vec![cell.to_owned()],
        Place::Within(width) => wrapped(cell, width),
        Place::Beneath => Vec::new(),
    }
}

fn write_row<const N: usize>(
    out: &mut String,
    row: &[String; N],
    places: &[Place; N],
    widths: &[usize; N],
) {
    let cells: Vec<Vec<String>> = row
        .iter()
        .zip(places)
        .map(|(cell, place)| cell_lines(cell, *place))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    for number in 0..height {
        let mut line = String::new();
        for ((cell, place), width) in cells.iter().zip(places).zip(widths) {
            if *place != Place::Beneath {
                let text = cell.get(number).map_or("", String::as_str);
                let gap = width.saturating_sub(columns(text)) + GAP;
                line.push_str(text);
                line.extend(std::iter::repeat_n(' ', gap));
            }
        }
        push_line(out, &line);
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Each row as lines of a name and a value, for terminals that are too narrow for a table.
fn records<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let records = rows.iter().map(|row| {
        let pairs: Vec<_> = head.into_iter().zip(row.iter().cloned()).collect();
        sheet(&pairs)
    });
    records.collect::<Vec<_>>().join("\n")
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

/// The lines of a text, broken only at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let options = Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let words: Vec<_> = text.split_whitespace().collect();
    let text = words.join(" ");
    let lines = textwrap::wrap(&text, options).into_iter();
    lines.map(Cow::into_owned).collect()
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
    for line in wrapped(&plain(text), most) {
        push_line(&mut out, &line);
    }
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

    const URL: &str =
        "https://www.example.com/a/very/long/path/of/a/shop/with/many/parts/index.html";

    fn runs() -> [[String; 5]; 2] {
        [
            ("run_01JD2Y3Z4A5B6C7D8E9F0GHJKM", "completed"),
            ("run_01JD2Y3Z4A5B6C7D8E9F1GHJKM", "failed"),
        ]
        .map(|(run, status)| ["2026-11-22 04:05", status, "100", URL, run].map(str::to_owned))
    }

    const RUNS: [&str; 5] = ["STARTED (UTC)", "STATUS", "SCORE", "URL", "RUN"];

    #[test]
    fn at_80_columns_no_date_number_or_url_is_broken_and_ids_are_short_but_different() {
        insta::assert_snapshot!(laid_out(RUNS, runs(), Some(80)));
    }

    #[test]
    fn where_there_is_room_a_row_is_one_line() {
        insta::assert_snapshot!(laid_out(RUNS, runs(), Some(130)));
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
    fn ids_of_checks_stay_in_their_line_and_titles_are_broken_between_words() {
        let row = |check: &str, title: &str| {
            ["▲ critical", check, "12 pages", "3", "1.2", title].map(str::to_owned)
        };
        let rows = [
            row(
                "clickjacking-unprotected",
                "Missing clickjacking protection",
            ),
            row("nosniff-missing", "Missing X-Content-Type-Options: nosniff"),
            row(
                "csp-missing",
                "Missing or ineffective Cross-Origin-Opener-Policy (COOP)",
            ),
        ];
        let head = ["SEVERITY", "CHECK", "AFFECTS", "CAUSES", "GAIN", "TITLE"];
        insta::assert_snapshot!(laid_out(head, rows.clone(), Some(80)));
        insta::assert_snapshot!(laid_out(head, rows, Some(120)));
    }

    #[test]
    fn two_columns_of_urls_are_two_lines_beneath_the_row() {
        let other = format!("{URL}?page=2");
        let rows = [["broken", "404", "12", URL, "–", &other].map(str::to_owned)];
        let head = ["VERDICT", "STATUS", "PAGES", "LINK", "WHY", "FIRST PAGE"];
        insta::assert_snapshot!(laid_out(head, rows, Some(80)));
    }

    #[test]
    fn a_terminal_too_narrow_for_the_numbers_has_a_line_for_each() {
        let row = [
            "200", "1", "14,223 B", "1,204", "120 ms", "12", "34", "5", URL,
        ];
        let head = [
            "STATUS", "CLICKS", "SIZE", "WORDS", "TIME", "IN", "OUT", "ISSUES", "PAGE",
        ];
        let rows = [row.map(str::to_owned), row.map(str::to_owned)];
        insta::assert_snapshot!(laid_out(head, rows, Some(40)));
    }

    #[test]
    fn whatever_the_width_no_word_is_broken() {
        let head = ["STARTED (UTC)", "STATUS", "SCORE", "URL", "TITLE", "RUN"];
        let rows = runs().map(|[started, status, score, url, run]| {
            let title = "Missing X-Content-Type-Options: nosniff in 1,204 responses".to_owned();
            [started, status, score, url, title, run]
        });
        for width in 1..200 {
            let text = laid_out(head, rows.clone(), Some(width));
            for [started, status, _, url, title, _] in &rows {
                assert!(text.contains(started.as_str()), "{width}:\n{text}");
                for word in title.split(' ').chain([url.as_str(), status, "0GHJKM"]) {
                    assert!(
                        text.split_whitespace().any(|shown| shown.ends_with(word)),
                        "{width}: {word}\n{text}"
                    );
                }
            }
        }
    }
}
