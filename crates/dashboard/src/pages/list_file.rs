//! Lists as files for spreadsheets.

use report::export::{ReportFormat, csv_table};

use crate::failure::Failure;
use crate::reply::Reply;
use crate::visit::Visit;

/// Rows of a file at most.
pub(super) const MAX_ROWS: usize = 10_000;
/// Rows that are read at once.
pub(super) const READ_AT_ONCE: u32 = 500;

/// The first rows of a list, at most [`MAX_ROWS`]. `read` returns the rows behind a cursor, and the next cursor.
///
/// # Errors
/// As `read`, and where nobody waits for the file any more.
pub(super) fn first_rows<T, C>(
    visit: &Visit,
    mut read: impl FnMut(Option<C>) -> Result<(Vec<T>, Option<C>), Failure>,
) -> Result<Vec<T>, Failure> {
    up_to(MAX_ROWS, |after| {
        visit.abandoned.check()?;
        read(after)
    })
}

fn up_to<T, C, E>(
    most: usize,
    mut read: impl FnMut(Option<C>) -> Result<(Vec<T>, Option<C>), E>,
) -> Result<Vec<T>, E> {
    let mut rows = Vec::new();
    let mut after = None;
    loop {
        let (some, next) = read(after)?;
        rows.extend(some);
        after = next;
        if after.is_none() || rows.len() >= most {
            rows.truncate(most);
            return Ok(rows);
        }
    }
}

/// The file with these columns and rows, named `name` and the day.
///
/// # Errors
/// When the table cannot be written.
pub(super) fn csv<const N: usize>(
    visit: &Visit,
    name: &str,
    columns: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<Reply, Failure> {
    let bytes = csv_table(columns, rows).map_err(|error| Failure::Internal(error.to_string()))?;
    let day = visit.now().format("%Y-%m-%d");
    let kind = ReportFormat::Csv.media_type();
    Ok(Reply::file(kind, format!("{name}-{day}.csv"), bytes))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn a_file_has_a_limited_number_of_rows() {
        let mut calls = 0;
        let endless = |after: Option<u32>| {
            calls += 1;
            let first = after.unwrap_or(0);
            Ok::<_, Infallible>((vec![first, first + 1, first + 2], Some(first + 3)))
        };
        assert_eq!(up_to(4, endless), Ok(vec![0, 1, 2, 3]));
        assert_eq!(calls, 2);
        let one_page = |_: Option<u32>| Ok::<_, Infallible>((vec![7], None));
        assert_eq!(up_to(4, one_page), Ok(vec![7]));
    }
}
