//! From a request to an answer: one order of judgement for all operations, one step that blocks.
//!
//! The key's form is settled first, on the event loop. All else happens in one blocking step, so that a
//! call costs one change of threads however many look-ups it makes. Where a body is to be read, the key
//! is looked up in a step of its own before: nobody without a valid key makes the service hold a body.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::web::Payload;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use domain::id::OrgId;
use domain::key::KeySecret;
use domain::report::Variant;
use domain::usecase::{Caller, authenticate};

use crate::endpoint::{Answer, Call};
use crate::input::{Body, Query};
use crate::outer::{CallerOrg, request_id};
use crate::patience::Patience;
use crate::problem::{Code, Problem};
use crate::router::Resource;
use crate::{ApiState, bearer, encoding};

/// An answer under way.
pub(crate) type Answering = Pin<Box<dyn Future<Output = HttpResponse>>>;

/// Answers a request on a path under `/api/mcp`; no resource where nothing stands there.
pub(crate) async fn dispatch(
    state: ApiState,
    resource: Option<Arc<Resource>>,
    request: HttpRequest,
    payload: Payload,
) -> HttpResponse {
    let settings = Arc::clone(&state.settings);
    encoding::judge(match answer(state, resource, &request, payload).await {
        Ok(answer) => respond(answer),
        Err(problem) => problem.respond(&settings.base_url, &request_id(&request)),
    })
}

async fn answer(
    state: ApiState,
    resource: Option<Arc<Resource>>,
    request: &HttpRequest,
    payload: Payload,
) -> Result<Answer, Problem> {
    let key = bearer::key(request.headers())?;
    let takes_body = resource
        .as_ref()
        .and_then(|resource| resource.entry(request.method()))
        .is_some_and(|entry| entry.takes_body);
    let mut patience = Patience::new();
    let (identity, body) = if takes_body {
        let known = state.clone();
        let caller = patience
            .block(move || authenticate(&*known.stores, &*known.clock, key.expose()))
            .await??;
        let body = Body::read(request.headers(), payload).await;
        (Identity::Caller(Box::new(caller)), body)
    } else {
        (Identity::Key(key), Body::Unread)
    };
    let path = request.match_info().iter();
    let task = Task {
        state,
        resource,
        method: request.method().clone(),
        path: path
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect(),
        query: request.query_string().to_owned(),
        body,
    };
    let done = patience.block(move || task.run(identity)).await?;
    if let Some(org) = done.org {
        request.extensions_mut().insert(CallerOrg(org));
    }
    done.outcome
}

/// Who is calling, as far as it is known.
enum Identity {
    /// A key that was not looked up yet.
    Key(KeySecret),
    /// A caller.
    Caller(Box<Caller>),
}

/// All that is needed of a request to answer it.
struct Task {
    state: ApiState,
    resource: Option<Arc<Resource>>,
    method: Method,
    path: Vec<(String, String)>,
    query: String,
    body: Body,
}

/// An outcome, and whose call it was, where that is known.
struct Done {
    org: Option<OrgId>,
    outcome: Result<Answer, Problem>,
}

impl Task {
    fn run(self, identity: Identity) -> Done {
        let (stores, clock) = (&*self.state.stores, &*self.state.clock);
        let caller = match identity {
            Identity::Caller(caller) => Ok(*caller),
            Identity::Key(key) => authenticate(stores, clock, key.expose()),
        };
        match caller {
            Ok(caller) => Done {
                org: Some(caller.organization.id.clone()),
                outcome: self.answer(caller),
            },
            Err(error) => Done {
                org: None,
                outcome: Err(error.into()),
            },
        }
    }

    /// 402, then 404 and 405 of the path, then the role, then the input; the rest is the
    /// operation's.
    fn answer(self, caller: Caller) -> Result<Answer, Problem> {
        if self.state.settings.variant == Variant::Legacy && !self.state.plan_of(&caller)?.paid {
            return Err(Problem::new(
                Code::PaymentRequired,
                "The organization is not on a paid plan, which this server needs.",
            ));
        }
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
        let call = Call::new(self.state, caller, query, self.body, self.path);
        (entry.endpoint.handle)(&call)
    }
}

fn respond(answer: Answer) -> HttpResponse {
    let mut response = HttpResponse::build(answer.status);
    if !answer.body.is_empty() {
        response.content_type("application/json");
    }
    for header in answer.headers {
        response.insert_header(header);
    }
    response.body(answer.body)
}
