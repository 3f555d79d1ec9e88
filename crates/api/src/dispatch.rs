//! From a request to a response: one order of checks for all operations, one blocking step.
//!
//! The format of the key is checked first, on the event loop. Everything else happens in one blocking step, so that
//! a request costs one thread switch, however many look-ups it makes. If the operation reads a body, the key is
//! looked up in a separate step before: the service buffers no body without a valid key or beyond its rate limit.

use std::any::Any;
use std::pin::Pin;

use actix_web::http::Method;
use actix_web::rt::time::timeout;
use actix_web::web::Payload;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::artifact::ARTIFACT_MEDIA_TYPE;
use domain::id::{KeyId, OrgId};
use domain::key::KeySecret;
use domain::usecase::Caller as KeyHolder;

use crate::authentication::{self, Authenticated, Refused};
use crate::endpoint::{Call, Content, Lane, Reply};
use crate::input::{Body, IdempotencyHeaders, Query};
use crate::router::Resource;
use crate::state::ApiState;
use httpkit::middleware::{CallerKey, CallerOrg, who_asks};
use httpkit::problem::{Code, Limit, Problem};
use httpkit::rate_limits::{
    AbandonOnDrop, Abandoned, Caller, HeldPermits, KeyCounted, RateLimitStatus,
};
use httpkit::request_timeout::RequestTimeout;
use httpkit::{bearer, compression};

/// A response future.
pub(crate) type Answering = Pin<Box<dyn Future<Output = HttpResponse>>>;

/// Handles a request on a path under `/api/mcp`; without a resource for unknown paths.
pub(crate) async fn dispatch(
    state: ApiState,
    resource: Option<&'static Resource>,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let done = answer(state.clone(), resource, &request, payload).await;
    let done = done.unwrap_or_else(Done::of_nobody);
    if let Some((org, key)) = done.caller {
        let mut extensions = request.extensions_mut();
        extensions.insert(CallerOrg(org));
        extensions.insert(CallerKey(key));
    }
    let mut response = match done.outcome {
        Ok(answer) => respond(&request, answer),
        Err(problem) => state.respond(&request, &problem),
    };
    if let Some(standing) = done.standing {
        standing.show(response.headers_mut());
    }
    response
}

async fn answer(
    state: ApiState,
    resource: Option<&'static Resource>,
    request: &HttpRequest,
    payload: Payload,
) -> Result<Done, Problem> {
    let key = bearer::key(request.headers())?;
    let entry = resource.and_then(|resource| resource.entry(request.method()));
    let takes_body = entry.is_some_and(|entry| entry.takes_body);
    let mut request_timeout = RequestTimeout::default();
    let (mut caller, known, counted) = who_asks(request);
    let mut ids = known.map(|known| (known.org, known.key));
    let mut standing = counted.and_then(|KeyCounted(standing)| standing);
    let (admitted, body) = if takes_body || ids.is_none() {
        let (state, secret) = (state.clone(), key.clone());
        let rate_limits = state.rate_limits.clone();
        let step = move || authentication::check_key(&state, &secret, counted);
        let admitted = match rate_limits
            .block_in_queue(&mut request_timeout, &caller, step)
            .await
        {
            Ok(Ok(admitted)) => admitted,
            Ok(Err(refused)) => return Ok((*refused).into()),
            Err(problem) => return Ok(Done::refused(ids, standing, problem)),
        };
        caller = Caller::Organization(admitted.caller.organization.id.clone());
        (ids, standing) = (Some(admitted.ids()), admitted.standing);
        let body = match takes_body {
            true => Body::read(request.headers(), payload).await,
            false => Body::Unread,
        };
        (Some(admitted), body)
    } else {
        (None, Body::Unread)
    };
    let lane = entry.map_or(Lane::Read, |entry| {
        (entry.endpoint.lane)(request.query_string())
    });
    let path = request.match_info().iter();
    let abandoned = AbandonOnDrop(Abandoned::default());
    let task = Task {
        resource,
        key,
        method: request.method().clone(),
        path: path
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect(),
        query: request.query_string().to_owned(),
        once: IdempotencyHeaders::read(request),
        body,
        takes_gzip: compression::takes_gzip(request),
        counted,
        abandoned: abandoned.0.clone(),
        state: state.clone(),
    };
    let rate_limits = &state.rate_limits;
    let done = async {
        match (lane, &ids) {
            (Lane::Export, Some((org, key))) => {
                hold(request, rate_limits.exports().acquire(org, Some(key))?);
                rate_limits
                    .exports()
                    .run(org, move || task.run(admitted))
                    .await
            }
            (Lane::Report, Some((org, key))) => {
                let permit = timeout(
                    request_timeout.left(),
                    rate_limits.reports().acquire(org, key),
                );
                hold(request, permit.await.map_err(|_| many_reports())?);
                let step = move || task.run(admitted);
                rate_limits
                    .block_in_queue(&mut request_timeout, &caller, step)
                    .await
            }
            (Lane::Read, _) | (_, None) => {
                let step = move || task.run(admitted);
                rate_limits
                    .block_in_queue(&mut request_timeout, &caller, step)
                    .await
            }
        }
    };
    let done: Result<Done, Problem> = done.await;
    Ok(done.unwrap_or_else(|problem| Done::refused(ids, standing, problem)))
}

/// Holds a permit until the response is sent.
fn hold(request: &HttpRequest, permit: impl Any) {
    let mut extensions = request.extensions_mut();
    let mut held: HeldPermits = extensions.remove().unwrap_or_default();
    held.add(permit);
    extensions.insert(held);
}

fn many_reports() -> Problem {
    Problem::rate_limited(
        Limit::Reports,
        "The limit of concurrent report downloads of the key, the organization or this server is reached.",
        2,
    )
}

/// The parts of a request that the operation needs.
struct Task {
    state: ApiState,
    resource: Option<&'static Resource>,
    key: KeySecret,
    method: Method,
    path: Vec<(String, String)>,
    query: String,
    once: Option<IdempotencyHeaders>,
    body: Body,
    takes_gzip: bool,
    counted: Option<KeyCounted>,
    abandoned: Abandoned,
}

/// An outcome with the caller and the rate limit status of the key, as far as they are known.
struct Done {
    caller: Option<(OrgId, KeyId)>,
    standing: Option<RateLimitStatus>,
    outcome: Result<Reply, Problem>,
}

impl Done {
    /// The operation was not executed.
    const fn refused(
        caller: Option<(OrgId, KeyId)>,
        standing: Option<RateLimitStatus>,
        problem: Problem,
    ) -> Self {
        Self {
            caller,
            standing,
            outcome: Err(problem),
        }
    }

    /// The caller is unknown.
    const fn of_nobody(problem: Problem) -> Self {
        Self {
            caller: None,
            standing: None,
            outcome: Err(problem),
        }
    }
}

impl From<Refused> for Done {
    fn from(refused: Refused) -> Self {
        Self::refused(refused.caller, refused.standing, refused.problem)
    }
}

impl Task {
    fn run(self, admitted: Option<Authenticated>) -> Done {
        let admitted = match admitted {
            Some(admitted) => admitted,
            None => match authentication::check_key(&self.state, &self.key, self.counted) {
                Ok(admitted) => admitted,
                Err(refused) => return (*refused).into(),
            },
        };
        let takes_gzip = self.takes_gzip;
        Done {
            caller: Some(admitted.ids()),
            standing: admitted.standing,
            outcome: self.answer(admitted.caller).map(|mut answer| {
                answer.compress(takes_gzip);
                answer
            }),
        }
    }

    /// Checks 404 and 405 of the path, then the role, then the input; the operation checks the rest.
    fn answer(self, caller: KeyHolder) -> Result<Reply, Problem> {
        let resource = self.resource.ok_or_else(Problem::not_found)?;
        let entry = resource
            .entry(&self.method)
            .ok_or_else(|| Problem::method_not_allowed(&resource.allow()))?;
        let needed = entry.endpoint.role;
        if !caller.key.role.allows(needed) {
            let role = caller.key.role;
            return Err(Problem::new(
                Code::Forbidden,
                format!("The key has the role {role}; this request requires {needed}."),
            ));
        }
        self.body.validate()?;
        let mut parameters = Query::parse(&self.query, &entry.query);
        let now = self.state.clock.now();
        let once = self.once.filter(|_| entry.honours_key);
        let once = once.map(|headers| headers.call(&entry.name, &self.body, now));
        let once = once.transpose().unwrap_or_else(|problem| {
            parameters.refuse_header(problem);
            None
        });
        // Otherwise the operation reads its parameters or its body, and names all that is invalid.
        let reads_input = entry.takes_body || !entry.query.is_empty();
        if !reads_input && !parameters.errors().is_empty() {
            return Err(Problem::fields(parameters.errors().to_vec()));
        }
        let call = Call {
            once,
            state: self.state,
            caller,
            secret: self.key,
            parameters,
            body: self.body,
            path: self.path,
            abandoned: self.abandoned,
        };
        (entry.endpoint.handle)(&call)
    }
}

fn respond(request: &HttpRequest, answer: Reply) -> HttpResponse {
    let mut response = HttpResponse::build(answer.status);
    for header in answer.headers {
        response.insert_header(header);
    }
    match answer.content {
        Content::None => response.finish(),
        Content::Json(bytes) => response.content_type("application/json").body(bytes),
        Content::File { media_type, bytes } => response.content_type(media_type).body(bytes),
        Content::Picture(jpeg) => response.content_type(ARTIFACT_MEDIA_TYPE).body(jpeg),
        Content::Events(watch) => watch.respond(request),
    }
}
