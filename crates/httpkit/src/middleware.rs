//! The middleware of every request: request id, security headers, problems for errors of any origin, and the access
//! log line.

use std::net::Ipv4Addr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, ResponseError};
use domain::id::{KeyId, OrgId};
use futures_util::FutureExt;

use crate::LOG_TARGET;
use crate::accept::prefers_page;
use crate::chunked_body::{ChunkedBody, ResponsePermits};
use crate::context::{ErrorPage, HttpContext};
use crate::head_requests::Head;
use crate::measure::{Answered, Meter};
use crate::problem::{Code, Limit, MEDIA_TYPE, Problem};
use crate::rate_limits::{Caller, KeyCounted, KnownKey};
use crate::request_guard::RequestGuard;
use crate::throttle::{self, Refusal};
use crate::{redact, request_body};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The route name of every path that no route matches.
const UNKNOWN: &str = "unknown";

/// A response rendered as a page may load nothing.
const DENY_ALL: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The id of a request, stored in its extensions.
struct RequestId(String);

/// The organization that makes a request, stored in its extensions.
pub struct CallerOrg(pub OrgId);

/// The id of the key that makes a request, stored in its extensions. Never the key itself.
pub struct CallerKey(pub KeyId);

/// Returns the id of a request.
pub fn request_id(request: &HttpRequest) -> String {
    let extensions = request.extensions();
    let id = extensions.get::<RequestId>();
    id.map(|RequestId(id)| id.clone()).unwrap_or_default()
}

/// Returns the caller as known before key look-up, the known key, and the rate limit status if the call is counted.
pub fn who_asks(request: &HttpRequest) -> (Caller, Option<KnownKey>, Option<KeyCounted>) {
    let extensions = request.extensions();
    let caller = extensions.get::<Caller>().cloned();
    (
        // Every request on a path of this service has a caller.
        caller.unwrap_or(Caller::Address(Ipv4Addr::UNSPECIFIED.into())),
        extensions.get().cloned(),
        extensions.get().copied(),
    )
}

/// Wraps an app with the middleware.
pub fn around<S, B>(
    http: &HttpContext,
    mut request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse<ChunkedBody>, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    let started = Instant::now();
    // Always generated here, never taken from the client, who could forge it.
    let id = http.ids.ulid();
    let method = request.method().clone();
    request.extensions_mut().insert(RequestId(id.clone()));
    let (meter, base_url) = (http.meter.clone(), Arc::clone(&http.base_url));
    let error_page = error_page(http, &request);
    let guard = RequestGuard::new(&request);
    // The end of a chunked body is unknown, so a body that is not read may never end.
    let is_chunked = request.headers().contains_key(header::TRANSFER_ENCODING);
    let body_time = http.rate_limits.limits().body_time;
    request_body::limit_time(&mut request, body_time, || {
        guard.as_ref().map(RequestGuard::body)
    });
    let answer = match admit(http, &request) {
        Ok(()) => Ok(service.call(request)),
        Err(refusal) => Err((request, refusal)),
    };
    async move {
        let meter = meter.as_deref();
        let outcome = match answer {
            Ok(answer) => AssertUnwindSafe(answer)
                .catch_unwind()
                .await
                .map(|answered| answered.map(ServiceResponse::map_into_boxed_body)),
            Err((request, refusal)) => {
                let response = refused(&refusal, &base_url, &id);
                Ok(Ok(request.into_response(response)))
            }
        };
        let cause = match outcome {
            Ok(Ok(response)) => {
                let response = as_problem(response, &base_url, &id);
                let mut response = as_page(response, error_page.as_ref(), &id);
                finish(response.headers_mut(), &id);
                let permits = response.request().extensions_mut().remove();
                let held = ResponsePermits::new(permits, guard);
                if is_chunked && !response.status().is_success() {
                    let head = response.response_mut().head_mut();
                    head.set_connection_type(ConnectionType::Close);
                }
                log(&response, &id, &method, started);
                measure(meter, &response, &method, started);
                return Ok(sent(response, &method, held));
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the handler panicked".to_owned(),
        };
        if let Some(meter) = meter {
            meter.answered(&Answered {
                method: redact::method(&method),
                route: UNKNOWN,
                status: StatusCode::INTERNAL_SERVER_ERROR.as_u16(),
                took: started.elapsed(),
            });
        }
        // The service that failed dropped the request, so there is no route to log.
        let problem = Problem::internal(cause);
        Err(Failure {
            problem,
            base_url,
            id,
            error_page,
        }
        .into())
    }
}

/// Makes the page of an error of this request; none if the error is a problem document.
fn error_page(http: &HttpContext, request: &ServiceRequest) -> Option<ErrorPage> {
    let is_for_person =
        !http.paths.is_for_programs(request.path()) && prefers_page(request.headers());
    http.error_page.clone().filter(|_| is_for_person)
}

/// Throttles a request before any of it is read. Its permits are then in its extensions.
fn admit(http: &HttpContext, request: &ServiceRequest) -> Result<(), Box<Refusal>> {
    let admitted = throttle::check(http, request).inspect_err(|refusal| {
        if let Some(known) = &refusal.known {
            let mut extensions = request.extensions_mut();
            extensions.insert(CallerOrg(known.org.clone()));
            extensions.insert(CallerKey(known.key.clone()));
        }
    })?;
    let Some(admitted) = admitted else {
        return Ok(());
    };
    let mut extensions = request.extensions_mut();
    extensions.insert(admitted.caller);
    extensions.insert(admitted.permits);
    if let Some(known) = admitted.known {
        extensions.insert(known);
    }
    if let Some(counted) = admitted.counted {
        extensions.insert(counted);
    }
    Ok(())
}

fn refused(refusal: &Refusal, base_url: &str, id: &str) -> HttpResponse {
    let mut response = refusal.problem.respond(base_url, id);
    if let Some(standing) = refusal.standing {
        standing.show(response.headers_mut());
    }
    response
}

/// Converts an error response of another origin to a problem.
fn as_problem<B: MessageBody + 'static>(
    response: ServiceResponse<B>,
    base_url: &str,
    id: &str,
) -> ServiceResponse<EitherBody<B>> {
    if !is_foreign_error(response.status(), response.headers()) {
        return response.map_into_left_body();
    }
    let status = response.status();
    let code = Code::nearest(status);
    let problem = if status.is_server_error() {
        Problem::internal(format!(
            "a response with status {status} and no problem document"
        ))
    } else if code == Code::NotFound {
        Problem::not_found()
    } else {
        Problem::new(code, code.explanation())
    };
    let allow = response.headers().get(header::ALLOW).cloned();
    let mut problem = problem.respond(base_url, id);
    if let Some(allow) = allow {
        problem.headers_mut().insert(header::ALLOW, allow);
    }
    response.into_response(problem.map_into_right_body())
}

/// Converts a problem to a page if the client prefers one.
fn as_page<B: MessageBody + 'static>(
    response: ServiceResponse<B>,
    error_page: Option<&ErrorPage>,
    id: &str,
) -> ServiceResponse<EitherBody<B>> {
    let problem = response.response().extensions().get::<Problem>().cloned();
    let Some((make, problem)) = error_page.zip(problem) else {
        return response.map_into_left_body();
    };
    let page = page_of(make, &problem, id, response.response());
    response.into_response(page.map_into_right_body())
}

/// The page of a problem, with the headers of its problem document.
fn page_of<B>(make: &ErrorPage, problem: &Problem, id: &str, of: &HttpResponse<B>) -> HttpResponse {
    let mut page = make(problem, id);
    for (name, value) in of.headers() {
        if *name != header::CONTENT_TYPE && !page.headers().contains_key(name) {
            page.headers_mut().append(name.clone(), value.clone());
        }
    }
    if let Some(limit) = of.extensions().get::<Limit>() {
        page.extensions_mut().insert(*limit);
    }
    page
}

/// Whether a response is an error without a body of this service.
fn is_foreign_error(status: StatusCode, headers: &HeaderMap) -> bool {
    let is_error = status.is_client_error() || status.is_server_error();
    is_error
        && headers
            .get(header::CONTENT_TYPE)
            .is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"))
}

/// Adds the headers that every response has.
fn finish(headers: &mut HeaderMap, id: &str) {
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    if !headers.contains_key(header::REFERRER_POLICY) {
        headers.insert(
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        );
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, DENY_ALL);
    }
}

/// Converts the body of a response for sending. A response to HEAD has the `Content-Length` of GET and no body.
fn sent<B: MessageBody + 'static>(
    response: ServiceResponse<B>,
    method: &Method,
    held: ResponsePermits,
) -> ServiceResponse<ChunkedBody> {
    response.map_body(|_, body| {
        let body = match body.size() {
            _ if *method != Method::HEAD => ChunkedBody::new(body),
            BodySize::Sized(length) => ChunkedBody::new(Head(length)),
            BodySize::None | BodySize::Stream => ChunkedBody::new(()),
        };
        body.holding(held)
    })
}

fn measure<B>(
    meter: Option<&dyn Meter>,
    response: &ServiceResponse<B>,
    method: &Method,
    started: Instant,
) {
    let Some(meter) = meter else { return };
    if let Some(limit) = response.response().extensions().get::<Limit>() {
        meter.refused(*limit);
    }
    let route = response.request().match_pattern();
    meter.answered(&Answered {
        method: redact::method(method),
        route: route.as_deref().unwrap_or(UNKNOWN),
        status: response.status().as_u16(),
        took: started.elapsed(),
    });
}

fn log<B>(response: &ServiceResponse<B>, id: &str, method: &Method, started: Instant) {
    if !tracing::enabled!(target: LOG_TARGET, tracing::Level::INFO) {
        return;
    }
    let request = response.request();
    let extensions = request.extensions();
    let org = extensions.get::<CallerOrg>();
    let key = extensions.get::<CallerKey>();
    tracing::info!(
        target: LOG_TARGET,
        {
            request.id = id,
            http.method = redact::method(method),
            http.route = request.match_pattern(),
            http.path = &*redact::path(request.path()),
            http.status = response.status().as_u16(),
            duration_ms = started.elapsed().as_secs_f64() * 1_000.0,
            org.id = org.map(|org| org.0.as_str()),
            key.id = key.map(|key| key.0.as_str()),
        },
        "request"
    );
}

/// An error after which the request is no longer available.
struct Failure {
    problem: Problem,
    base_url: Arc<str>,
    id: String,
    error_page: Option<ErrorPage>,
}

impl std::fmt::Debug for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Failure").field(&self.problem).finish()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.problem.cause().unwrap_or_default())
    }
}

impl ResponseError for Failure {
    fn status_code(&self) -> StatusCode {
        self.problem.code().status()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = self.problem.respond(&self.base_url, &self.id);
        debug_assert!(
            response
                .headers()
                .get(header::CONTENT_TYPE)
                .is_some_and(|kind| kind == MEDIA_TYPE)
        );
        if let Some(make) = &self.error_page {
            response = page_of(make, &self.problem, &self.id, &response);
        }
        finish(response.headers_mut(), &self.id);
        response
    }
}
