//! A value of a site over its audits, as a line: a score, or what a browser measured.

use chrono::{DateTime, Utc};
use domain::report::LabProfile;
use domain::score::Metric;
use domain::text::count;
use report::{metric_name, metric_value};

use crate::format::Time;
use crate::score::Scored;

/// Where the plot begins and ends, in percent of the width.
const LEFT: f64 = 12.0;
const RIGHT: f64 = 97.0;
/// Where the highest value stands, and the height of the plot, in pixels.
const TOP: f64 = 12.0;
const HEIGHT: f64 = 150.0;
/// The least height of a plot of measured values: 100 ms, or a Cumulative Layout Shift of 0.1.
const LEAST_TOP: u32 = 100;

/// What a chart shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Plotted {
    /// A score, with its name: "Overall score".
    Score(String),
    /// A metric of the start page.
    Metric(Metric),
}

/// Audits whose values can be compared. No line joins those of different series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Series {
    /// The version of the scoring model.
    Model(u32),
    /// The device and the connection of a measurement.
    Profile(LabProfile),
}

/// An audit with a value.
pub(super) struct Point {
    pub(super) at: DateTime<Utc>,
    /// A score, milliseconds, or thousandths of Cumulative Layout Shift.
    pub(super) value: u32,
    pub(super) series: Series,
    /// Whether the machine was steady while it was measured.
    pub(super) is_steady: bool,
}

/// The chart. Coordinates are texts for SVG attributes: percent across, pixels down, so that it fits any width without
/// scaling its marks.
pub(super) struct Chart {
    /// What it shows: "Overall score".
    pub(super) label: String,
    /// What the chart shows, in a sentence.
    pub(super) description: String,
    pub(super) grid: Vec<GridLine>,
    pub(super) segments: Vec<Segment>,
    pub(super) marks: Vec<ChartMark>,
    /// Where pages were measured in another way than before.
    pub(super) changes: Vec<ProfileChange>,
    /// The times of the first and the last audit.
    pub(super) first: Time,
    pub(super) last: Time,
}

/// The line of a value.
pub(super) struct GridLine {
    pub(super) text: String,
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
    /// The class of the band of a score, or of a measured value.
    pub(super) class: &'static str,
    /// The radius of the disc in the ring; none for a ring alone.
    pub(super) disc: Option<&'static str>,
    pub(super) label: String,
}

/// A vertical line at the first audit of another profile.
pub(super) struct ProfileChange {
    pub(super) x: String,
    pub(super) label: String,
}

impl Plotted {
    fn label(&self) -> String {
        match self {
            Self::Score(label) => label.clone(),
            Self::Metric(metric) => format!("{} of the start page", metric_name(*metric)),
        }
    }

    /// A value in words.
    fn text(&self, value: u32) -> String {
        match self {
            Self::Score(_) => value.to_string(),
            Self::Metric(metric) => metric_value(*metric, value),
        }
    }

    /// The values of the lines, the highest first, which is the top of the plot.
    fn grid(&self, points: &[Point]) -> Vec<u32> {
        match self {
            Self::Score(_) => vec![100, 90, 50, 0],
            Self::Metric(_) => {
                let most = points.iter().map(|point| point.value).max();
                let top = round_top(most.unwrap_or_default());
                vec![top, top / 2, 0]
            }
        }
    }
}

impl Point {
    /// How the audit is drawn: the class of its mark, and the radius of its disc.
    fn mark(&self, plotted: &Plotted) -> (&'static str, Option<&'static str>) {
        match plotted {
            Plotted::Score(_) => {
                let score = u8::try_from(self.value).unwrap_or(100);
                let disc = match Scored::new(score).word {
                    "good" => Some("5"),
                    "poor" => None,
                    _ => Some("1.5"),
                };
                (Scored::new(score).word, disc)
            }
            Plotted::Metric(_) => ("ink", self.is_steady.then_some("5")),
        }
    }

    fn label(&self, plotted: &Plotted) -> String {
        let (at, value) = (Time::new(self.at).text, plotted.text(self.value));
        match (self.series, self.is_steady) {
            (Series::Model(_), _) => format!("{at}: {value}"),
            (Series::Profile(profile), true) => format!("{at}: {value} ({profile})"),
            (Series::Profile(profile), false) => {
                format!("{at}: {value} ({profile}, on an unsteady machine)")
            }
        }
    }
}

impl Chart {
    /// The chart of some audits, oldest first; none where there are fewer than two.
    pub(super) fn new(plotted: &Plotted, points: &[Point]) -> Option<Self> {
        let [first, .., last] = points else {
            return None;
        };
        let steps = u32::try_from(points.len()).ok()?.checked_sub(1)?;
        let grid = plotted.grid(points);
        let top = grid.first().copied().unwrap_or(100);
        let places: Vec<_> = (0_u32..)
            .zip(points)
            .map(|(index, point)| (across(index, steps), down(point.value, top)))
            .collect();
        let lines = points.iter().zip(&places);
        let lines = lines.clone().zip(lines.skip(1));
        let changes: Vec<_> = lines
            .clone()
            .filter_map(
                |((one, _), (other, (x, _)))| match (one.series, other.series) {
                    (Series::Profile(before), Series::Profile(now)) if before != now => {
                        Some(ProfileChange {
                            x: x.clone(),
                            label: format!("Measured with {now} instead of {before} from here"),
                        })
                    }
                    _ => None,
                },
            )
            .collect();
        Some(Self {
            label: plotted.label(),
            description: describe(plotted, points, (first, last), changes.len()),
            grid: grid
                .into_iter()
                .map(|value| GridLine {
                    text: plotted.text(value),
                    y: down(value, top),
                })
                .collect(),
            segments: lines
                .filter(|((one, _), (other, _))| one.series == other.series)
                .map(|((_, from), (_, to))| Segment {
                    from: from.clone(),
                    to: to.clone(),
                })
                .collect(),
            marks: points
                .iter()
                .zip(&places)
                .map(|(point, (x, y))| {
                    let (class, disc) = point.mark(plotted);
                    ChartMark {
                        x: x.clone(),
                        y: y.clone(),
                        class,
                        disc,
                        label: point.label(plotted),
                    }
                })
                .collect(),
            changes,
            first: Time::new(first.at),
            last: Time::new(last.at),
        })
    }
}

/// The least 1, 2 or 5 with zeros that is not below a value.
fn round_top(value: u32) -> u32 {
    let value = value.max(LEAST_TOP);
    let mut unit = 1_u32;
    loop {
        for times in [1, 2, 5] {
            match unit.checked_mul(times) {
                Some(top) if top >= value => return top,
                Some(_) => {}
                None => return u32::MAX,
            }
        }
        unit = unit.saturating_mul(10);
    }
}

fn across(index: u32, steps: u32) -> String {
    let share = f64::from(index) / f64::from(steps);
    format!("{:.2}%", LEFT + share * (RIGHT - LEFT))
}

/// Where a value stands in a plot whose highest value is `top`.
fn down(value: u32, top: u32) -> String {
    let below = f64::from(top.saturating_sub(value)) * HEIGHT / f64::from(top.max(1));
    (TOP + (below * 10.0).round() / 10.0).to_string()
}

fn describe(
    plotted: &Plotted,
    points: &[Point],
    (first, last): (&Point, &Point),
    changes: usize,
) -> String {
    let values = || points.iter().map(|point| point.value);
    let (least, most) = (values().min(), values().max());
    let text = |value: Option<u32>| plotted.text(value.unwrap_or_default());
    let mut description = format!(
        "{} of {} audits: {} on {}, {} on {}; lowest {}, highest {}.",
        plotted.label(),
        points.len(),
        plotted.text(first.value),
        first.at.format("%-d %b %Y"),
        plotted.text(last.value),
        last.at.format("%-d %b %Y"),
        text(least),
        text(most),
    );
    if changes > 0 {
        let times = count(u64::try_from(changes).unwrap_or(u64::MAX), "time", "times");
        description.push_str(&format!(
            " The device and the connection that it is measured with changed {times}."
        ));
    }
    description
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
                value: score.into(),
                series: Series::Model(2),
                is_steady: true,
            })
            .collect()
    }

    fn score(label: &str) -> Plotted {
        Plotted::Score(label.to_owned())
    }

    #[test]
    fn one_audit_is_no_line() {
        assert!(Chart::new(&score("Overall score"), &points(&[50])).is_none());
        assert!(Chart::new(&score("Overall score"), &[]).is_none());
    }

    #[test]
    fn audits_are_spread_over_the_width() {
        let chart = Chart::new(&score("Overall score"), &points(&[0, 100, 90])).unwrap();
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
        points[0].series = Series::Model(1);
        let chart = Chart::new(&score("SEO"), &points).unwrap();
        assert_eq!((chart.marks.len(), chart.segments.len()), (3, 1));
        assert_eq!(
            chart.segments[0].from,
            (chart.marks[1].x.clone(), chart.marks[1].y.clone())
        );
        assert!(chart.description.starts_with("SEO of 3 audits: 70 on"));
    }

    /// Audits with these paints of the start page, in milliseconds.
    fn paints(values: &[(u32, LabProfile)]) -> Vec<Point> {
        let days = (0_i64..).map(TimeDelta::days);
        let points = values.iter().zip(days);
        points
            .map(|(&(value, profile), days)| Point {
                at: DateTime::UNIX_EPOCH + days,
                value,
                series: Series::Profile(profile),
                is_steady: value < 4_000,
            })
            .collect()
    }

    #[test]
    fn measured_values_have_a_scale_of_their_own() {
        let points = paints(&[
            (1_200, LabProfile::MobileSlow4g),
            (4_000, LabProfile::MobileSlow4g),
        ]);
        let chart = Chart::new(&Plotted::Metric(Metric::Lcp), &points).unwrap();
        let grid: Vec<_> = chart.grid.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(grid, ["5,000 ms", "2,500 ms", "0 ms"]);
        assert_eq!(
            (chart.marks[0].y.as_str(), chart.marks[1].y.as_str()),
            ("126", "42")
        );
        assert_eq!(
            (chart.marks[0].disc, chart.marks[1].disc),
            (Some("5"), None)
        );
        assert!(
            chart.marks[1]
                .label
                .ends_with("4,000 ms (mobile-slow4g, on an unsteady machine)")
        );
        assert!(chart.changes.is_empty());
        assert_eq!(
            chart.description,
            "Largest Contentful Paint of the start page of 2 audits: 1,200 ms on 1 Jan 1970, 4,000 ms on 2 Jan 1970; \
             lowest 1,200 ms, highest 4,000 ms."
        );
    }

    #[test]
    fn another_profile_is_marked_and_no_line_leads_there() {
        let points = paints(&[
            (1_200, LabProfile::MobileSlow4g),
            (600, LabProfile::Desktop),
            (650, LabProfile::Desktop),
        ]);
        let chart = Chart::new(&Plotted::Metric(Metric::Lcp), &points).unwrap();
        assert_eq!((chart.segments.len(), chart.changes.len()), (1, 1));
        assert_eq!(chart.changes[0].x, chart.marks[1].x);
        assert_eq!(
            chart.changes[0].label,
            "Measured with desktop instead of mobile-slow4g from here"
        );
        assert!(chart.description.ends_with("changed 1 time."));
    }

    #[test]
    fn the_top_is_a_round_number() {
        for (value, top) in [
            (0, 100),
            (100, 100),
            (101, 200),
            (2_001, 5_000),
            (u32::MAX, u32::MAX),
        ] {
            assert_eq!(round_top(value), top);
        }
    }
}
