//! The OpenAPI document: the documentation of each operation, and what all operations have in common.

mod request_examples;
mod schemas;

use std::collections::BTreeMap;

use domain::key::Role;
use domain::report::Variant;
use serde_json::Value;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::info::{InfoBuilder, LicenseBuilder};
use utoipa::openapi::path::PathItem;
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{Object, SchemaType, Type};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::server::ServerBuilder;
use utoipa::openapi::{
    ComponentsBuilder, Content, ObjectBuilder, OpenApi, OpenApiBuilder, Paths, Ref, RefOr,
    Response, Schema,
};

use crate::endpoint::Endpoint;
use crate::router::honours_key;
use crate::routes;
use httpkit::problem::{Code, MEDIA_TYPE, Problem};

/// The name of the security scheme.
const BEARER: &str = "bearer";
/// The request id in examples.
const EXAMPLE_ID: &str = "01KAK2M4T0V5X7Z9B2D4F6H8JK";

/// The OpenAPI 3.1 document of a variant of the interface.
#[must_use]
pub fn openapi(variant: Variant) -> OpenApi {
    let mut paths = Paths::new();
    for endpoint in routes::in_variant(variant) {
        let mut own = endpoint.documentation.paths();
        for (path, item) in &mut own.paths {
            let has_id = path.contains('{');
            for operation in operations_mut(item) {
                complete(operation, endpoint, has_id, variant);
            }
        }
        paths.merge(own);
    }
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas::all(routes::in_variant(variant), variant))
        .security_scheme(
            BEARER,
            SecurityScheme::Http(
                HttpBuilder::new()
                    .scheme(HttpAuthScheme::Bearer)
                    .description(Some(
                        "An API key of an organization: `sk_service_` and 49 letters and digits.",
                    ))
                    .build(),
            ),
        )
        .build();
    let document = OpenApiBuilder::new()
        .servers(Some([ServerBuilder::new()
            .url("/")
            .description(Some("The service that serves this document."))
            .build()]))
        .info(
            InfoBuilder::new()
                .title("Assay")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "Audits websites: start a run, poll it, read its report. Every error is a \
                     problem document (RFC 9457); match on its `code`.",
                ))
                .license(Some(
                    LicenseBuilder::new()
                        .name("MIT OR Apache-2.0")
                        .identifier(Some("MIT OR Apache-2.0"))
                        .build(),
                ))
                .build(),
        )
        .paths(paths)
        .components(Some(components))
        .build();
    named(&document).unwrap_or(document)
}

/// The document with names of the domain for schemas of generic types; `None` if it cannot be converted.
fn named(document: &OpenApi) -> Option<OpenApi> {
    let text = serde_json::to_string(document).ok()?;
    let renamed = schemas::NAMES
        .iter()
        .fold(text, |text, (generic, name)| text.replace(generic, name));
    serde_json::from_str(&renamed).ok()
}

fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ]
    .into_iter()
    .filter_map(Option::as_mut)
}

/// Adds what the operation does not document itself: the key, the example, the problems.
fn complete(operation: &mut Operation, endpoint: &Endpoint, has_id: bool, variant: Variant) {
    let honours_key = honours_key(operation);
    operation.security = Some(vec![SecurityRequirement::new(BEARER, Vec::<String>::new())]);
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else {
            continue;
        };
        add_request_id(response);
        add_limits(response);
        if honours_key {
            add_header(
                response,
                "Idempotency-Replayed",
                "`true` if this is the stored response of an earlier request with this Idempotency-Key.",
            );
        }
        let is_only = response.content.len() == 1;
        for (media_type, content) in &mut response.content {
            // Other formats of the same resource are too long for an example.
            if (is_only || media_type == "application/json")
                && let RefOr::T(content) = content
            {
                exemplify(content, (endpoint.example)(variant).ok());
            }
        }
    }
    never_empty(operation);
    require_role(operation, endpoint.role);
    let kind = Kind {
        has_id,
        takes_body: operation.request_body.is_some(),
        honours_key,
    };
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        never_null(body);
        let example = operation
            .operation_id
            .as_deref()
            .and_then(request_examples::example);
        for content in body.content.values_mut() {
            if let RefOr::T(content) = content {
                content.example.clone_from(&example);
            }
        }
    }
    for (status, codes) in by_status(endpoint, &kind, variant) {
        operation
            .responses
            .responses
            .insert(status, RefOr::T(problems(&codes)));
    }
}

/// Names the role that a key needs, for people and for programs.
fn require_role(operation: &mut Operation, role: Role) {
    let role = role.as_str();
    let description = operation.description.get_or_insert_default();
    let text = format!("\n\nRequires a key with the role `{role}` or a higher one.");
    description.push_str(&text);
    operation.extensions = Some(
        ExtensionsBuilder::new()
            .add("x-required-role", role)
            .build(),
    );
}

/// Query parameters must not be empty.
fn never_empty(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.parameter_in == ParameterIn::Query
            && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
            && schema.enum_values.is_none()
            && is_text(schema)
        {
            schema.min_length = Some(1);
        }
    }
}

fn is_text(schema: &Object) -> bool {
    match &schema.schema_type {
        SchemaType::Type(kind) => *kind == Type::String,
        SchemaType::Array(kinds) => kinds.contains(&Type::String),
        SchemaType::AnyValue => false,
    }
}

/// Adds the example of the operation to those that it documents itself.
fn exemplify(content: &mut Content, example: Option<Value>) {
    if content.examples.is_empty() {
        content.example = example;
        return;
    }
    let example = ExampleBuilder::new()
        .summary("Default")
        .value(example)
        .build();
    let examples = &mut content.examples;
    examples.insert("default".to_owned(), RefOr::T(example));
}

/// An optional body, if present, must be an object.
fn never_null(body: &mut RequestBody) {
    for content in body.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(RefOr::T(Schema::OneOf(choices))) = &mut content.schema
            && let Some(object) = choices
                .items
                .iter()
                .find(|one| matches!(one, RefOr::Ref(_)))
        {
            content.schema = Some(object.clone());
        }
    }
}

/// The properties of an operation that determine its possible errors.
struct Kind {
    has_id: bool,
    takes_body: bool,
    honours_key: bool,
}

/// The problem codes that an operation can return, by status.
fn by_status(endpoint: &Endpoint, kind: &Kind, variant: Variant) -> BTreeMap<String, Vec<Code>> {
    let common = [
        (Code::InvalidRequest, true),
        (Code::Unauthorized, true),
        (Code::PaymentRequired, variant == Variant::Legacy),
        (Code::Forbidden, endpoint.role > Role::Read),
        (Code::NotFound, kind.has_id),
        (Code::IdempotencyInProgress, kind.honours_key),
        (Code::PayloadTooLarge, kind.takes_body),
        (Code::UnsupportedMediaType, kind.takes_body),
        (Code::IdempotencyKeyReused, kind.honours_key),
        (Code::RateLimited, true),
        (Code::Internal, true),
        (Code::Unavailable, true),
    ];
    let common = common
        .into_iter()
        .filter(|(_, applies)| *applies)
        .map(|(code, _)| code);
    let mut codes: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for code in common.chain(endpoint.problems.iter().copied()) {
        let status = code.status().as_str().to_owned();
        let same_status = codes.entry(status).or_default();
        if !same_status.contains(&code) {
            same_status.push(code);
        }
    }
    codes
}

/// The response of one status.
fn problems(codes: &[Code]) -> Response {
    let description: Vec<String> = codes
        .iter()
        .map(|code| format!("`{}`: {}", code.as_str(), code.explanation()))
        .collect();
    let examples = codes.iter().map(|&code| {
        let problem = Problem::new(code, code.explanation());
        let wire = problem.to_wire("https://assay.example", EXAMPLE_ID);
        let example = ExampleBuilder::new()
            .summary(code.title())
            .value(serde_json::to_value(wire).ok())
            .build();
        (code.as_str(), RefOr::T(example))
    });
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .examples_from_iter(examples)
        .build();
    let mut response = ResponseBuilder::new()
        .description(description.join("\n\n"))
        .content(MEDIA_TYPE, content)
        .build();
    add_request_id(&mut response);
    // The caller is unknown, or the request was not counted.
    if !codes.contains(&Code::Unauthorized) && !codes.contains(&Code::PaymentRequired) {
        add_limits(&mut response);
    }
    for (wanted, name, description) in [
        (Code::Unauthorized, "WWW-Authenticate", "`Bearer`."),
        (Code::RateLimited, "Retry-After", "Seconds to wait."),
        (Code::Unavailable, "Retry-After", "Seconds to wait."),
    ] {
        if codes.contains(&wanted) {
            add_header(&mut response, name, description);
        }
    }
    response
}

fn add_request_id(response: &mut Response) {
    add_header(
        response,
        "X-Request-Id",
        "The id of this request, for the operator.",
    );
}

fn add_limits(response: &mut Response) {
    add_header(
        response,
        "RateLimit-Policy",
        "The rate limit of the key: `\"default\";q=600;w=60` is 600 requests in 60 seconds. Absent if requests are not counted.",
    );
    add_header(
        response,
        "RateLimit",
        "The remaining requests, and the seconds until more are available: `\"default\";r=119;t=1`. Absent if requests are not counted.",
    );
}

fn add_header(response: &mut Response, name: &str, description: &str) {
    let header = HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .description(Some(description))
        .build();
    response.headers.insert(name.to_owned(), RefOr::T(header));
}
