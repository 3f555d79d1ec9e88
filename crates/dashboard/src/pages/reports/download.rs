//! A report as a file.

use domain::id::ReportId;
use domain::ports::{DocumentRequest, ReportDetail, StoredReport};
use domain::report::{RunFacts, file_name};
use domain::usecase::{run_facts, run_facts_without_visits};
use report::export::{Export, ReportFormat, Scored, export};
use report::json::{Identity, IssueIds};

use crate::failure::Failure;
use crate::reply::Reply;
use crate::visit::Visit;

const PDF: &str = "pdf";
const PDF_WITH_APPENDIX: &str = "pdf?appendix=true";

/// A file that the page of a report offers.
pub(super) struct Download {
    /// Its name in the address.
    pub(super) format: &'static str,
    pub(super) label: &'static str,
    pub(super) purpose: &'static str,
}

/// The files that a report can be saved as.
pub(super) fn downloads(visit: &Visit) -> Vec<Download> {
    let pdf = visit.state.renderer.as_ref().map(|_| {
        [
            Download {
                format: PDF,
                label: "PDF",
                purpose: "For printing and for people without access: at most 20 pages.",
            },
            Download {
                format: PDF_WITH_APPENDIX,
                label: "PDF with appendix",
                purpose: "With all evidence and the calculation of the scores.",
            },
        ]
    });
    let files = ReportFormat::ALL.map(|format| Download {
        format: format.as_str(),
        label: label(format),
        purpose: format.description(),
    });
    pdf.into_iter().flatten().chain(files).collect()
}

const fn label(format: ReportFormat) -> &'static str {
    match format {
        ReportFormat::Html => "HTML",
        ReportFormat::Markdown => "Markdown",
        ReportFormat::Sarif => "SARIF",
        ReportFormat::Junit => "JUnit",
        ReportFormat::Csv => "CSV",
        ReportFormat::Json => "JSON",
        ReportFormat::Llm => "For language models",
    }
}

/// Makes the file. The report is read with all its evidence, which is bounded when it is stored.
pub(super) fn download(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let name = visit.parameter("format");
    let format = ReportFormat::parse(name);
    if format.is_none() && (name != PDF || visit.state.renderer.is_none()) {
        return Err(Failure::NotFound);
    }
    let (stores, detail) = (&visit.state.stores, ReportDetail::Whole);
    let stored = stores.report(visit.org()?, &id, visit.variant(), detail)?;
    let stored = stored.ok_or(Failure::NotFound)?;
    visit.abandoned.check()?;
    match format {
        Some(format) => file(visit, &stored, format),
        None => pdf(visit, &stored),
    }
}

fn file(visit: &Visit, stored: &StoredReport, format: ReportFormat) -> Result<Reply, Failure> {
    let identities = stored.issues.iter();
    let ids: Vec<_> = identities
        .map(|identity| IssueIds::of_stored(identity, stored.report.variant))
        .collect();
    let run = match format {
        ReportFormat::Html => {
            let (stores, objects) = (&*visit.state.stores, &*visit.state.objects);
            run_facts(stores, objects, visit.org()?, stored)?
        }
        _ => RunFacts::default(),
    };
    let bytes = export(
        &Export {
            report: &stored.report,
            identity: &Identity::of_stored(stored, &visit.state.settings.base_url),
            ids: &ids,
            checks: &*visit.state.checks,
            scored: &Scored::Whole,
            run: &run,
            sources: None,
        },
        format,
    );
    let bytes = bytes.map_err(|error| Failure::Internal(error.to_string()))?;
    let name = file_name(&stored.report.url, stored.created_at, format.extension());
    Ok(Reply::file(format.media_type(), name, bytes))
}

fn pdf(visit: &Visit, stored: &StoredReport) -> Result<Reply, Failure> {
    let renderer = visit.state.renderer.as_ref().ok_or(Failure::NotFound)?;
    let (org, stores, objects) = (visit.org()?, &*visit.state.stores, &*visit.state.objects);
    let bytes = renderer.pdf(DocumentRequest {
        org,
        report: stored,
        run: &run_facts_without_visits(stores, objects, org, stored)?,
        has_appendix: visit.query.text("appendix") == "true",
    });
    let bytes = bytes.map_err(|error| Failure::Internal(error.to_string()))?;
    let name = file_name(&stored.report.url, stored.created_at, PDF);
    Ok(Reply::file("application/pdf", name, bytes))
}
