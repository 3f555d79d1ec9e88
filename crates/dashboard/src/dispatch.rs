//! From a request to a page: who is signed in, whether the route may be called, and the handler, in one step that may
//! block.

use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method as HttpMethod, StatusCode};
use actix_web::web::{Bytes, Payload};
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::ports::SignedIn;
use httpkit::compression;
use httpkit::middleware::{CallerOrg, request_id, who_asks};
use httpkit::rate_limits::Caller;
use httpkit::request_timeout::RequestTimeout;

use crate::cookie;
use crate::failure::Failure;
use crate::form::Form;
use crate::layout;
use crate::pages::{confirm, plain_http, sign_in};
use crate::reply::{Content, Reply};
use crate::route::{self, Access, Method, Route};
use crate::same_origin::{is_loopback, is_same_origin};
use crate::state::DashboardState;
use crate::visit::Visit;

/// Only files of this service, no inline script or style, no frame (CSP Level 3).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// One year, as the preload list asks for.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The name of the field with the token of the session.
pub(crate) const FORM_TOKEN: &str = "token";

/// Answers a request to a path of the dashboard.
pub(crate) async fn dispatch(
    state: DashboardState,
    path: &'static str,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let (reply, signed_in) = answer(&state, path, &request, payload).await;
    if let Some(signed_in) = signed_in {
        request
            .extensions_mut()
            .insert(CallerOrg(signed_in.session.org_id));
    }
    respond(&state, &request, reply)
}

async fn answer(
    state: &DashboardState,
    path: &'static str,
    request: &HttpRequest,
    payload: Payload,
) -> (Reply, Option<SignedIn>) {
    let mut visit = visit(state, request);
    let method = match *request.method() {
        HttpMethod::GET | HttpMethod::HEAD => Method::Get,
        HttpMethod::POST => Method::Post,
        _ => return (layout::failed(&visit, &Failure::NotFound), None),
    };
    let Some(route) = route::route(state.settings.variant, path, method) else {
        return (layout::failed(&visit, &Failure::NotFound), None);
    };
    if method == Method::Post {
        // Before the form is read: nobody else makes the service hold one.
        if !is_same_origin(request.headers(), &state.settings.base_url) {
            return (layout::failed(&visit, &Failure::ForeignForm), None);
        }
        match Form::read(request.headers(), payload).await {
            Ok(form) => visit.form = form,
            Err(failure) => return (layout::failed(&visit, &failure), None),
        }
    }
    if is_plain_http(state, request) {
        return (plain_http::page(&visit), None);
    }
    let (caller, _, _) = who_asks(request);
    let mut timeout = RequestTimeout::default();
    let rate_limits = state.rate_limits.clone();
    let done = rate_limits
        .block_in_queue(&mut timeout, &caller, move || handle(route, visit))
        .await;
    match done {
        Ok(done) => done,
        Err(_) => {
            let visit = self::visit(state, request);
            (layout::failed(&visit, &Failure::Unavailable), None)
        }
    }
}

/// What is known of a request before anything is looked up.
fn visit(state: &DashboardState, request: &HttpRequest) -> Visit {
    let path = request.match_info().iter();
    let user_agent = request.headers().get(header::USER_AGENT);
    let (caller, _, _) = who_asks(request);
    Visit {
        state: state.clone(),
        address: request
            .uri()
            .path_and_query()
            .map_or_else(|| request.path().to_owned(), ToString::to_string),
        parameters: path
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect(),
        query: Form::parse(request.query_string().as_bytes()),
        form: Form::default(),
        token: cookie::token(state, request),
        signed_in: None,
        client: match caller {
            Caller::Address(address) => address,
            Caller::Organization(_) => std::net::Ipv4Addr::UNSPECIFIED.into(),
        },
        user_agent: user_agent
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned(),
        request_id: request_id(request),
    }
}

/// Looks up who is signed in, checks whether the route may be called, and calls it.
fn handle(route: &'static Route, mut visit: Visit) -> (Reply, Option<SignedIn>) {
    let reply = identify(&mut visit).and_then(|()| match refusal(route, &visit)? {
        Some(instead) => Ok(instead),
        None => (route.handle)(&visit),
    });
    let reply = reply.unwrap_or_else(|failure| layout::failed(&visit, &failure));
    (reply, visit.signed_in)
}

fn identify(visit: &mut Visit) -> Result<(), Failure> {
    if let Some(token) = &visit.token {
        visit.signed_in = visit.state.sessions().signed_in(token)?;
    }
    Ok(())
}

/// What is shown instead of a route that may not be called; none where it may.
fn refusal(route: &Route, visit: &Visit) -> Result<Option<Reply>, Failure> {
    let (role, must_be_recent) = match route.access {
        Access::Public => return Ok(None),
        Access::SignedIn(role) => (role, false),
        Access::Recent(role) => (role, true),
    };
    let Some(signed_in) = &visit.signed_in else {
        return sign_in::instead(visit).map(Some);
    };
    if route.method == Method::Post && !visit.token()?.accepts_form(visit.form.raw(FORM_TOKEN)) {
        return Err(Failure::ForeignForm);
    }
    if !signed_in.membership.member.role.allows(role) {
        return Err(Failure::Forbidden(role));
    }
    if must_be_recent && !signed_in.session.is_recent(visit.now()) {
        return confirm::instead(visit).map(Some);
    }
    Ok(None)
}

/// Whether a browser on another machine reached the service without TLS, where its cookie could be read on the way.
fn is_plain_http(state: &DashboardState, request: &HttpRequest) -> bool {
    if state.is_https() || state.settings.allow_plain_http {
        return false;
    }
    let host = request.headers().get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let url = url::Url::parse(&format!("http://{host}/"));
    !url.is_ok_and(|url| is_loopback(&url))
}

fn respond(state: &DashboardState, request: &HttpRequest, reply: Reply) -> HttpResponse {
    let (mut response, body, kind) = match reply.content {
        Content::Page { status, html } => (
            HttpResponse::build(status),
            html.into_bytes(),
            "text/html; charset=utf-8".to_owned(),
        ),
        Content::Redirect(path) => {
            let mut response = HttpResponse::build(StatusCode::SEE_OTHER);
            response.insert_header((header::LOCATION, path));
            (response, Vec::new(), "text/plain; charset=utf-8".to_owned())
        }
        Content::File {
            media_type,
            name,
            bytes,
        } => {
            let mut response = HttpResponse::Ok();
            let disposition = format!("attachment; filename=\"{name}\"");
            response.insert_header((header::CONTENT_DISPOSITION, disposition));
            (response, bytes, media_type)
        }
        // Not compressed, which would hold events back.
        Content::Events(watch) => return watch.respond(request),
    };
    response.insert_header((header::CONTENT_TYPE, kind));
    response.insert_header((header::CONTENT_SECURITY_POLICY, POLICY));
    if state.is_https() {
        response.insert_header((header::STRICT_TRANSPORT_SECURITY, HSTS));
    }
    if let Some(cookie) = reply.cookie {
        response.cookie(cookie);
    }
    let mut body = body;
    let mut headers: Vec<(HeaderName, HeaderValue)> = Vec::new();
    compression::compress(&mut body, &mut headers, compression::takes_gzip(request));
    for header in headers {
        response.insert_header(header);
    }
    response.body(Bytes::from(body))
}
