//! The report as the HTTP API returns it.

use api_types::report::ReportFormat;
use domain::Dimension;
use serde::Serialize;
use serde_json::Value;

use super::{Export, ExportError, Scored};
use crate::json::{IssueIds, UnmovingWriter, wire_report};

/// What a report of single checks leaves out: their scores would say nothing of the site.
const SCORED: [&str; 4] = ["overallScore", "subscores", "summaries", "scoring"];

pub(super) fn render(export: &Export<'_>) -> Result<String, ExportError> {
    let failed = |error: serde_json::Error| ExportError::new(ReportFormat::Json, &error);
    let mut ids = export.ids.iter().cloned();
    let wire = wire_report(export.report, export.identity, || {
        // There is one for each issue.
        ids.next().unwrap_or(IssueIds {
            issue_id: String::new(),
            action_id: None,
        })
    });
    match export.scored {
        Scored::Whole => written(&wire),
        partly => serde_json::to_value(&wire).and_then(|mut value| {
            leave_out(&mut value, partly);
            written(&value)
        }),
    }
    .map_err(failed)
}

fn written(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut out = UnmovingWriter::default();
    serde_json::to_writer_pretty(&mut out, value)?;
    let mut text = out.finish();
    text.push('\n');
    Ok(text)
}

/// Puts `null` in place of the scores that mean nothing.
fn leave_out(report: &mut Value, scored: &Scored) {
    if let Scored::Dimensions(_) = scored {
        clear(report, "overallScore");
        for key in ["subscores", "summaries"] {
            if let Some(object) = report.get_mut(key) {
                clear(object, "overall");
                clear_dimensions(object, scored);
            }
        }
        for key in ["weights", "dimensions"] {
            let scoring = report.get_mut("scoring");
            if let Some(object) = scored_part(scoring, key) {
                clear_dimensions(object, scored);
            }
        }
    } else {
        for key in SCORED {
            clear(report, key);
        }
    }
    let issues = report.get_mut("issues").and_then(Value::as_array_mut);
    for issue in issues.into_iter().flatten() {
        clear(issue, "scoreImpact");
        let causes = issue.get_mut("causes").and_then(Value::as_array_mut);
        for cause in causes.into_iter().flatten() {
            clear(cause, "scoreImpact");
        }
    }
}

fn scored_part<'a>(scoring: Option<&'a mut Value>, key: &str) -> Option<&'a mut Value> {
    scoring.and_then(|scoring| scoring.get_mut(key))
}

fn clear_dimensions(object: &mut Value, scored: &Scored) {
    for dimension in Dimension::ALL {
        if !scored.has(dimension) {
            clear(object, dimension.as_str());
        }
    }
}

fn clear(value: &mut Value, key: &str) {
    if let Some(found) = value.get_mut(key) {
        *found = Value::Null;
    }
}
