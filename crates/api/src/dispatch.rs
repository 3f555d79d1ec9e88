//! From a request to an answer: one order of judgement for all operations, one step that blocks.
//!
//! The key's form is settled first, on the event loop. All else happens in one blocking step, so that a
//! call costs one change of threads however many look-ups it makes. Where a body is to be read, the key
//! is looked up in a step of its own before: nobody without a valid key, or beyond its rate, makes the
//! service hold a body.

use std::any::Any;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::rt::time::timeout;
use actix_web::web::Payload;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::id::{KeyId, OrgId};
use domain::key::KeySecret;
use domain::report::Variant;
use domain::usecase::{Caller as KeyHolder, authenticate};

use crate::endpoint::{Answer, Call, Content};
use crate::input::{Body, OnceHeaders, Query};
use crate::outer::{CallerKey, CallerOrg, request_id};
use crate::patience::Patience;
use crate::problem::{Code, Limit, Problem};
use crate::router::Resource;
use crate::traffic::{
    AbandonOnDrop, Abandoned, Caller, HeldPermits, KeyCounted, KnownKey, Lane, Standing,
};
use crate::{ApiState, bearer, encoding};

/// An answer under way.
pub(crate) type Answering = Pin<Box<dyn Future<Output = HttpResponse>>>;

/// Proxies that know this header send on at once what they get.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Answers a request on a path under `/api/mcp`; no resource where nothing stands there.
pub(crate) async fn dispatch(
    state: ApiState,
    resource: Option<&'static Resource>,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let settings = Arc::clone(&state.settings);
    let done = answer(state, resource, &request, payload).await;
    let done = done.unwrap_or_else(Done::of_nobody);
    if let Some((org, key)) = done.caller {
        let mut extensions = request.extensions_mut();
        extensions.insert(CallerOrg(org));
        extensions.insert(CallerKey(key));
    }
    let mut response = match done.outcome {
        Ok(answer) => {
            if matches!(answer.content, Content::Events(_)) {
                // A stream has a permit of its own, and does not count as a call for as long as it lasts.
                request.extensions_mut().remove::<HeldPermits>();
            }
            respond(answer)
        }
        Err(problem) => problem.respond(&settings.base_url, &request_id(&request)),
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
    let mut patience = Patience::new();
    let (mut caller, known, counted) = who_asks(request);
    let mut ids = known.map(|known| (known.org, known.key));
    let mut standing = counted.and_then(|KeyCounted(standing)| standing);
    let (admitted, body) = if takes_body || ids.is_none() {
        let (state, secret) = (state.clone(), key.clone());
        let traffic = state.traffic.clone();
        let step = move || admit(&state, &secret, counted);
        let admitted = match patience.block_in_turn(&traffic, &caller, step).await {
            Ok(Ok(admitted)) => admitted,
            Ok(Err(refused)) => return Ok(*refused),
            Err(problem) => return Ok(Done::refused(ids, standing, problem)),
        };
        caller = Caller::Organization(admitted.caller.organization.id.clone());
        (ids, standing) = (Some(who(&admitted.caller)), admitted.standing);
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
        once: OnceHeaders::read(request),
        body,
        takes_gzip: encoding::takes_gzip(request),
        counted,
        abandoned: abandoned.0.clone(),
        state: state.clone(),
    };
    let traffic = &state.traffic;
    let done = async {
        match (lane, &ids) {
            (Lane::Export, Some((org, key))) => {
                hold(request, traffic.exports().admit(org, Some(key))?);
                traffic.exports().run(org, move || task.run(admitted)).await
            }
            (Lane::Report, Some((org, key))) => {
                let permit = timeout(patience.left(), traffic.reports().acquire(org, key));
                hold(request, permit.await.map_err(|_| many_reports())?);
                let step = move || task.run(admitted);
                patience.block_in_turn(traffic, &caller, step).await
            }
            (Lane::Read, _) | (_, None) => {
                let step = move || task.run(admitted);
                patience.block_in_turn(traffic, &caller, step).await
            }
        }
    };
    let done: Result<Done, Problem> = done.await;
    Ok(done.unwrap_or_else(|problem| Done::refused(ids, standing, problem)))
}

/// Who asks, as far as it is known before the key is looked up, and where the key stands if the call is counted.
pub(crate) fn who_asks(request: &HttpRequest) -> (Caller, Option<KnownKey>, Option<KeyCounted>) {
    let extensions = request.extensions();
    let caller = extensions.get::<Caller>().cloned();
    (
        // Every request on a path of ours has a caller.
        caller.unwrap_or(Caller::Address(Ipv4Addr::UNSPECIFIED.into())),
        extensions.get().cloned(),
        extensions.get().copied(),
    )
}

/// Holds a permit until the answer is sent.
fn hold(request: &HttpRequest, permit: impl Any) {
    let mut extensions = request.extensions_mut();
    let mut held: HeldPermits = extensions.remove().unwrap_or_default();
    held.add(permit);
    extensions.insert(held);
}

fn many_reports() -> Problem {
    Problem::rate_limited(
        Limit::Reports,
        "As many whole reports are read or sent as the key, the organization or this server may have at once.",
        2,
    )
}

/// A caller who may go on to the path.
struct Admitted {
    caller: KeyHolder,
    standing: Option<Standing>,
}

/// 401, then 402, then 429.
fn admit(
    state: &ApiState,
    key: &KeySecret,
    counted: Option<KeyCounted>,
) -> Result<Admitted, Box<Done>> {
    let known_keys = state.traffic.known_keys();
    let caller = authenticate(&*state.stores, &*state.clock, key.expose()).map_err(|error| {
        let problem = Problem::from(error);
        if problem.code() == Code::Unauthorized {
            known_keys.forget(&key.hash());
        }
        Box::new(Done::of_nobody(problem))
    })?;
    let refused = |standing, problem| {
        Box::new(Done {
            caller: Some(who(&caller)),
            standing,
            outcome: Err(problem),
        })
    };
    judge_plan(state, &caller).map_err(|problem| refused(None, problem))?;
    let standing = match counted {
        Some(KeyCounted(standing)) => standing,
        None => state
            .traffic
            .count(state, &caller.key.id)
            .map_err(|exceeded| refused(Some(exceeded.standing()), exceeded.into()))?,
    };
    let (org, id) = who(&caller);
    known_keys.remember(&key.hash(), org, id, state.clock.now());
    Ok(Admitted { caller, standing })
}

/// Judges a key as [`admit`] does, for what is no operation: whose it is, or the problem and where it stands.
pub(crate) fn admit_key(
    state: &ApiState,
    key: &KeySecret,
    counted: Option<KeyCounted>,
) -> Result<OrgId, Box<(Problem, Option<Standing>)>> {
    match admit(state, key, counted) {
        Ok(admitted) => Ok(admitted.caller.organization.id),
        Err(refused) => match refused.outcome {
            Err(problem) => Err(Box::new((problem, refused.standing))),
            // What was refused always says why.
            Ok(_) => Err(Box::new((
                Problem::internal("a call was refused without a reason"),
                None,
            ))),
        },
    }
}

fn who(caller: &KeyHolder) -> (OrgId, KeyId) {
    (caller.organization.id.clone(), caller.key.id.clone())
}

fn judge_plan(state: &ApiState, caller: &KeyHolder) -> Result<(), Problem> {
    if state.settings.variant == Variant::Legacy && !state.plan_of(caller)?.paid {
        return Err(Problem::new(
            Code::PaymentRequired,
            "The organization is not on a paid plan, which this server needs.",
        ));
    }
    Ok(())
}

/// All that is needed of a request to answer it.
struct Task {
    state: ApiState,
    resource: Option<&'static Resource>,
    key: KeySecret,
    method: Method,
    path: Vec<(String, String)>,
    query: String,
    once: Option<OnceHeaders>,
    body: Body,
    takes_gzip: bool,
    counted: Option<KeyCounted>,
    abandoned: Abandoned,
}

/// An outcome, with whose call it was and where the key stands, as far as that is known.
struct Done {
    caller: Option<(OrgId, KeyId)>,
    standing: Option<Standing>,
    outcome: Result<Answer, Problem>,
}

impl Done {
    /// The call was not executed.
    const fn refused(
        caller: Option<(OrgId, KeyId)>,
        standing: Option<Standing>,
        problem: Problem,
    ) -> Self {
        Self {
            caller,
            standing,
            outcome: Err(problem),
        }
    }

    /// It is not known who called.
    const fn of_nobody(problem: Problem) -> Self {
        Self {
            caller: None,
            standing: None,
            outcome: Err(problem),
        }
    }
}

impl Task {
    fn run(self, admitted: Option<Admitted>) -> Done {
        let admitted = match admitted {
            Some(admitted) => admitted,
            None => match admit(&self.state, &self.key, self.counted) {
                Ok(admitted) => admitted,
                Err(refused) => return *refused,
            },
        };
        let takes_gzip = self.takes_gzip;
        Done {
            caller: Some(who(&admitted.caller)),
            standing: admitted.standing,
            outcome: self.answer(admitted.caller).map(|mut answer| {
                encoding::compress(&mut answer, takes_gzip);
                answer
            }),
        }
    }

    /// 404 and 405 of the path, then the role, then the input; the rest is the operation's.
    fn answer(self, caller: KeyHolder) -> Result<Answer, Problem> {
        let resource = self.resource.ok_or_else(Problem::not_found)?;
        let entry = resource
            .entry(&self.method)
            .ok_or_else(|| Problem::method_not_allowed(&resource.allow()))?;
        let needed = entry.endpoint.role;
        if !caller.key.role.allows(needed) {
            let role = caller.key.role;
            return Err(Problem::new(
                Code::Forbidden,
                format!("The key has the role {role}; this call needs {needed}."),
            ));
        }
        self.body.judge()?;
        let query = Query::parse(&self.query, &entry.query)?;
        let now = self.state.clock.now();
        let once = self.once.filter(|_| entry.honours_key);
        let once = once.map(|headers| headers.call(&entry.name, &self.body, now));
        let call = Call {
            once: once.transpose()?,
            state: self.state,
            caller,
            secret: self.key,
            query,
            body: self.body,
            path: self.path,
            abandoned: self.abandoned,
        };
        (entry.endpoint.handle)(&call)
    }
}

fn respond(answer: Answer) -> HttpResponse {
    let mut response = HttpResponse::build(answer.status);
    for header in answer.headers {
        response.insert_header(header);
    }
    match answer.content {
        Content::None => response.finish(),
        Content::Json(bytes) => response.content_type("application/json").body(bytes),
        Content::File { media_type, bytes } => response.content_type(media_type).body(bytes),
        Content::Events(watch) => response
            .content_type("text/event-stream")
            .insert_header((header::CACHE_CONTROL, HeaderValue::from_static("no-store")))
            .insert_header((X_ACCEL_BUFFERING, HeaderValue::from_static("no")))
            .streaming(watch.events()),
    }
}
