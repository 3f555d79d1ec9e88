//! Audits a site in memory and scores it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use audit_engine::gather::{Fetcher, RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::Dimension;
use domain::report::{Report, Variant};
use domain::score::DimensionWeights;

/// The scores of a site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scores {
    pub(crate) overall: f64,
    pub(crate) dimensions: BTreeMap<Dimension, f64>,
    /// The checks with findings, most expensive first.
    pub(crate) failed: Vec<String>,
    pub(crate) pages: u64,
}

impl Scores {
    pub(crate) fn of(&self, dimension: Dimension) -> f64 {
        self.dimensions.get(&dimension).copied().unwrap_or_default()
    }
}

/// The scores of a recording, which begins at [`RECORDING_BASE`].
pub(crate) fn recording(text: &str, max_pages: u32) -> anyhow::Result<Scores> {
    let recording = Recording::parse(text)?;
    let external = true;
    audited(Arc::new(recording), max_pages, external)
}

/// The scores of what a fetcher responds with.
pub(crate) fn audited(
    fetcher: Arc<dyn Fetcher>,
    max_pages: u32,
    external: bool,
) -> anyhow::Result<Scores> {
    let options = AuditOptions {
        max_pages,
        external,
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    let audit = runtime
        .block_on(auditor.audit(RECORDING_BASE))
        .context("the site cannot be audited")?;
    let result = audit.result;
    let report = Report::assemble(&result, Variant::Current, &DimensionWeights::default());
    // Scores are rounded to whole numbers here: a difference of less than half a point may be invisible.
    let dimensions = report
        .score
        .dimensions
        .iter()
        .map(|(dimension, score)| (*dimension, f64::from(score.subscore)))
        .collect();
    Ok(Scores {
        overall: f64::from(report.score.overall),
        dimensions,
        failed: report
            .issues
            .iter()
            .map(|issue| issue.check_id.clone())
            .collect(),
        pages: report.coverage.pages_audited,
    })
}
