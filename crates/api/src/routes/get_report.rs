use api_types::report::{ReportAnswer, RequestedFormat};
use domain::id::ReportId;
use domain::key::Role;
use domain::link::ReportLink;
use domain::ports::ReportDetail;
use domain::text::enumeration;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::endpoint::{Call, Endpoint, Lane, Reply};
use crate::{convert, downloads, export};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_report,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane,
    problems: &[],
    example: |variant| serde_json::to_value(examples::report(variant)),
    handle: get_report,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct ReportQuery {
    /// An alternative representation of the report; omit it for JSON.
    #[param(inline, value_type = Option<RequestedFormat>)]
    format: Option<String>,
}

/// Get a report
///
/// Returns scores, summaries, one issue per check with findings, the checks that could not be evaluated, and the
/// calculation of the scores: at most 2 MiB of JSON. Issues are ordered by score impact. Each has its largest
/// causes, at most 20, with at most 5 occurrences each, and fewer if the report would exceed 2 MiB. Totals are
/// exact; `list_causes` and `list_occurrences` return everything that is stored.
///
/// With `format=pdf_url`, the response is a link to the PDF below `/dl` on this server. The link needs no key,
/// supports GET and HEAD, and is valid for five minutes (then `link_expired`; `link_invalid` if it was altered).
/// With any other `format`, the response is the report as a file: `html`, `markdown`, `sarif` (2.1.0), `junit`,
/// `csv`, `json`, or `llm`, which has at most 32 KiB for language models. `csv` and `sarif` contain more causes
/// and occurrences than JSON: `csv` all that are stored, up to 20,000 rows, and `sarif` up to 100 occurrences per
/// cause.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        ReportQuery,
    ),
    responses((
        status = 200,
        description = "The report as JSON, a link to the PDF, or the report as a file.",
        content(
            (inline(ReportAnswer) = "application/json", examples(("pdf_url" = (
                summary = "With `format=pdf_url`",
                value = json!({
                    "url": "https://assay.example/dl/reports/rep_01KAK2NB6HQ4V1X9C7J3D5S8MT.pdf?exp=1795262740&kid=k1&sig=7d38b5cd25a2baf85ad3bb5b9311383e671a8a142eb302b324d4a5fba8748c69",
                    "expiresAt": "2026-11-21T12:05:40.000Z",
                }),
            )))),
            (String = "text/html"),
            (String = "text/markdown"),
            (Object = "application/sarif+json"),
            (String = "application/xml"),
            (String = "text/csv"),
        ),
        headers(
            ("Content-Disposition" = String, description = "The file name for saving the report: `attachment; filename=\"assay-example.com-2026-11-21.html\"`. Absent without `format` and with `pdf_url`."),
        ),
    )),
)]
fn get_report(call: &Call) -> Result<Reply, Problem> {
    let format = format(call)?;
    let id = call.id("reportId", ReportId::parse)?;
    match format {
        None => report(call, &id),
        Some(RequestedFormat::PdfUrl) => pdf_url(call, id),
        Some(RequestedFormat::File(format)) => export::answer(call, &id, format),
    }
}

fn format(call: &Call) -> Result<Option<RequestedFormat>, Problem> {
    let has_pdf = call.state.renderer.is_some();
    let is_there = |format: &RequestedFormat| has_pdf || *format != RequestedFormat::PdfUrl;
    let there = || RequestedFormat::all().filter(is_there);
    let found = |text: &str| there().find(|format| format.as_str() == text);
    let unknown = || {
        let names = there().map(|format| format!("`{}`", format.as_str()));
        let names = enumeration(&names.collect::<Vec<_>>());
        let lacks = if has_pdf {
            ""
        } else {
            "This build of the server does not support PDF. "
        };
        let needed = format!("{lacks}Must be one of {names}; omit the parameter for JSON.");
        Problem::field("format", needed)
    };
    call.query(|query: ReportQuery, invalid| {
        let format = query.format.as_deref();
        let format = format.map(|text| found(text).ok_or_else(unknown));
        invalid.check(format.transpose())
    })
}

fn report(call: &Call, id: &ReportId) -> Result<Reply, Problem> {
    let settings = &call.state.settings;
    let stores = &call.state.stores;
    let report = stores.report(call.org(), id, settings.variant, ReportDetail::Inline)?;
    let report = report.ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::report(&report, &settings.base_url))
}

fn pdf_url(call: &Call, id: ReportId) -> Result<Reply, Problem> {
    let (stores, now) = (&call.state.stores, call.now());
    let owner = stores.org_of_report(&id)?;
    if owner.as_ref() != Some(call.org()) {
        return Err(Problem::not_found());
    }
    let link = ReportLink::issued(call.org().clone(), id, now);
    let signature = call.state.signer.sign(&link);
    stores.note(
        call.org(),
        now,
        &call.by(),
        &downloads::note(&link, "link.issued"),
    )?;
    let base_url = &call.state.settings.base_url;
    Reply::ok(&convert::pdf_url(&link, &signature, base_url))
}

/// The cost class of a query. Getting the link is cheap, and so is every rejected query. Because names and values
/// can be percent-encoded in many ways, every other query counts as an export.
fn lane(query: &str) -> Lane {
    match query {
        "" => Lane::Report,
        "format=pdf_url" => Lane::Read,
        _ => Lane::Export,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("", Lane::Report)]
    #[case("format=pdf_url", Lane::Read)]
    #[case("format=csv", Lane::Export)]
    #[case("f%6frmat=csv", Lane::Export)]
    fn lanes(#[case] query: &str, #[case] expected: Lane) {
        assert_eq!(lane(query), expected);
    }
}
