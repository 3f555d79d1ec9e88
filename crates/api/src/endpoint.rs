//! What an operation is: a function from a call to an answer, with its documentation.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue, LOCATION};
use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::idempotency::{Idempotent, IdempotentCall, IdempotentWrite, StoredAnswer};
use domain::key::{KeyHash, KeySecret, Role};
use domain::plan::Plan;
use domain::report::Variant;
use domain::usecase::Caller;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa_actix_web::OpenApiFactory;

use crate::input::{Body, Query};
use crate::state::ApiState;
use crate::watch::Watch;
use httpkit::compression;
use httpkit::problem::{Code, Problem};
use httpkit::rate_limits::Abandoned;

/// Says that an answer was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// An operation under `/api/mcp`.
///
/// Path, method, parameters and body are those of its documentation, so the router and the OpenAPI
/// document cannot differ.
pub(crate) struct Endpoint {
    /// What `#[utoipa::path]` makes of the handler.
    pub(crate) documentation: &'static (dyn OpenApiFactory + Sync),
    /// The variants of the interface that have it; in others its path is unknown.
    pub(crate) variants: &'static [Variant],
    /// The least role that may call it.
    pub(crate) role: Role,
    /// What a call with this query costs, judged before the query is read.
    pub(crate) lane: fn(&str) -> Lane,
    /// What can go wrong, beside what can go wrong with every operation of its kind.
    pub(crate) problems: &'static [Code],
    /// An answer, for the documentation.
    pub(crate) example: fn(Variant) -> serde_json::Result<Value>,
    /// Does it. It runs where it may block, after the caller is known and allowed.
    pub(crate) handle: fn(&Call) -> Result<Answer, Problem>,
}

impl Endpoint {
    /// The variants of an operation that every one has.
    pub(crate) const EVERY_VARIANT: &'static [Variant] = &[Variant::Current, Variant::Legacy];
    /// The variants of an operation that the older one does not have.
    pub(crate) const CURRENT_VARIANT: &'static [Variant] = &[Variant::Current];
    /// The lane of an operation that neither reads a whole report nor builds anything.
    pub(crate) const COSTS_LITTLE: fn(&str) -> Lane = |_| Lane::Read;
}

/// What a call costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Little, and its answer is small.
    Read,
    /// It reads a whole report, and its answer may be large.
    Report,
    /// It reads whole reports and builds something of them.
    Export,
}

/// A call of an operation by a caller who is allowed to make it.
pub(crate) struct Call {
    pub(crate) state: ApiState,
    pub(crate) caller: Caller,
    pub(crate) query: Query,
    /// The key itself; it goes nowhere but into its hash.
    pub(crate) secret: KeySecret,
    pub(crate) body: Body,
    pub(crate) path: Vec<(String, String)>,
    /// What names the call, where the operation honours an `Idempotency-Key` and there is one.
    pub(crate) once: Option<IdempotentCall>,
    /// Whether anybody still waits for the answer.
    pub(crate) abandoned: Abandoned,
}

impl Call {
    /// Whose data it is about.
    pub(crate) fn org(&self) -> &OrgId {
        &self.caller.organization.id
    }

    /// Who does it, for the audit log.
    pub(crate) fn by(&self) -> Actor {
        Actor::Key(self.caller.key.id.clone())
    }

    /// The time.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.state.clock.now()
    }

    /// The plan of the caller.
    pub(crate) fn plan(&self) -> Result<Plan, Problem> {
        self.state.plan_of(&self.caller)
    }

    /// The body as an object.
    pub(crate) fn body<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        self.body.object()
    }

    /// The body as an object; the default where there is none.
    pub(crate) fn body_if_any<T: DeserializeOwned + Default>(&self) -> Result<T, Problem> {
        if self.body.is_empty() {
            return Ok(T::default());
        }
        self.body()
    }

    /// By what the caller's key is looked up.
    pub(crate) fn key_hash(&self) -> KeyHash {
        self.secret.hash()
    }

    /// Makes a change once for each `Idempotency-Key`; without a key it is simply made.
    ///
    /// `make` hands the call to the store, which calls back for the `answer` it keeps. The operation
    /// documents `params(OnceHeader)`; without that there is never a key.
    ///
    /// # Errors
    /// `idempotency_in_progress` while the first call with the key is under way, and what the change and
    /// its answer say.
    pub(crate) fn once<T, E>(
        &self,
        make: impl FnOnce(Option<&IdempotentWrite<'_, T>>) -> Result<Idempotent<T>, E>,
        answer: impl Fn(&T) -> Result<Answer, Problem>,
    ) -> Result<Answer, Problem>
    where
        Problem: From<E>,
    {
        let told = match &self.once {
            None => make(None)?,
            Some(call) => {
                let rate_limits = &self.state.rate_limits;
                let _under_way = rate_limits
                    .begin(self.org(), call.operation, &call.key)
                    .ok_or_else(in_progress)?;
                let stored = |made: &T| stored(answer(made));
                let answer = &stored;
                make(Some(&IdempotentWrite { call, answer }))?
            }
        };
        match told {
            Idempotent::Executed(made) => answer(&made),
            Idempotent::Replayed(stored) => Answer::again(stored),
        }
    }

    /// The id in a part of the path. What is no id is the id of nothing.
    pub(crate) fn id<T>(&self, name: &str, parse: fn(&str) -> Option<T>) -> Result<T, Problem> {
        let mut parts = self.path.iter();
        parts
            .find(|(known, _)| known == name)
            .and_then(|(_, text)| parse(text))
            .ok_or_else(Problem::not_found)
    }
}

/// What an operation answers when it succeeds.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) content: Content,
}

/// The body of an answer.
pub(crate) enum Content {
    /// None.
    None,
    /// JSON.
    Json(Vec<u8>),
    /// A file in another form.
    File {
        /// What it is.
        media_type: &'static str,
        /// What it holds.
        bytes: Vec<u8>,
    },
    /// Events, as they happen.
    Events(Box<Watch>),
}

impl Answer {
    /// 200 with a resource.
    pub(crate) fn ok(resource: &impl Serialize) -> Result<Self, Problem> {
        Self::json(StatusCode::OK, resource)
    }

    /// 201 with a resource.
    pub(crate) fn created(resource: &impl Serialize) -> Result<Self, Problem> {
        Self::json(StatusCode::CREATED, resource)
    }

    /// 202 with a resource.
    pub(crate) fn accepted(resource: &impl Serialize) -> Result<Self, Problem> {
        Self::json(StatusCode::ACCEPTED, resource)
    }

    /// 204: it is done, and there is nothing to show.
    pub(crate) const fn nothing() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            headers: Vec::new(),
            content: Content::None,
        }
    }

    /// The answer with the address of what was made.
    pub(crate) fn at(mut self, path: &str) -> Result<Self, Problem> {
        let path =
            HeaderValue::from_str(path).map_err(|error| Problem::internal(error.to_string()))?;
        self.headers.push((LOCATION, path));
        Ok(self)
    }

    fn json(status: StatusCode, resource: &impl Serialize) -> Result<Self, Problem> {
        let body =
            serde_json::to_vec(resource).map_err(|error| Problem::internal(error.to_string()))?;
        Ok(Self {
            status,
            headers: Vec::new(),
            content: Content::Json(body),
        })
    }

    /// 200 with the events of a run.
    pub(crate) fn events(watch: Watch) -> Self {
        Self {
            status: StatusCode::OK,
            headers: Vec::new(),
            content: Content::Events(Box::new(watch)),
        }
    }

    /// Compresses an answer that is large enough, where the caller takes that.
    pub(crate) fn compress(&mut self, is_taken: bool) {
        match &mut self.content {
            Content::Json(bytes) | Content::File { bytes, .. } => {
                compression::compress(bytes, &mut self.headers, is_taken);
            }
            // Events are sent as they happen; a coding would hold them back.
            Content::None | Content::Events(_) => {}
        }
    }

    /// An answer that was given before.
    fn again(stored: StoredAnswer) -> Result<Self, Problem> {
        let status = StatusCode::from_u16(stored.status);
        let status = status.map_err(|error| Problem::internal(error.to_string()))?;
        let answer = Self {
            status,
            headers: vec![(REPLAYED, HeaderValue::from_static("true"))],
            content: Content::Json(stored.body.into_bytes()),
        };
        match stored.location {
            Some(path) => answer.at(&path),
            None => Ok(answer),
        }
    }
}

/// An answer as it is kept. One that cannot be made is answered as the fault it is, and kept as 204.
fn stored(answer: Result<Answer, Problem>) -> StoredAnswer {
    let nothing = StoredAnswer {
        status: StatusCode::NO_CONTENT.as_u16(),
        location: None,
        body: String::new(),
    };
    let Ok(answer) = answer else {
        return nothing;
    };
    let Content::Json(body) = answer.content else {
        return nothing;
    };
    let mut headers = answer.headers.iter();
    let location = headers.find(|(name, _)| *name == LOCATION);
    StoredAnswer {
        status: answer.status.as_u16(),
        location: location.and_then(|(_, path)| path.to_str().ok().map(str::to_owned)),
        body: String::from_utf8(body).unwrap_or_default(),
    }
}

fn in_progress() -> Problem {
    let code = Code::IdempotencyInProgress;
    Problem::new(code, code.explanation())
}
