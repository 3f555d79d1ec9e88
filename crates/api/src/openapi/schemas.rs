//! The schemas of the document: those of the wire types, made exact.

use std::collections::BTreeMap;

use api_types::problem::{FieldError, Problem};
use domain::event::EventKind;
use domain::report::Variant;
use utoipa::openapi::schema::{AllOf, Object, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::endpoint::Endpoint;
use httpkit::problem::Code;

/// Request types and problems: only in these, keys are optional.
const WITH_OPTIONAL_KEYS: [&str; 13] = [
    "CreateActionRequest",
    "CreateSiteRequest",
    "CreateWaiverRequest",
    "CreateWebhookRequest",
    "HandoffRequest",
    "Problem",
    "QueueBriefRequest",
    "SetScheduleRequest",
    "StartAuditOptions",
    "StartAuditRequest",
    "UpdateActionRequest",
    "UpdateSiteRequest",
    "UpdateWebhookRequest",
];
/// Fields and events that the legacy variant does not have.
const SIXTH: &str = "aiReadiness";

/// The schemas that the operations refer to, and that of problems.
pub(super) fn all(
    endpoints: impl Iterator<Item = &'static Endpoint>,
    variant: Variant,
) -> BTreeMap<String, RefOr<Schema>> {
    let mut found = vec![
        (Problem::name().into_owned(), problem()),
        (FieldError::name().into_owned(), FieldError::schema()),
    ];
    for endpoint in endpoints {
        endpoint.documentation.schemas(&mut found);
    }
    let mut schemas: BTreeMap<_, _> = found.into_iter().collect();
    if let Some(RefOr::T(Schema::Object(handoff))) = schemas.get_mut("HandoffRequest")
        && let Some(RefOr::T(Schema::Array(ids))) = handoff.properties.get_mut("ids")
    {
        ids.unique_items = true;
    }
    for (name, schema) in &mut schemas {
        if !WITH_OPTIONAL_KEYS.contains(&name.as_str()) {
            adapt(schema, variant);
        }
    }
    schemas
}

/// Makes every key of a response required, and limits dimensions and events to those of the variant.
fn adapt(schema: &mut RefOr<Schema>, variant: Variant) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            adapt_values(object, variant);
            object.required = object.properties.keys().cloned().collect();
            for property in object.properties.values_mut() {
                adapt(property, variant);
            }
        }
        RefOr::T(Schema::AllOf(AllOf { items, .. })) => {
            for item in items {
                adapt(item, variant);
            }
        }
        _ => {}
    }
}

/// The sixth dimension is always present in the current variant and never in the legacy variant, which also has no
/// events of action items.
fn adapt_values(object: &mut Object, variant: Variant) {
    match variant {
        Variant::Current => {
            if let Some(sixth) = object.properties.get("content").cloned()
                && object.properties.contains_key(SIXTH)
            {
                // Required like the other dimensions.
                object.properties.insert(SIXTH.to_owned(), sixth);
            }
        }
        Variant::Legacy => {
            object.properties.remove(SIXTH);
            if let Some(values) = &mut object.enum_values {
                values.retain(|value| {
                    let event = value.as_str().and_then(EventKind::named);
                    value != SIXTH && event.is_none_or(|kind| kind.is_in(variant))
                });
            }
        }
    }
}

/// The schema of problems, with the list of codes.
fn problem() -> RefOr<Schema> {
    let mut schema = Problem::schema();
    if let RefOr::T(Schema::Object(object)) = &mut schema
        && let Some(RefOr::T(Schema::Object(code))) = object.properties.get_mut("code")
    {
        code.schema_type = SchemaType::Type(Type::String);
        code.enum_values = Some(Code::ALL.map(|code| code.as_str().into()).to_vec());
    }
    schema
}
