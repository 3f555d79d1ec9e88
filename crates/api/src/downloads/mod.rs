//! Documents behind signed links, which need no key: `/dl/reports/{reportId}.pdf`.

mod answer;
mod range;
mod request;

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::web::ServiceConfig;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use chrono::SecondsFormat;
use domain::audit_log::{Actor, AuditNote};
use domain::link::ReportLink;
use domain::ports::ReportDetail;
use domain::usecase::run_facts_without_visits;

use crate::documents::LoadedReport;
use crate::page_route::page;
use crate::state::ApiState;
use httpkit::middleware::{CallerOrg, who_asks};
use httpkit::problem::Problem;
use httpkit::request_timeout::RequestTimeout;

use answer::Shape;
use request::DownloadRequest;

/// Registers the documents.
pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(page("/dl/reports/{reportId}.pdf", report));
}

/// A report as PDF, for anyone with a link to it.
async fn report(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    match answered(&state, &request).await {
        Ok(response) => response,
        Err(refused) => state.respond(&request, &refused),
    }
}

async fn answered(state: &ApiState, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let mut request_timeout = RequestTimeout::default();
    let link = judged(state, request, &mut request_timeout).await?;
    request
        .extensions_mut()
        .insert(CallerOrg(link.org_id.clone()));
    // A build without PDF support creates no links, so this link is from another build.
    let renderer = state.renderer.clone().ok_or_else(Problem::not_found)?;
    let variant = state.settings.variant;
    let (stores, objects) = (Arc::clone(&state.stores), Arc::clone(&state.objects));
    let of = link.clone();
    let load = move || {
        let stored = stores.report(&of.org_id, &of.report_id, variant, ReportDetail::Whole)?;
        let loaded = stored.map(|report| {
            Ok(LoadedReport {
                run: run_facts_without_visits(&*stores, &*objects, &of.org_id, &report)?,
                report,
            })
        });
        loaded.transpose()
    };
    let wanted = (link.report_id.clone(), variant);
    let document = match state.documents.kept(&wanted) {
        Some(kept) => kept,
        None => {
            // Only generating the document counts towards limits, not sending a cached one.
            let exports = state.rate_limits.exports();
            let _permit = exports.acquire(&link.org_id, None)?;
            let documents = &state.documents;
            documents
                .document(wanted, (exports, &link.org_id), renderer, load)
                .await?
        }
    };
    let shape = Shape::new(request.method(), request.headers(), &document);
    let now = state.clock.now();
    if request.method() == Method::GET
        && shape.has_bytes()
        && state.documents.is_first_use(&link, now)
    {
        note_use(state, link, &mut request_timeout).await?;
    }
    Ok(shape.respond(&document))
}

/// The link of a request, if it is valid and has not expired.
async fn judged(
    state: &ApiState,
    request: &HttpRequest,
    request_timeout: &mut RequestTimeout,
) -> Result<ReportLink, Problem> {
    // Uses the raw path, because path parameters are already decoded.
    let requested = DownloadRequest::read(request.uri().path(), request.query_string());
    let requested = requested.ok_or_else(request::invalid)?;
    let known = state.clone();
    let step = move || requested.verify(&*known.stores, &*known.signer, &*known.clock);
    let (caller, ..) = who_asks(request);
    state
        .rate_limits
        .block_in_queue(request_timeout, &caller, step)
        .await?
}

/// Records the use of a link in the audit log: once, however often and in however many ranges the document is
/// downloaded, so that a holder of the link cannot fill the log.
async fn note_use(
    state: &ApiState,
    link: ReportLink,
    request_timeout: &mut RequestTimeout,
) -> Result<(), Problem> {
    let (stores, clock) = (Arc::clone(&state.stores), Arc::clone(&state.clock));
    let noted = request_timeout
        .block(move || {
            let note = note(&link, "link.used");
            stores.note(&link.org_id, clock.now(), &Actor::Link, &note)
        })
        .await?;
    Ok(noted?)
}

/// The audit log entry of a link, without its signature.
pub(crate) fn note(link: &ReportLink, event: &'static str) -> AuditNote {
    let until = link.expires_at.to_rfc3339_opts(SecondsFormat::Secs, true);
    AuditNote {
        event,
        subject: link.report_id.to_string(),
        detail: format!("PDF, until {until}"),
    }
}
