//! From a request to a page: who is signed in, whether the route may be called, and the handler, in one step that may
//! block.

use std::any::Any;

use actix_web::http::Method as HttpMethod;
use actix_web::http::header;
use actix_web::web::Payload;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::id::OrgId;
use domain::key::Role;
use domain::ports::SignedIn;
use domain::target::is_loopback_origin;
use httpkit::compression;
use httpkit::middleware::{CallerOrg, request_id, who_asks};
use httpkit::problem::Problem;
use httpkit::rate_limits::{AbandonOnDrop, Abandoned, Caller, HeldPermits};
use httpkit::request_timeout::RequestTimeout;

use crate::cookie;
use crate::failure::Failure;
use crate::form::{FORM_TOKEN, Form};
use crate::layout;
use crate::pages::{confirm, plain_http, second_factor, sign_in};
use crate::prepared::Prepared;
use crate::reply::{Afterwards, Reply};
use crate::route::{Access, Lane, Method, Route};
use crate::router;
use crate::same_origin::is_same_origin;
use crate::state::DashboardState;
use crate::visit::Visit;

/// Answers a request to a path of the dashboard.
pub(crate) async fn dispatch(
    state: DashboardState,
    path: &'static str,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let takes_gzip = compression::takes_gzip(&request);
    let Some(route) = route(&state, path, request.method()) else {
        let refused = Problem::method_not_allowed(&router::allow(&state.settings, path));
        return refused.respond(&state.settings.base_url, &request_id(&request));
    };
    let abandoned = AbandonOnDrop(Abandoned::default());
    let mut visit = visit(&state, &request, abandoned.0.clone());
    let done = match ready(&mut visit, route, &request, payload).await {
        Ok(()) => run(route, visit, &request, takes_gzip).await,
        Err(reply) => Ok(Done::new((*reply, None), takes_gzip)),
    };
    let done = done.unwrap_or_else(|failure| {
        let visit = self::visit(&state, &request, Abandoned::default());
        Done::new((layout::failed(&visit, &failure), None), takes_gzip)
    });
    if let Some(org) = done.org {
        request.extensions_mut().insert(CallerOrg(org));
    }
    if let Some(Afterwards(work)) = done.afterwards {
        let (caller, _, _) = who_asks(&request);
        let rate_limits = state.rate_limits.clone();
        actix_web::rt::spawn(async move {
            // In the caller's queue, so that nobody fills the memory with work that waits.
            let mut timeout = RequestTimeout::default();
            let done = rate_limits.block_in_queue(&mut timeout, &caller, work);
            if let Err(problem) = done.await {
                tracing::error!(problem.code = ?problem.code(), "work after a response failed");
            }
        });
    }
    done.prepared.respond(&request, state.is_https())
}

/// The route of a path and a method of HTTP.
fn route(state: &DashboardState, path: &str, method: &HttpMethod) -> Option<&'static Route> {
    let method = match *method {
        HttpMethod::GET | HttpMethod::HEAD => Method::Get,
        HttpMethod::POST => Method::Post,
        _ => return None,
    };
    router::route(&state.settings, path, method)
}

/// Reads the form of a request; fails with the reply where the route may not be called from there.
async fn ready(
    visit: &mut Visit,
    route: &Route,
    request: &HttpRequest,
    payload: Payload,
) -> Result<(), Box<Reply>> {
    let refused = |visit: &Visit, failure| Box::new(layout::failed(visit, &failure));
    let state = visit.state.clone();
    if route.method == Method::Post {
        // Before the form is read: nobody else makes the service hold one.
        if !is_same_origin(request.headers(), &state.settings.base_url) {
            return Err(refused(visit, Failure::ForeignForm));
        }
        match Form::read(request.headers(), payload).await {
            Ok(form) => visit.form = form,
            Err(failure) => return Err(refused(visit, failure)),
        }
    }
    if is_plain_http(&state, request) {
        match route.access {
            // Its cookie is not looked at, as if nobody were signed in.
            Access::Open => visit.token = None,
            Access::Public | Access::SignedIn(_) | Access::Recent(_) | Access::Operator => {
                return Err(Box::new(plain_http::page(visit)));
            }
        }
    }
    Ok(())
}

/// Calls a route on a thread that may block, of those that its lane has.
async fn run(
    route: &'static Route,
    visit: Visit,
    request: &HttpRequest,
    takes_gzip: bool,
) -> Result<Done, Failure> {
    let (caller, _, _) = who_asks(request);
    let mut timeout = RequestTimeout::default();
    let rate_limits = visit.state.rate_limits.clone();
    if route.lane == Lane::Page {
        let step = move || Done::new(handle(route, visit), takes_gzip);
        return Ok(rate_limits
            .block_in_queue(&mut timeout, &caller, step)
            .await?);
    }
    let step = move || match admit(route, visit) {
        Ok(visit) => Ok(visit),
        Err(refused) => Err(Box::new(Done::new(*refused, takes_gzip))),
    };
    let visit = match rate_limits
        .block_in_queue(&mut timeout, &caller, step)
        .await?
    {
        Ok(visit) => visit,
        Err(refused) => return Ok(*refused),
    };
    let org = visit.org()?.clone();
    let exports = rate_limits.exports();
    hold(request, exports.acquire(&org, None)?);
    let step = move || Done::new(call(route, visit), takes_gzip);
    Ok(exports.run(&org, step).await?)
}

/// Holds a permit until the response is sent.
fn hold(request: &HttpRequest, permit: impl Any) {
    let mut extensions = request.extensions_mut();
    let mut held: HeldPermits = extensions.remove().unwrap_or_default();
    held.add(permit);
    extensions.insert(held);
}

/// A reply that is ready to be sent, and whose page it is.
struct Done {
    prepared: Prepared,
    org: Option<OrgId>,
    afterwards: Option<Afterwards>,
}

impl Done {
    /// Compresses the reply. It runs where it may block.
    fn new((mut reply, signed_in): (Reply, Option<SignedIn>), takes_gzip: bool) -> Self {
        Self {
            afterwards: reply.afterwards.take(),
            prepared: Prepared::new(reply, takes_gzip),
            org: signed_in.map(|signed_in| signed_in.session.org_id),
        }
    }
}

/// What is known of a request before anything is looked up.
fn visit(state: &DashboardState, request: &HttpRequest, abandoned: Abandoned) -> Visit {
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
        token: match state.settings.has_sign_in {
            true => cookie::token(state, request),
            false => None,
        },
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
        abandoned,
        takes_form: router::takes_form,
    }
}

/// Looks up who is signed in, checks whether the route may be called, and calls it.
fn handle(route: &'static Route, visit: Visit) -> (Reply, Option<SignedIn>) {
    match admit(route, visit) {
        Ok(visit) => call(route, visit),
        Err(refused) => *refused,
    }
}

/// The visit with who is signed in, where the route may be called; what is shown instead otherwise.
fn admit(route: &'static Route, mut visit: Visit) -> Result<Visit, Box<(Reply, Option<SignedIn>)>> {
    if route.access == Access::Open {
        // It is shown while the database is away, too; then nobody is signed in.
        if identify(&mut visit).is_err() {
            visit.token = None;
        }
        return Ok(visit);
    }
    let instead = identify(&mut visit).and_then(|()| refusal(route, &visit));
    let instead = match instead {
        Ok(None) => return Ok(visit),
        Ok(Some(instead)) => instead,
        Err(failure) => layout::failed(&visit, &failure),
    };
    Err(Box::new((instead, visit.signed_in)))
}

fn call(route: &'static Route, visit: Visit) -> (Reply, Option<SignedIn>) {
    let reply = (route.handle)(&visit);
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
        Access::Open | Access::Public => return Ok(None),
        Access::SignedIn(role) => (role, false),
        Access::Recent(role) => (role, true),
        Access::Operator => (Role::Read, false),
    };
    let Some(signed_in) = &visit.signed_in else {
        return sign_in::instead(visit).map(Some);
    };
    if route.method == Method::Post && !visit.token()?.accepts_form(visit.form.raw(FORM_TOKEN)) {
        return Err(Failure::ForeignForm);
    }
    if signed_in.lacks_second_factor() && !route.is_without_second_factor {
        return Ok(Some(second_factor::instead()));
    }
    if route.access == Access::Operator && !visit.is_operator() {
        return Err(Failure::NotFound);
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
    !url.is_ok_and(|url| is_loopback_origin(&url))
}
