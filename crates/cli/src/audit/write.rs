//! Writes the report in the requested formats.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use chrono::{DateTime, SecondsFormat, Utc};
use domain::report::{PageVisit, Report, RunFacts};
use report::Verdict;
use report::export::{Export, Scored, SourceFiles, export};
use report::json::{Identity, IssueIds, unmoving};
use report::terminal::{TerminalFacts, TerminalOptions, render_check_findings, render_scored};
use serde_json::{Value, json};
use ulid::Generator;

use super::AuditDefaults;
use super::outputs::Output;
use crate::args::{AuditArgs, Format};
use crate::catalogue::EngineCatalogue;
use crate::output::{columns, wants_color, write_as, write_bytes, write_file};
use crate::runner::runner_form;
use crate::saved::CAUSE_FINGERPRINTS;

/// A report with everything that its formats need.
pub(super) struct Written<'a> {
    report: &'a Report,
    identity: Identity,
    ids: Vec<IssueIds>,
    scored: &'a Scored,
    took: Duration,
    run: RunFacts,
    sources: Option<SourceFiles>,
    /// The overall score of the baseline, if the two can be compared.
    baseline_score: Option<u8>,
}

impl<'a> Written<'a> {
    /// A report of a local audit.
    pub(super) fn new(
        report: &'a Report,
        (run, took, sources): (RunFacts, Duration, Option<SourceFiles>),
        defaults: &AuditDefaults,
        scored: &'a Scored,
    ) -> Self {
        let mut ids = Generator::new();
        let ids = report.issues.iter().map(|_| {
            // The generator overflows only after 2^80 ids within one millisecond.
            let id = ids
                .generate()
                .unwrap_or_else(|overflow| overflow.commit_overflow_random());
            IssueIds {
                issue_id: format!("iss_{id}"),
                action_id: None,
            }
        });
        Self {
            report,
            identity: Identity {
                report_id: None,
                run_id: None,
                site_id: None,
                created_at: now().to_rfc3339_opts(SecondsFormat::Millis, true),
                // Without a service, its documentation is nowhere: documents do not link there.
                help_base_url: defaults.base_url.clone().unwrap_or_default(),
            },
            ids: ids.collect(),
            scored,
            took,
            run,
            sources,
            baseline_score: None,
        }
    }

    /// With the overall score of the baseline.
    pub(super) const fn since(mut self, baseline_score: Option<u8>) -> Self {
        self.baseline_score = baseline_score;
        self
    }

    /// The result in one line.
    pub(super) fn verdict(&self) -> Verdict {
        Verdict::new(self.report, self.scored, Some(self.took))
    }

    /// The addresses that the audit requested.
    pub(super) fn visits(&self) -> &[PageVisit] {
        &self.run.visits
    }

    /// The input of the exports.
    pub(super) fn export(&self) -> Export<'_> {
        Export {
            report: self.report,
            identity: &self.identity,
            ids: &self.ids,
            checks: &EngineCatalogue,
            scored: self.scored,
            run: &self.run,
            sources: self.sources.as_ref(),
        }
    }
}

/// Writes the report in one format.
pub(super) fn report(output: &Output, written: &Written<'_>, args: &AuditArgs) -> Result<()> {
    let content = match output.format {
        Format::Export(format) if output.is_kept => {
            kept(export(&written.export(), format)?, written)?
        }
        Format::Export(format) => export(&written.export(), format)?,
        Format::Pdf => pdf(written, args)?,
        Format::Text => text(output, written, args).into_bytes(),
    };
    bytes(output, &content)
}

/// The JSON of `--save`: it has the fingerprints of all stored causes, not only those of the causes inside the
/// report.
fn kept(content: Vec<u8>, written: &Written<'_>) -> Result<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(&content)?;
    drop(content);
    let issues = value.get_mut("issues").and_then(Value::as_array_mut);
    let issues = issues
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut);
    for (issue, found) in issues.zip(&written.report.issues) {
        let causes = found.causes.iter().map(|cause| cause.fingerprint.as_str());
        let causes: Vec<_> = causes.collect();
        issue.insert(CAUSE_FINGERPRINTS.to_owned(), json!(causes));
    }
    Ok(unmoving(&format!("{value:#}\n")).into_bytes())
}

fn text(output: &Output, written: &Written<'_>, args: &AuditArgs) -> String {
    let to_screen = output.file.is_none();
    let options = TerminalOptions {
        color: to_screen && wants_color(),
        width: if to_screen { columns() } else { 80 },
        all_issues: args.all,
        ..TerminalOptions::default()
    };
    match written.scored {
        Scored::Nothing => render_check_findings(written.report, &args.checks, &options),
        scored => {
            let facts = TerminalFacts {
                created_at: Some(&written.identity.created_at),
                took: Some(written.took),
                baseline_score: written.baseline_score,
            };
            render_scored(written.report, scored, &facts, &options)
        }
    }
}

#[cfg(feature = "pdf")]
fn pdf(written: &Written<'_>, args: &AuditArgs) -> Result<Vec<u8>> {
    use report::pdf::{PdfFacts, PdfFonts, render};
    let created_at = chrono::DateTime::parse_from_rfc3339(&written.identity.created_at);
    let facts = PdfFacts {
        site_name: super::site(&written.report.url).to_owned(),
        created_at: created_at?.to_utc(),
        report_id: None,
        product_name: "Assay".to_owned(),
        product_version: env!("CARGO_PKG_VERSION").to_owned(),
        help_base_url: written.identity.help_base_url.clone(),
        duration_ms: written.run.duration_ms,
        brand: None,
        has_appendix: args.all,
        pictures: written.run.pictures.clone(),
    };
    Ok(render(written.report, &facts, &PdfFonts::embedded())?)
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &Written<'_>, _: &AuditArgs) -> Result<Vec<u8>> {
    anyhow::bail!("this build of assay does not support PDF")
}

/// Writes the badge of a report.
pub(super) fn badge(path: &Path, report: &Report) -> Result<()> {
    write_file(path, report::badge(report.score.overall).as_bytes(), None)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the bytes of one output.
pub(super) fn bytes(output: &Output, content: &[u8]) -> Result<()> {
    match &output.file {
        None => match runner_form(output.format) {
            Some(form) => write_as(form, &String::from_utf8_lossy(content)),
            None => write_bytes(content),
        }
        .context("cannot write to standard output"),
        Some(path) => write_file(path, content, runner_form(output.format))
            .with_context(|| format!("cannot write {}", path.display())),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a report is dated where it is printed, and waivers expire"
)]
pub(super) fn now() -> DateTime<Utc> {
    Utc::now()
}
