//! A report in the forms that people keep.

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use domain::id::ReportId;
use domain::ports::StoredReport;
use report::export::{Export, ExportFormat, Scored, content_security_policy, export, limits};

use crate::endpoint::{Answer, Call, Content};
use crate::problem::Problem;
use crate::{convert, dl};

/// The report of that id as a file.
///
/// Forms that show more places of an issue than come with a report get them from the store, as many as
/// [`limits::places`] has it, so that what is held in memory is bounded.
pub(crate) fn answer(call: &Call, id: &ReportId, format: ExportFormat) -> Result<Answer, Problem> {
    let settings = &call.state.settings;
    let stored = call.state.stores.report(call.org(), id, settings.variant)?;
    let mut stored = stored.ok_or_else(Problem::not_found)?;
    add_places(call, &mut stored, format)?;
    let identities = stored.issues.iter();
    let ids: Vec<_> = identities
        .map(|identity| convert::issue_ids(identity, stored.report.variant))
        .collect();
    let bytes = export(
        &Export {
            report: &stored.report,
            identity: &convert::identity(&stored, &settings.base_url),
            ids: &ids,
            checks: &*call.state.checks,
            scored: &Scored::Whole,
        },
        format,
    );
    let bytes = bytes.map_err(|error| Problem::internal(error.to_string()))?;
    file(&stored, format, bytes)
}

fn add_places(call: &Call, stored: &mut StoredReport, format: ExportFormat) -> Result<(), Problem> {
    let (stores, variant) = (&call.state.stores, call.state.settings.variant);
    let wanted = limits::places(format, &stored.report.issues);
    let issues = stored.report.issues.iter_mut().zip(&stored.issues);
    for ((issue, identity), most) in issues.zip(wanted) {
        // No more are shown than there are.
        if most <= issue.occurrences.len() {
            continue;
        }
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let place = (&stored.id, &identity.issue_id);
        if let Some(page) = stores.occurrences(call.org(), place, variant, None, most)? {
            issue.occurrences = page.occurrences;
        }
    }
    Ok(())
}

/// The answer to save: a page that came from this server must not act in its name.
fn file(stored: &StoredReport, format: ExportFormat, bytes: Vec<u8>) -> Result<Answer, Problem> {
    let name = dl::file_name(&stored.report.url, stored.created_at, format.extension());
    let saved_as = value(&format!("attachment; filename=\"{name}\""))?;
    let mut headers = vec![(header::CONTENT_DISPOSITION, saved_as)];
    if format == ExportFormat::Html {
        let policy = value(&content_security_policy())?;
        headers.push((header::CONTENT_SECURITY_POLICY, policy));
    }
    let media_type = format.media_type();
    Ok(Answer {
        status: StatusCode::OK,
        headers,
        content: Content::File { media_type, bytes },
    })
}

fn value(text: &str) -> Result<HeaderValue, Problem> {
    HeaderValue::from_str(text).map_err(|error| Problem::internal(error.to_string()))
}
