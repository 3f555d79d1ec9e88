//! One request to the API.

use data_encoding::HEXLOWER;
use reqwest::Method;
use serde::Serialize;

use crate::Error;

/// A request to send.
pub(crate) struct Call<'a> {
    pub(crate) method: Method,
    /// The path below the server's base URL.
    pub(crate) path: Vec<&'a str>,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) body: Option<Vec<u8>>,
    /// The idempotency key, so that retries have no further effect.
    pub(crate) once: Option<String>,
}

impl<'a> Call<'a> {
    /// An operation of the API.
    pub(crate) fn new(method: Method, path: &[&'a str]) -> Self {
        Self {
            method,
            path: ["api", "mcp"].iter().chain(path).copied().collect(),
            query: Vec::new(),
            body: None,
            once: None,
        }
    }

    /// A page outside of the API operations.
    pub(crate) fn page(path: &[&'a str]) -> Self {
        Self {
            path: path.to_vec(),
            ..Self::new(Method::GET, &[])
        }
    }

    pub(crate) fn get(path: &[&'a str]) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn post(path: &[&'a str]) -> Self {
        Self::new(Method::POST, path)
    }

    /// Adds a query parameter, if it has a value.
    pub(crate) fn with(mut self, name: &'static str, value: Option<String>) -> Self {
        self.query.extend(value.map(|value| (name, value)));
        self
    }

    /// Adds a body.
    pub(crate) fn json(mut self, body: &impl Serialize) -> Result<Self, Error> {
        let body = serde_json::to_vec(body).map_err(|error| Error::Setup(error.to_string()))?;
        self.body = Some(body);
        Ok(self)
    }

    /// Adds a new `Idempotency-Key`.
    pub(crate) fn once(mut self) -> Self {
        self.once = Some(HEXLOWER.encode(&rand::random::<[u8; 16]>()));
        self
    }

    /// Whether the request is idempotent.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.once.is_some() || self.method == Method::GET
    }
}

/// Several values of one parameter in wire format; `None` for all.
pub(crate) fn listed<T: Serialize>(values: &[T]) -> Result<Option<String>, Error> {
    let mut words = Vec::new();
    for value in values {
        let value = serde_json::to_value(value).map_err(|error| Error::Setup(error.to_string()))?;
        words.extend(value.as_str().map(str::to_owned));
    }
    Ok((!words.is_empty()).then(|| words.join(",")))
}
