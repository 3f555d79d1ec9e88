//! A score of a site over its audits, as a line.

use chrono::{DateTime, Utc};

use crate::format::Time;
use crate::score::Scored;

/// Where the plot begins and ends, in percent of the width.
const LEFT: f64 = 12.0;
const RIGHT: f64 = 97.0;
/// The height of score 100 and of a point of score, in pixels.
const TOP: f64 = 12.0;
const POINT: f64 = 1.5;

/// An audit with a score.
pub(super) struct Point {
    pub(super) at: DateTime<Utc>,
    pub(super) score: u8,
    /// The version of the scoring model. Scores of different versions cannot be compared, so no line joins them.
    pub(super) version: u32,
}

/// The chart. Coordinates are texts for SVG attributes: percent across, pixels down, so that it fits any width without
/// scaling its marks.
pub(super) struct Chart {
    /// Which score it shows: "Overall score".
    pub(super) label: String,
    /// What the chart shows, in a sentence.
    pub(super) description: String,
    pub(super) grid: Vec<GridLine>,
    pub(super) segments: Vec<Segment>,
    pub(super) marks: Vec<ChartMark>,
    /// The times of the first and the last audit.
    pub(super) first: Time,
    pub(super) last: Time,
}

/// The line of a score.
pub(super) struct GridLine {
    pub(super) score: u8,
    pub(super) y: String,
}

/// The line between two audits.
pub(super) struct Segment {
    pub(super) from: (String, String),
    pub(super) to: (String, String),
}

/// An audit.
pub(super) struct ChartMark {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) scored: Scored,
    pub(super) label: String,
}

impl Chart {
    /// The chart of some audits, oldest first; none where there are fewer than two. The label says which score it is.
    pub(super) fn new(label: &str, points: &[Point]) -> Option<Self> {
        let [first, .., last] = points else {
            return None;
        };
        let steps = u32::try_from(points.len()).ok()?.checked_sub(1)?;
        let places: Vec<_> = (0_u32..)
            .zip(points)
            .map(|(index, point)| (across(index, steps), down(point.score)))
            .collect();
        let lines = points.iter().zip(&places);
        let lines = lines.clone().zip(lines.skip(1));
        Some(Self {
            label: label.to_owned(),
            description: describe(label, points, first, last),
            grid: [100, 90, 50, 0]
                .map(|score| GridLine {
                    score,
                    y: down(score),
                })
                .into(),
            segments: lines
                .filter(|((one, _), (other, _))| one.version == other.version)
                .map(|((_, from), (_, to))| Segment {
                    from: from.clone(),
                    to: to.clone(),
                })
                .collect(),
            marks: points
                .iter()
                .zip(&places)
                .map(|(point, (x, y))| ChartMark {
                    x: x.clone(),
                    y: y.clone(),
                    scored: Scored::new(point.score),
                    label: format!("{}: {}", Time::new(point.at).text, point.score),
                })
                .collect(),
            first: Time::new(first.at),
            last: Time::new(last.at),
        })
    }
}

fn across(index: u32, steps: u32) -> String {
    let share = f64::from(index) / f64::from(steps);
    format!("{:.2}%", LEFT + share * (RIGHT - LEFT))
}

fn down(score: u8) -> String {
    (TOP + f64::from(100 - score.min(100)) * POINT).to_string()
}

fn describe(label: &str, points: &[Point], first: &Point, last: &Point) -> String {
    let scores = || points.iter().map(|point| point.score);
    let (least, most) = (scores().min(), scores().max());
    format!(
        "{label} of {} audits: {} on {}, {} on {}; lowest {}, highest {}.",
        points.len(),
        first.score,
        first.at.format("%-d %b %Y"),
        last.score,
        last.at.format("%-d %b %Y"),
        least.unwrap_or_default(),
        most.unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn points(scores: &[u8]) -> Vec<Point> {
        let start = DateTime::UNIX_EPOCH;
        let days = (0_i64..).map(TimeDelta::days);
        scores
            .iter()
            .zip(days)
            .map(|(&score, days)| Point {
                at: start + days,
                score,
                version: 2,
            })
            .collect()
    }

    #[test]
    fn one_audit_is_no_line() {
        assert!(Chart::new("Overall score", &points(&[50])).is_none());
        assert!(Chart::new("Overall score", &[]).is_none());
    }

    #[test]
    fn audits_are_spread_over_the_width() {
        let chart = Chart::new("Overall score", &points(&[0, 100, 90])).unwrap();
        let places: Vec<_> = chart
            .marks
            .iter()
            .map(|mark| (mark.x.as_str(), mark.y.as_str()))
            .collect();
        assert_eq!(
            places,
            [("12.00%", "162"), ("54.50%", "12"), ("97.00%", "27")]
        );
        assert_eq!(chart.segments.len(), 2);
        assert_eq!(
            chart.description,
            "Overall score of 3 audits: 0 on 1 Jan 1970, 90 on 3 Jan 1970; lowest 0, highest 100."
        );
    }

    #[test]
    fn no_line_joins_scores_of_different_models() {
        let mut points = points(&[70, 80, 90]);
        points[0].version = 1;
        let chart = Chart::new("SEO", &points).unwrap();
        assert_eq!((chart.marks.len(), chart.segments.len()), (3, 1));
        assert_eq!(
            chart.segments[0].from,
            (chart.marks[1].x.clone(), chart.marks[1].y.clone())
        );
        assert!(chart.description.starts_with("SEO of 3 audits: 70 on"));
    }
}
