//! Plain-text tables with aligned columns.

use std::fmt::Write as _;

/// Formats a table with a header row.
pub(super) fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let mut widths = head.map(width);
    for row in rows {
        for (most, cell) in widths.iter_mut().zip(row) {
            *most = width(cell).max(*most);
        }
    }
    let mut out = String::new();
    write_row(&mut out, &head, &widths);
    for row in rows {
        write_row(&mut out, row, &widths);
    }
    out
}

fn write_row<T: AsRef<str>>(out: &mut String, cells: &[T], widths: &[usize]) {
    let mut line = String::new();
    for (cell, widest) in cells.iter().zip(widths) {
        let cell = cell.as_ref();
        let gap = widest.saturating_sub(width(cell)) + 2;
        let _ = write!(line, "{cell}{:gap$}", "");
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

fn width(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [
            ["a".to_owned(), "é".to_owned(), "x".to_owned()],
            ["long".to_owned(), String::new(), "y".to_owned()],
        ];
        assert_eq!(
            table(["ID", "N", "LAST"], &rows),
            "ID    N  LAST\na     é  x\nlong     y\n"
        );
    }
}
