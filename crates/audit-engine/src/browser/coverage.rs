//! Which code of the scripts of a page has run.

use super::cdp::commands::{
    CoveredFunction, CoveredScript, DisableProfiler, EnableProfiler, StartPreciseCoverage,
    StopPreciseCoverage, TakePreciseCoverage,
};
use super::cdp::{CdpError, HUNG, Session, optional};
use crate::gather::{FileCoverage, MAX_COVERED_FILES};

/// Begins to note which functions run. Called before the page is loaded.
pub(super) async fn begin(tab: &Session) -> Result<(), CdpError> {
    tab.call(&EnableProfiler {}).await?;
    let start = StartPreciseCoverage {
        call_count: false,
        detailed: false,
    };
    tab.call(&start).await.map(|_| ())
}

/// What ran since [`begin`]; none if the page does not answer in time, or if the answer is too large. The scripts of files, by
/// their URLs; scripts in the document itself are left out. Fails if the process of the page ends.
pub(super) async fn take(
    tab: &Session,
    document: &str,
) -> Result<Option<Vec<FileCoverage>>, CdpError> {
    let taken = tab.call_within(&TakePreciseCoverage {}, HUNG).await;
    Ok(optional(taken)?.map(|taken| read(taken.scripts, document)))
}

/// Ends what [`begin`] began, so that the next page is as fast as without.
pub(super) async fn end(tab: &Session) {
    // The tab may have ended.
    let _ = tab.call_within(&StopPreciseCoverage {}, HUNG).await;
    let _ = tab.call_within(&DisableProfiler {}, HUNG).await;
}

fn read(scripts: Vec<CoveredScript>, document: &str) -> Vec<FileCoverage> {
    let is_file = |script: &CoveredScript| {
        (script.url.starts_with("http:") || script.url.starts_with("https:"))
            && script.url != document
    };
    let files = scripts.into_iter().filter(is_file);
    let mut read: Vec<FileCoverage> = files
        .filter_map(|script| of_script(script.url, &script.functions))
        .collect();
    // A script that runs twice, as in a frame, is one file.
    read.sort_by(|one, other| one.url.cmp(&other.url));
    let mut all: Vec<FileCoverage> = Vec::new();
    for script in read {
        match all.last_mut().filter(|last| last.url == script.url) {
            Some(last) => last.also(&script),
            None => all.push(script),
        }
    }
    all.truncate(MAX_COVERED_FILES);
    all
}

/// The parts of a script that did not run. A function is a range, and functions in it are ranges in that range.
fn of_script(url: String, functions: &[CoveredFunction]) -> Option<FileCoverage> {
    let mut ranges: Vec<(u32, u32, bool)> = functions
        .iter()
        .flat_map(|function| &function.ranges)
        .map(|range| (range.start_offset, range.end_offset, range.count > 0))
        .collect();
    // The outer ranges first.
    ranges.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
    let chars = ranges.iter().map(|&(_, end, _)| end).max()?;
    let mut unused = Vec::new();
    let mut open: Vec<(u32, bool)> = Vec::new();
    let mut at = 0;
    let mut add = |from: u32, to: u32, ran: bool| {
        if !ran && to > from {
            unused.push((from, to));
        }
    };
    for (start, end, ran) in ranges {
        while let Some(&(inner_end, inner_ran)) =
            open.last().filter(|(inner_end, _)| *inner_end <= start)
        {
            add(at, inner_end, inner_ran);
            at = at.max(inner_end);
            open.pop();
        }
        if let Some(&(_, outer_ran)) = open.last() {
            add(at, start, outer_ran);
        }
        at = start;
        open.push((end, ran));
    }
    while let Some((end, ran)) = open.pop() {
        add(at, end, ran);
        at = at.max(end);
    }
    Some(FileCoverage::new(url, chars, unused))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::gather::MAX_UNUSED_RANGES;

    #[derive(Deserialize)]
    struct Scripts {
        all: Vec<CoveredScript>,
    }

    fn script(url: &str, ranges: &[(u32, u32, u32)]) -> serde_json::Value {
        let ranges = ranges.iter().map(|(start, end, count)| {
            json!({"ranges": [{"startOffset": start, "endOffset": end, "count": count}]})
        });
        json!({"url": url, "functions": ranges.collect::<Vec<_>>()})
    }

    fn read_all(scripts: &[serde_json::Value]) -> Vec<FileCoverage> {
        let read_scripts: Scripts = serde_json::from_value(json!({"all": scripts})).unwrap();
        read(read_scripts.all, "https://example.com/")
    }

    const FILE: &str = "https://example.com/a.js";

    #[test]
    fn the_innermost_function_decides() {
        for (ranges, expected) in [
            (&[(0, 100, 1)][..], &[][..]),
            (&[(0, 100, 0)], &[(0, 100)]),
            (&[(0, 100, 1), (10, 30, 0), (50, 60, 1)], &[(10, 30)]),
            (
                &[(0, 100, 1), (10, 50, 0), (20, 30, 1)],
                &[(10, 20), (30, 50)],
            ),
            (&[(0, 100, 1), (10, 30, 0), (30, 40, 0)], &[(10, 40)]),
        ] {
            let read = read_all(&[script(FILE, ranges)]);
            assert_eq!(
                (read[0].chars, &*read[0].unused),
                (100, expected),
                "{ranges:?}"
            );
        }
    }

    #[test]
    fn a_file_that_runs_twice_is_one_and_scripts_of_the_document_are_left_out() {
        let read = read_all(&[
            script(FILE, &[(0, 100, 1), (10, 30, 0)]),
            script("https://example.com/", &[(0, 100, 0)]),
            script(FILE, &[(0, 100, 1), (20, 40, 0)]),
            script("", &[(0, 100, 0)]),
        ]);
        assert_eq!(read.len(), 1);
        assert_eq!(*read[0].unused, [(20, 30)]);
    }

    #[test]
    fn scripts_and_ranges_are_bounded() {
        let many: Vec<_> = (0..=MAX_COVERED_FILES)
            .map(|number| script(&format!("{FILE}?{number}"), &[(0, 10, 0)]))
            .collect();
        assert_eq!(read_all(&many).len(), MAX_COVERED_FILES);
        let mut ranges = vec![(0, 1_000_000, 1)];
        ranges.extend((0..5_000).map(|number| (number * 100, number * 100 + 10 + number % 2, 0)));
        let read = read_all(&[script(FILE, &ranges)]);
        assert_eq!(read[0].unused.len(), MAX_UNUSED_RANGES);
    }
}
