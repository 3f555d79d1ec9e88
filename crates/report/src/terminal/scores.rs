//! The scores with their bands, the points they lost and what took them.

use anstyle::Style;
use domain::report::Report;

use crate::plain::plain;
use crate::scored::Scored;
use crate::view::{ScoreView, dimension_scores};
use crate::wording::cause::first;
use crate::wording::changes::{points, since_last};
use crate::wording::counted;
use crate::wording::score::{Band, held};

use super::sheet::{BOLD, FAIR, GOOD, PLAIN, POOR, QUIET, Sheet};
use super::wrap::{columns, shortened};

/// Cells of a bar.
const BAR: usize = 10;
/// Columns of the longest name of a dimension.
const LABEL: usize = 13;

const fn style(band: Band) -> Style {
    match band {
        Band::Good => GOOD,
        Band::Fair => FAIR,
        Band::Poor => POOR,
    }
}

pub(super) fn write(
    sheet: &mut Sheet,
    report: &Report,
    scored: &Scored,
    baseline_score: Option<u8>,
) {
    if let Some(overall) = scored.overall(report) {
        let overall = ScoreView::overall(report, overall);
        let since = since(report, overall.score, baseline_score);
        let score = marked(overall.score);
        let pieces = [
            ("  ", PLAIN),
            (score.as_str(), style(overall.band)),
            ("  ", PLAIN),
            (overall.label, BOLD),
            ("  ", PLAIN),
        ];
        sheet.hanging(&pieces, &since, QUIET);
        sheet.blank();
    }
    for score in &dimension_scores(report, scored) {
        write_dimension(sheet, score);
    }
}

/// How the overall score differs from the one before, or from the baseline; empty if there is none.
fn since(report: &Report, score: u8, baseline_score: Option<u8>) -> String {
    match (&report.changes, baseline_score) {
        (Some(changes), _) => since_last(changes),
        (None, Some(before)) => match points(i16::from(score) - i16::from(before)) {
            Some(points) => format!("{points} since the baseline"),
            None => "the same as in the baseline".to_owned(),
        },
        (None, None) => String::new(),
    }
}

/// One score with its band, as every command shows it: `  ◕  85 fair  Overall`.
#[must_use]
pub fn score_line(score: u8, label: &str) -> String {
    format!("  {}  {label}", marked(score))
}

/// "◕  85 fair"
fn marked(score: u8) -> String {
    let band = Band::from_score(score);
    format!("{} {score:>3} {}", band.mark(), band.word())
}

/// "  ◕  86 fair  Accessibility  ████████░░   −14  Insufficient color contrast 4.1 and 5 more"
fn write_dimension(sheet: &mut Sheet, score: &ScoreView<'_>) {
    let marked = marked(score.score);
    let label = format!("  {:<LABEL$}", score.label);
    let (filled, empty) = bar(score.score);
    let lost = match score.lost {
        0 => String::new(),
        lost => format!("−{lost}"),
    };
    let lost = format!("  {lost:>3}  ");
    let style = style(score.band);
    let whole = [
        ("  ", PLAIN),
        (marked.as_str(), style),
        (&label, PLAIN),
        ("  ", PLAIN),
        (&filled, style),
        (&empty, QUIET),
        (&lost, PLAIN),
    ];
    let taken = |pieces: &[(&str, Style)]| -> usize {
        pieces.iter().map(|(piece, _)| columns(piece)).sum()
    };
    // A narrow terminal has no room for the bar, which says what the number says.
    let without_bar = [
        ("  ", PLAIN),
        (marked.as_str(), style),
        (&label, PLAIN),
        (&lost, PLAIN),
    ];
    let pieces = match sheet.fits(taken(&whole)) {
        true => &whole[..],
        false => &without_bar[..],
    };
    let takers = takers(score, sheet.room_after(taken(pieces)));
    sheet.hanging(pieces, &takers, QUIET);
}

/// The filled cells of a bar, and the others. Only 100 fills it.
fn bar(score: u8) -> (String, String) {
    let filled = usize::from(score.min(100)) * BAR / 100;
    ("█".repeat(filled), "░".repeat(BAR - filled))
}

/// The checks that took points, on one line: as many as fit, of those that cost most, with their costs.
fn takers(score: &ScoreView<'_>, room: usize) -> String {
    let held = held(score.is_held);
    let named: Vec<_> = score
        .takers
        .iter()
        .map(|taker| format!("{} {}", plain(taker.title), taker.cost))
        .collect();
    let rest = |shown: usize| {
        let more = score.more_takers + named.len().saturating_sub(shown);
        match (more, shown) {
            (0, _) => held.to_owned(),
            (more, 0) => format!("{}{held}", counted(more, "check", "checks")),
            (more, _) => format!(" and {more} more{held}"),
        }
    };
    for shown in (1..=named.len()).rev() {
        let text = first(&named, shown).join(", ") + &rest(shown);
        if columns(&text) <= room {
            return text;
        }
    }
    match score.takers.first() {
        None => rest(0).trim_start_matches(", ").to_owned(),
        Some(taker) => {
            let more = score.more_takers + named.len().saturating_sub(1);
            let more = match more {
                0 => String::new(),
                more => format!(" +{more} more"),
            };
            let cap = if score.is_held { " (cap)" } else { "" };
            let cost = format!(" {}{more}{cap}", taker.cost);
            let title = shortened(&plain(taker.title), room.saturating_sub(columns(&cost)));
            title + &cost
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::view::TakerView;

    #[rstest]
    #[case(0, "", 10)]
    #[case(9, "", 10)]
    #[case(50, "█████", 5)]
    #[case(99, "█████████", 1)]
    #[case(100, "██████████", 0)]
    #[case(255, "██████████", 0)]
    fn only_a_full_score_fills_the_bar(
        #[case] score: u8,
        #[case] filled: &str,
        #[case] empty: usize,
    ) {
        assert_eq!(bar(score), (filled.to_owned(), "░".repeat(empty)));
    }

    #[rstest]
    #[case(
        80,
        true,
        "One problem 4.1, Another one 2 and 3 more, limited by a cap"
    )]
    #[case(40, false, "One problem 4.1 and 4 more")]
    #[case(30, false, "One problem 4.1 and 4 more")]
    #[case(24, false, "One problem 4.1 +4 more")]
    #[case(24, true, "One p… 4.1 +4 more (cap)")]
    fn as_many_checks_are_named_as_fit(
        #[case] room: usize,
        #[case] is_held: bool,
        #[case] expected: &str,
    ) {
        let taker = |number, title, cost: &str| TakerView {
            number: Some(number),
            title,
            cost: cost.to_owned(),
        };
        let report = crate::sample::report(&crate::sample::bad());
        let score = ScoreView {
            is_held,
            takers: vec![taker(1, "One problem", "4.1"), taker(2, "Another one", "2")],
            more_takers: 3,
            ..ScoreView::overall(&report, 90)
        };
        let text = takers(&score, room);
        assert_eq!(text, expected);
        assert!(columns(&text) <= room);
        let unnamed = ScoreView {
            takers: Vec::new(),
            ..score
        };
        assert_eq!(
            takers(&unnamed, room),
            match is_held {
                true => "3 checks, limited by a cap",
                false => "3 checks",
            }
        );
    }
}
