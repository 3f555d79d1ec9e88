//! The pages of a report, how they are spread, and what they weigh, as the values that the template sets.

use domain::text::{count, grouped, size};

use super::super::{Export, limits};
use crate::text::{link, shown};
use crate::view::{Bar, PageRow, PagesView, TreemapCell};

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
    pub(super) weights: Vec<TreemapCell>,
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
            weights: view.weights.iter().map(TreemapCell::new).collect(),
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
