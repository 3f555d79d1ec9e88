//! What an operation is: a function from a call to an answer, with its documentation.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue, LOCATION};
use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::key::Role;
use domain::plan::Plan;
use domain::report::Variant;
use domain::usecase::Caller;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa_actix_web::OpenApiFactory;

use crate::ApiState;
use crate::input::{Body, Query};
use crate::problem::{Code, Problem};

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
}

/// A call of an operation by a caller who is allowed to make it.
pub(crate) struct Call {
    pub(crate) state: ApiState,
    pub(crate) caller: Caller,
    pub(crate) query: Query,
    body: Body,
    path: Vec<(String, String)>,
}

impl Call {
    pub(crate) fn new(
        state: ApiState,
        caller: Caller,
        query: Query,
        body: Body,
        path: Vec<(String, String)>,
    ) -> Self {
        Self {
            state,
            caller,
            query,
            body,
            path,
        }
    }

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
    pub(crate) fn plan(&self) -> Result<&Plan, Problem> {
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
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Vec<u8>,
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
            body: Vec::new(),
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
            body,
        })
    }
}
