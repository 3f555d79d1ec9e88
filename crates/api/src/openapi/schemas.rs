//! The schemas of the document: those of the wire types, made exact.

use std::collections::BTreeMap;

use api_types::problem::{FieldError, Problem};
use domain::event::EventKind;
use domain::report::Variant;
use utoipa::openapi::schema::{AllOf, KnownFormat, Object, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::endpoint::Endpoint;
use domain::ports::NotReady;
use httpkit::problem::{Code, FieldCode};

/// Request types and problems: only in these, keys are optional.
const WITH_OPTIONAL_KEYS: [&str; 14] = [
    "CreateActionRequest",
    "CreateSiteRequest",
    "CreateWaiverRequest",
    "CreateWebhookRequest",
    "FieldError",
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
        (FieldError::name().into_owned(), field_error()),
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
    for schema in schemas.values_mut() {
        mark_times(schema);
    }
    for (name, schema) in &mut schemas {
        if !WITH_OPTIONAL_KEYS.contains(&name.as_str()) {
            adapt(schema, variant);
        }
    }
    schemas
}

/// Marks the texts that are times. Their names end in `At`, or are those of a period.
fn mark_times(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            for (name, property) in &mut object.properties {
                let is_time = name.ends_with("At") || name == "periodStart" || name == "periodEnd";
                if is_time && let RefOr::T(Schema::Object(text)) = property {
                    text.format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
                }
            }
        }
        RefOr::T(Schema::AllOf(AllOf { items, .. })) => items.iter_mut().for_each(mark_times),
        _ => {}
    }
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

/// The names of schemas that are one generic type.
pub(super) const NAMES: [(&str, &str); 6] = [
    ("PerDimension_DimensionScoring", "DimensionScorings"),
    ("PerDimension_Option_f64", "PageScores"),
    ("PerDimension_String", "DimensionSummaries"),
    ("PerDimension_i16", "SubscoreChanges"),
    ("PerDimension_u32", "DimensionWeights"),
    ("PerDimension_u8", "Subscores"),
];

/// The schema of problems, with the lists of codes and reasons.
fn problem() -> RefOr<Schema> {
    let mut schema = Problem::schema();
    enumerate(&mut schema, "code", &Code::ALL.map(Code::as_str));
    let of_plans = ["site_limit_hit", "monthly_run_limit_hit"];
    let reasons: Vec<&str> = of_plans
        .into_iter()
        .chain(NotReady::ALL.map(NotReady::as_str))
        .collect();
    enumerate(&mut schema, "reason", &reasons);
    schema
}

/// The schema of invalid fields, with the list of codes.
fn field_error() -> RefOr<Schema> {
    let mut schema = FieldError::schema();
    enumerate(&mut schema, "code", &FieldCode::ALL.map(FieldCode::as_str));
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        object.required = ["field", "code", "message"].map(str::to_owned).to_vec();
    }
    schema
}

/// Makes a property a text from a closed list.
fn enumerate(schema: &mut RefOr<Schema>, property: &str, values: &[&str]) {
    if let RefOr::T(Schema::Object(object)) = schema
        && let Some(RefOr::T(Schema::Object(text))) = object.properties.get_mut(property)
    {
        text.schema_type = SchemaType::Type(Type::String);
        text.enum_values = Some(values.iter().map(|value| (*value).into()).collect());
    }
}
