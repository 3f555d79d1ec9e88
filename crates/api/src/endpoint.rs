//! Operations: functions from a call to a response, with their documentation.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, HeaderName, HeaderValue, LOCATION,
};
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

use crate::input::{Body, InvalidFields, Query};
use crate::state::ApiState;
use httpkit::compression;
use httpkit::problem::{Code, Problem};
use httpkit::rate_limits::Abandoned;
use httpkit::run_events::RunWatch;

/// Marks a stored response.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// An operation under `/api/mcp`.
///
/// Path, method, parameters and body are those of its documentation, so the router and the OpenAPI
/// document cannot differ.
pub(crate) struct Endpoint {
    /// The documentation that `#[utoipa::path]` generates from the handler.
    pub(crate) documentation: &'static (dyn OpenApiFactory + Sync),
    /// The variants of the API that have it; in others its path is unknown.
    pub(crate) variants: &'static [Variant],
    /// The minimum role that may call it.
    pub(crate) role: Role,
    /// The cost class of a request with this query, determined before the query is parsed.
    pub(crate) lane: fn(&str) -> Lane,
    /// The problem codes beyond those of every operation of its kind.
    pub(crate) problems: &'static [Code],
    /// An example response for the documentation.
    pub(crate) example: fn(Variant) -> serde_json::Result<Value>,
    /// The handler. It runs on a blocking thread, after the caller is authenticated and authorized.
    pub(crate) handle: fn(&Call) -> Result<Reply, Problem>,
}

impl Endpoint {
    /// All variants.
    pub(crate) const EVERY_VARIANT: &'static [Variant] = &[Variant::Current, Variant::Legacy];
    /// All variants except the legacy one.
    pub(crate) const CURRENT_VARIANT: &'static [Variant] = &[Variant::Current];
    /// The lane of an operation that neither reads a whole report nor builds anything.
    pub(crate) const COSTS_LITTLE: fn(&str) -> Lane = |_| Lane::Read;
}

/// The cost class of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Cheap, with a small response.
    Read,
    /// It reads a whole report, and its response may be large.
    Report,
    /// It reads whole reports and generates a document from them.
    Export,
}

/// A call of an operation by an authorized caller.
pub(crate) struct Call {
    pub(crate) state: ApiState,
    pub(crate) caller: Caller,
    pub(crate) parameters: Query,
    /// The key itself; it is used only for its hash.
    pub(crate) secret: KeySecret,
    pub(crate) body: Body,
    pub(crate) path: Vec<(String, String)>,
    /// The `Idempotency-Key`, if the operation supports it and the request has one.
    pub(crate) once: Option<IdempotentCall>,
    /// Whether the client still waits for the response.
    pub(crate) abandoned: Abandoned,
}

impl Call {
    /// The organization of the caller.
    pub(crate) fn org(&self) -> &OrgId {
        &self.caller.organization.id
    }

    /// The actor, for the audit log.
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

    /// The query of the operation, validated.
    ///
    /// # Errors
    /// `invalid_request` naming all invalid parameters: those that cannot be read, and those that `validate` finds.
    pub(crate) fn query<T: DeserializeOwned, V>(
        &self,
        validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    ) -> Result<V, Problem> {
        self.parameters.read(validate)
    }

    /// The body as an object, validated.
    ///
    /// # Errors
    /// `invalid_request` naming all invalid fields: those that cannot be read, and those that `validate` finds.
    pub(crate) fn body<T: DeserializeOwned, V>(
        &self,
        validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    ) -> Result<V, Problem> {
        let refused = self.parameters.errors().to_vec();
        self.body.object(refused, validate)
    }

    /// As [`Self::body`]; an empty body is an empty object.
    pub(crate) fn body_if_any<T: DeserializeOwned, V>(
        &self,
        validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    ) -> Result<V, Problem> {
        let refused = self.parameters.errors().to_vec();
        self.body.object_if_any(refused, validate)
    }

    /// The hash of the caller's key.
    pub(crate) fn key_hash(&self) -> KeyHash {
        self.secret.hash()
    }

    /// Executes a change once per `Idempotency-Key`; without a key it is always executed.
    ///
    /// `make` passes the call to the store, which calls back for the `answer` to store. The operation
    /// documents `params(IdempotencyHeader)`; without that there is never a key.
    ///
    /// # Errors
    /// `idempotency_in_progress` while the first request with the key is in progress, and the errors of the change and
    /// its response.
    pub(crate) fn once<T, E>(
        &self,
        make: impl FnOnce(Option<&IdempotentWrite<'_, T>>) -> Result<Idempotent<T>, E>,
        answer: impl Fn(&T) -> Result<Reply, Problem>,
    ) -> Result<Reply, Problem>
    where
        Problem: From<E>,
    {
        let result = match &self.once {
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
        match result {
            Idempotent::Executed(made) => answer(&made),
            Idempotent::Replayed(stored) => Reply::again(stored),
        }
    }

    /// The id in a path segment. Text that is not an id is the id of nothing.
    pub(crate) fn id<T>(&self, name: &str, parse: fn(&str) -> Option<T>) -> Result<T, Problem> {
        let mut parts = self.path.iter();
        parts
            .find(|(known, _)| known == name)
            .and_then(|(_, text)| parse(text))
            .ok_or_else(Problem::not_found)
    }
}

/// The response of a successful operation.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) content: Content,
}

/// The body of a response.
pub(crate) enum Content {
    /// None.
    None,
    /// JSON.
    Json(Vec<u8>),
    /// A file in another format.
    File {
        /// The media type.
        media_type: &'static str,
        /// The content.
        bytes: Vec<u8>,
    },
    /// A JPEG file.
    Picture(Vec<u8>),
    /// Events, as they happen.
    Events(Box<RunWatch>),
}

impl Reply {
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

    /// 204: success without a body.
    pub(crate) const fn nothing() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            headers: Vec::new(),
            content: Content::None,
        }
    }

    /// The response with the location of the created resource.
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

    /// 200 with a JPEG file whose SHA-256 this is. It never changes. A browser that opens it runs and loads nothing.
    pub(crate) fn picture(sha256: &str, jpeg: Vec<u8>) -> Result<Self, Problem> {
        let tag = HeaderValue::from_str(&format!("\"{sha256}\""));
        let tag = tag.map_err(|error| Problem::internal(error.to_string()))?;
        let fixed = |text| HeaderValue::from_static(text);
        Ok(Self {
            status: StatusCode::OK,
            headers: vec![
                (ETAG, tag),
                (CACHE_CONTROL, fixed("private, max-age=86400, immutable")),
                (
                    CONTENT_SECURITY_POLICY,
                    fixed("default-src 'none'; sandbox"),
                ),
            ],
            content: Content::Picture(jpeg),
        })
    }

    /// 200 with the events of a run.
    pub(crate) fn events(watch: RunWatch) -> Self {
        Self {
            status: StatusCode::OK,
            headers: Vec::new(),
            content: Content::Events(Box::new(watch)),
        }
    }

    /// Compresses a large response, if the client accepts it.
    pub(crate) fn compress(&mut self, is_taken: bool) {
        match &mut self.content {
            Content::Json(bytes) | Content::File { bytes, .. } => {
                compression::compress(bytes, &mut self.headers, is_taken);
            }
            // Events are sent immediately; compression would buffer them. A picture is compressed already.
            Content::None | Content::Events(_) | Content::Picture(_) => {}
        }
    }

    /// A stored response.
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

/// The response to store. If it cannot be created, the client gets the error, and 204 is stored.
fn stored(answer: Result<Reply, Problem>) -> StoredAnswer {
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
