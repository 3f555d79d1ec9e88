//! Authentication: 401, then 402, then 429, for the operations and for services mounted beside them.

use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::id::{KeyId, OrgId};
use domain::key::KeySecret;
use domain::report::Variant;
use domain::usecase::{self, Caller};

use crate::state::ApiState;
use httpkit::bearer;
use httpkit::middleware::{CallerKey, CallerOrg, who_asks};
use httpkit::problem::{Code, Problem};
use httpkit::rate_limits::{KeyCounted, RateLimitStatus};
use httpkit::request_timeout::RequestTimeout;

/// An authenticated caller.
pub(crate) struct Authenticated {
    pub(crate) caller: Caller,
    pub(crate) standing: Option<RateLimitStatus>,
}

impl Authenticated {
    /// The organization and the key of the caller.
    pub(crate) fn ids(&self) -> (OrgId, KeyId) {
        ids(&self.caller)
    }
}

/// A rejected caller.
pub(crate) struct Refused {
    /// The organization and the key, where they are known.
    pub(crate) caller: Option<(OrgId, KeyId)>,
    pub(crate) standing: Option<RateLimitStatus>,
    pub(crate) problem: Problem,
}

/// Looks up a key, and counts the request unless it is already counted.
pub(crate) fn check_key(
    state: &ApiState,
    key: &KeySecret,
    counted: Option<KeyCounted>,
) -> Result<Authenticated, Box<Refused>> {
    let known_keys = state.rate_limits.known_keys();
    let caller =
        usecase::authenticate(&*state.stores, &*state.clock, key.expose()).map_err(|error| {
            let problem = Problem::from(error);
            if problem.code() == Code::Unauthorized {
                known_keys.forget(&key.hash());
            }
            Box::new(Refused {
                caller: None,
                standing: None,
                problem,
            })
        })?;
    let refused = |standing, problem| {
        Box::new(Refused {
            caller: Some(ids(&caller)),
            standing,
            problem,
        })
    };
    check_plan(state, &caller).map_err(|problem| refused(None, problem))?;
    let standing = match counted {
        Some(KeyCounted(standing)) => standing,
        None => state
            .rate_limits
            .count(state.settings.rate_limit, &state.clock, &caller.key.id)
            .map_err(|exceeded| refused(Some(exceeded.standing()), exceeded.into()))?,
    };
    let (org, id) = ids(&caller);
    known_keys.remember(&key.hash(), org, id, state.clock.now());
    Ok(Authenticated { caller, standing })
}

fn ids(caller: &Caller) -> (OrgId, KeyId) {
    (caller.organization.id.clone(), caller.key.id.clone())
}

fn check_plan(state: &ApiState, caller: &Caller) -> Result<(), Problem> {
    if state.settings.variant == Variant::Legacy && !state.plan_of(caller)?.paid {
        return Err(Problem::new(
            Code::PaymentRequired,
            "The organization is not on a paid plan, which this server requires.",
        ));
    }
    Ok(())
}

/// Authenticates a request as the operations do: 401, then 402, then 429. The request counts towards the rate limit.
///
/// # Errors
/// The problem, as the response to the request.
pub async fn authenticate(state: ApiState, request: HttpRequest) -> Result<(), HttpResponse> {
    let state = Arc::new(state);
    let refuse = |problem: &Problem, standing: Option<RateLimitStatus>| {
        let mut response = state.respond(&request, problem);
        if let Some(standing) = standing {
            standing.show(response.headers_mut());
        }
        response
    };
    let key = bearer::key(request.headers()).map_err(|problem| refuse(&problem, None))?;
    let (caller, known, counted) = who_asks(&request);
    let blocking = Arc::clone(&state);
    let step = move || check_key(&blocking, &key, counted);
    let checked = state
        .rate_limits
        .block_in_queue(&mut RequestTimeout::default(), &caller, step)
        .await
        .map_err(|problem| {
            if let Some(known) = known {
                let mut extensions = request.extensions_mut();
                extensions.insert(CallerOrg(known.org));
                extensions.insert(CallerKey(known.key));
            }
            refuse(&problem, counted.and_then(|KeyCounted(standing)| standing))
        })?;
    let authenticated = checked.map_err(|refused| refuse(&refused.problem, refused.standing))?;
    let (org, _) = authenticated.ids();
    request.extensions_mut().insert(CallerOrg(org));
    Ok(())
}

/// The response to a request whose `Host` or `Origin` does not match this service.
#[must_use]
pub fn is_foreign_host(state: &ApiState, request: &HttpRequest) -> HttpResponse {
    let problem = Problem::new(
        Code::Forbidden,
        "The header Host or Origin does not match this service. The operator must set `server.base_url` to the address that clients use.",
    );
    state.respond(request, &problem)
}
