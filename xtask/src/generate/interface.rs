//! The published documents of the HTTP API: the OpenAPI document of each variant, and the problem
//! codes.

use std::collections::BTreeMap;

use domain::report::Variant;

use super::NOTICE;

pub(super) const OPENAPI: &str = "docs/openapi.json";
pub(super) const OPENAPI_LEGACY: &str = "docs/openapi.legacy.json";
pub(super) const ERRORS: &str = "docs/errors.md";

pub(super) fn openapi() -> BTreeMap<String, String> {
    document(OPENAPI, Variant::Current)
}

pub(super) fn openapi_legacy() -> BTreeMap<String, String> {
    document(OPENAPI_LEGACY, Variant::Legacy)
}

fn document(path: &str, variant: Variant) -> BTreeMap<String, String> {
    // A document of texts, lists and objects always becomes JSON.
    let text = api::openapi(variant).to_pretty_json().unwrap_or_default();
    BTreeMap::from([(path.to_owned(), format!("{text}\n"))])
}

pub(super) fn errors() -> BTreeMap<String, String> {
    let text = format!("{NOTICE}\n\n{}", api::error_list());
    BTreeMap::from([(ERRORS.to_owned(), text)])
}
