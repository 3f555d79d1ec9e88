//! Exports of a report as files.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use api_types::report::ReportFormat;
use domain::id::ReportId;
use domain::ports::{ReportDetail, StoredReport};
use domain::report::{RunFacts, file_name};
use domain::usecase::run_facts;
use report::export::{Export, Scored, content_security_policy, export};
use report::json::{Identity, IssueIds};

use crate::endpoint::{Call, Content, Reply};
use httpkit::problem::Problem;

/// The report with this id as a file.
///
/// It is read once with all stored causes and occurrences, which are at most
/// [`MAX_EVIDENCE_BYTES`](domain::report::MAX_EVIDENCE_BYTES) of text; each form shows a part of them.
pub(crate) fn answer(call: &Call, id: &ReportId, format: ReportFormat) -> Result<Reply, Problem> {
    let settings = &call.state.settings;
    let (stores, detail) = (&call.state.stores, ReportDetail::Whole);
    let stored = stores.report(call.org(), id, settings.variant, detail)?;
    let stored = stored.ok_or_else(Problem::not_found)?;
    call.abandoned.check()?;
    let identities = stored.issues.iter();
    let ids: Vec<_> = identities
        .map(|identity| IssueIds::of_stored(identity, stored.report.variant))
        .collect();
    let run = match format {
        ReportFormat::Html => {
            let (stores, objects) = (&*call.state.stores, &*call.state.objects);
            run_facts(stores, objects, call.org(), &stored)?
        }
        _ => RunFacts::default(),
    };
    let bytes = export(
        &Export {
            report: &stored.report,
            identity: &Identity::of_stored(&stored, &settings.base_url),
            ids: &ids,
            checks: &*call.state.checks,
            scored: &Scored::Whole,
            run: &run,
            sources: None,
        },
        format,
    );
    let bytes = bytes.map_err(|error| Problem::internal(error.to_string()))?;
    file(&stored, format, bytes)
}

/// The response as an attachment: an HTML page from this server must not run on its origin.
fn file(stored: &StoredReport, format: ReportFormat, bytes: Vec<u8>) -> Result<Reply, Problem> {
    let name = file_name(&stored.report.url, stored.created_at, format.extension());
    let saved_as = value(&format!("attachment; filename=\"{name}\""))?;
    let mut headers = vec![(header::CONTENT_DISPOSITION, saved_as)];
    if format == ReportFormat::Html {
        let policy = value(&content_security_policy())?;
        headers.push((header::CONTENT_SECURITY_POLICY, policy));
    }
    let media_type = format.media_type();
    Ok(Reply {
        status: StatusCode::OK,
        headers,
        content: Content::File { media_type, bytes },
    })
}

fn value(text: &str) -> Result<HeaderValue, Problem> {
    HeaderValue::from_str(text).map_err(|error| Problem::internal(error.to_string()))
}
