//! The pages of a report, how they are spread, and what they weigh, as the values that the template sets.

use domain::text::{count, grouped};

use super::super::{Export, limits};
use crate::text::{link, shown};
use crate::view::{Bar, PageRow, PagesView, WeightCell};

/// Thousandths of the treemap's width that a character of a label takes, about.
const CHARACTER: f64 = 9.0;
/// The least height of a rectangle with a label.
const LINE: f64 = 24.0;
/// The distance of a label from the edges.
const MARGIN: f64 = 6.0;
/// What stands in a cell without a value.
const NONE: &str = "–";

/// The pages.
pub(super) struct Pages {
    pub(super) intro: String,
    pub(super) charts: [Chart; 2],
    pub(super) label: String,
    pub(super) dimensions: Vec<&'static str>,
    pub(super) rows: Vec<Row>,
    pub(super) more: String,
    pub(super) weight: String,
    pub(super) weights: Vec<Cell>,
}

/// A histogram, which is a table.
pub(super) struct Chart {
    pub(super) caption: &'static str,
    pub(super) head: &'static str,
    pub(super) bars: Vec<BarRow>,
}

pub(super) struct BarRow {
    pub(super) label: String,
    pub(super) number: String,
    pub(super) length: u64,
}

pub(super) struct Row {
    pub(super) status: String,
    pub(super) path: String,
    pub(super) to: Option<String>,
    pub(super) title: String,
    pub(super) depth: String,
    pub(super) size: String,
    pub(super) issues: u32,
    pub(super) scores: Vec<String>,
}

/// A rectangle of the treemap and a row of its table.
pub(super) struct Cell {
    pub(super) label: String,
    /// The label inside the rectangle; empty if it has no room.
    pub(super) name: String,
    pub(super) pages: String,
    pub(super) bytes: String,
    pub(super) share: String,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
    pub(super) text_x: String,
    pub(super) text_y: String,
}

impl Pages {
    /// The pages of a report; none if they are not known.
    pub(super) fn new(export: &Export<'_>) -> Option<Self> {
        let visits = &export.run.visits;
        if visits.is_empty() {
            return None;
        }
        let view = PagesView::new(export.report, export.scored, visits, limits::HTML_PAGES);
        let total = count(view.total, "URL", "URLs");
        let audited = export.report.coverage.pages_audited;
        let audited = count(audited, "page was", "pages were");
        let documents: u64 = view.weights.iter().map(|cell| cell.pages).sum();
        Some(Self {
            intro: format!("{total} of the site requested, of which {audited} audited."),
            charts: [
                chart("Clicks from the start page", "Depth", &view.depths),
                chart("Responses", "Status", &view.statuses),
            ],
            label: match view.left_out {
                0 => format!("Table of {total}"),
                _ => format!(
                    "Table of {} of {total}",
                    grouped(view.total - view.left_out)
                ),
            },
            dimensions: view.dimensions.iter().map(|found| short(*found)).collect(),
            rows: view.rows.iter().map(Row::new).collect(),
            more: more(export, &view),
            weight: format!(
                "{} of HTML in {}, without compression, by folder. Images, styles and scripts are not in it.",
                size(view.bytes),
                count(documents, "document", "documents"),
            ),
            weights: view.weights.iter().map(Cell::new).collect(),
        })
    }
}

fn chart(caption: &'static str, head: &'static str, bars: &[Bar]) -> Chart {
    let bars = bars.iter().map(|bar| BarRow {
        label: bar.label.clone(),
        number: grouped(bar.number),
        length: bar.length,
    });
    Chart {
        caption,
        head,
        bars: bars.collect(),
    }
}

/// The name of a dimension in the head of a narrow column.
const fn short(dimension: domain::Dimension) -> &'static str {
    match dimension {
        domain::Dimension::Performance => "Perf.",
        domain::Dimension::Accessibility => "A11y",
        domain::Dimension::Seo => "SEO",
        domain::Dimension::Security => "Sec.",
        domain::Dimension::Content => "Cont.",
        domain::Dimension::AiReadiness => "AI",
    }
}

/// What is not in the table, and where it is.
fn more(export: &Export<'_>, view: &PagesView<'_>) -> String {
    if view.left_out == 0 {
        return String::new();
    }
    let left_out = count(view.left_out, "URL is", "URLs are");
    let place = match &export.identity.report_id {
        Some(id) => format!(
            "assay reports pages {id}, and GET /api/mcp/reports/{id}/pages, list all of them."
        ),
        None => "An audit of a part of the site, with --include, shows them.".to_owned(),
    };
    format!("{left_out} not in this file, those with the fewest issues. {place}")
}

impl Row {
    fn new(row: &PageRow<'_>) -> Self {
        let visit = row.visit;
        let or_none = |text: Option<String>| text.unwrap_or_else(|| NONE.to_owned());
        Self {
            status: or_none(visit.status.map(|status| status.to_string())),
            path: shown(row.path, limits::ADDRESS),
            to: link(&visit.url),
            title: shown(visit.title.as_deref().unwrap_or_default(), limits::TITLE),
            depth: or_none(visit.depth.map(|depth| depth.to_string())),
            size: or_none(visit.bytes.map(size)),
            issues: row.issues,
            scores: row
                .scores
                .iter()
                .map(|score| or_none(score.map(|score| score.to_string())))
                .collect(),
        }
    }
}

impl Cell {
    fn new(cell: &WeightCell) -> Self {
        let label = shown(&cell.label, limits::TITLE);
        Self {
            name: name(&label, cell),
            label,
            pages: grouped(cell.pages),
            bytes: size(cell.bytes),
            share: format!("{}.{} %", cell.share / 10, cell.share % 10),
            x: format!("{:.1}", cell.x),
            y: format!("{:.1}", cell.y),
            width: format!("{:.1}", cell.width),
            height: format!("{:.1}", cell.height),
            text_x: format!("{:.1}", cell.x + MARGIN),
            text_y: format!("{:.1}", cell.y + LINE - MARGIN),
        }
    }
}

/// The label inside a rectangle, cut to its width; empty if there is no room for some characters.
fn name(label: &str, cell: &WeightCell) -> String {
    let room = (cell.width - 2.0 * MARGIN) / CHARACTER;
    let fitting = (0..limits::TITLE)
        .take_while(|&most| fits(most, room))
        .count();
    if cell.height < LINE || fitting < 4 {
        return String::new();
    }
    shown(label, fitting)
}

fn fits(most: usize, room: f64) -> bool {
    u32::try_from(most + 1).is_ok_and(|most| f64::from(most) <= room)
}

/// "38 KB"; a thousand bytes are a kilobyte.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["KB", "MB", "GB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes.saturating_mul(10) / 1_000;
    let mut unit = 0;
    while tenths >= 10_000 && unit + 1 < UNITS.len() {
        tenths /= 1_000;
        unit += 1;
    }
    let name = UNITS.get(unit).copied().unwrap_or_default();
    match tenths {
        small @ 0..100 => format!("{}.{} {name}", small / 10, small % 10),
        _ => format!("{} {name}", grouped(tenths / 10)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit() {
        for (bytes, text) in [
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (38_400, "38 KB"),
            (2_500_000, "2.5 MB"),
            (9_999_999, "9.9 MB"),
            (7_000_000_000_000, "7,000 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
