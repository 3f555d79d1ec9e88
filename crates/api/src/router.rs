//! The operations by path and method, read from their documentation.

use std::collections::BTreeMap;

use actix_web::http::Method;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};

use crate::endpoint::Endpoint;
use crate::input::IDEMPOTENCY_KEY;
use crate::state::BASE;

/// A path with its operations.
pub(crate) struct Resource {
    /// The path below [`BASE`], parameters in braces.
    pub(crate) path: String,
    operations: Vec<Entry>,
}

/// An operation in the router.
pub(crate) struct Entry {
    method: Method,
    pub(crate) endpoint: &'static Endpoint,
    /// The parameters that its query may have.
    pub(crate) query: Vec<String>,
    pub(crate) takes_body: bool,
    /// Its name in the document.
    pub(crate) name: String,
    /// Whether it supports an `Idempotency-Key`.
    pub(crate) honours_key: bool,
}

impl Resource {
    /// The resources of these operations. What is called `/a/b` comes before `/a/{c}`, because it is
    /// looked for in this order and a brace sorts behind letters.
    pub(crate) fn all(endpoints: impl Iterator<Item = &'static Endpoint>) -> Vec<Self> {
        let mut by_path: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for endpoint in endpoints {
            for (path, item) in endpoint.documentation.paths().paths {
                let entries = operations(&item).map(|(method, operation)| Entry {
                    method,
                    endpoint,
                    query: query_parameters(operation),
                    takes_body: operation.request_body.is_some(),
                    name: operation.operation_id.clone().unwrap_or_default(),
                    honours_key: honours_key(operation),
                });
                by_path.entry(path).or_default().extend(entries);
            }
        }
        by_path
            .into_iter()
            .map(|(path, operations)| Self {
                path: path.strip_prefix(BASE).unwrap_or(&path).to_owned(),
                operations,
            })
            .collect()
    }

    /// The operation of a method; HEAD is that of GET.
    pub(crate) fn entry(&self, method: &Method) -> Option<&Entry> {
        let method = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        self.operations.iter().find(|entry| entry.method == *method)
    }

    /// The methods, as the header `Allow` lists them.
    pub(crate) fn allow(&self) -> String {
        let mut methods: Vec<&str> = self
            .operations
            .iter()
            .map(|entry| entry.method.as_str())
            .collect();
        if methods.contains(&"GET") {
            methods.push("HEAD");
        }
        methods.sort_unstable();
        methods.join(", ")
    }
}

/// The operations of a path.
pub(crate) fn operations(item: &PathItem) -> impl Iterator<Item = (Method, &Operation)> {
    [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}

/// Whether an operation documents the header `Idempotency-Key`, and therefore supports it.
pub(crate) fn honours_key(operation: &Operation) -> bool {
    parameters(operation, ParameterIn::Header).any(|name| name == IDEMPOTENCY_KEY)
}

fn query_parameters(operation: &Operation) -> Vec<String> {
    parameters(operation, ParameterIn::Query)
        .map(str::to_owned)
        .collect()
}

/// The names of the parameters that an operation has in one place.
fn parameters(operation: &Operation, place: ParameterIn) -> impl Iterator<Item = &str> {
    let parameters = operation.parameters.iter().flatten();
    parameters.filter_map(move |parameter| match parameter {
        RefOr::T(parameter) if parameter.parameter_in == place => Some(parameter.name.as_str()),
        RefOr::T(_) | RefOr::Ref(_) => None,
    })
}
